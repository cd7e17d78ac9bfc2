#include "cli/gpu_legs.hpp"

#include "cli/context.hpp"
#include "gpu/gpu_here.hpp"

namespace nibble::cli {
namespace {

std::string why_not_here(const lab::Kit& kit, const lab::Lab& lab) {
  if (lab.has_host_code()) return "host code is judged on the engine alone";
  return gpu::why_not_run(kit.nvcc);
}

}  // namespace

std::string why_no_gpu_leg(const Context& context, const lab::Lab& lab) {
  const std::string why = why_not_here(context.kit, lab);
  if (!why.empty() || context.gpu.run) return why;
  return "nibble-gpu is not built (./nibble build nibble-gpu)";
}

void fetch_gpu_legs(const Context& context, const lab::Lab& lab) {
  if (!context.gpu.fetch || !lab.is_cuda()) return;
  if (why_not_here(context.kit, lab).empty()) context.gpu.fetch(context.kit);
}

}  // namespace nibble::cli
