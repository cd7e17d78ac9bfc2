#include "cli/gpu_legs.hpp"

#include "cli/context.hpp"
#include "compile/compile.hpp"
#include "gpu/gpu_here.hpp"

namespace nibble::cli {
namespace {

std::string why_not_here(const lab::Kit& kit, const std::string& lab) {
  if (compile::has_host_code(lab)) return "host code is judged on the engine alone";
  return gpu::why_not_run(kit.nvcc);
}

}  // namespace

std::string why_no_gpu_leg(const Context& context, const std::string& lab) {
  const std::string why = why_not_here(context.kit, lab);
  if (!why.empty() || context.gpu.run) return why;
  return "nibble-gpu is not built (./nibble build nibble-gpu)";
}

void fetch_gpu_legs(const Context& context, const std::string& lab) {
  if (!context.gpu.fetch || !lab::is_cuda_lab(lab)) return;
  if (why_not_here(context.kit, lab).empty()) context.gpu.fetch(context.kit);
}

}  // namespace nibble::cli
