#include "cli/gpu_legs.hpp"

#include "cli/context.hpp"
#include "gpu/gpu_here.hpp"

namespace nibble::cli {

std::string why_no_gpu_leg(const Context& context) {
  const std::string why = gpu::why_not_run(context.kit.nvcc);
  if (!why.empty() || context.gpu.here.run) return why;
  return "nibble-gpu is not built (./nibble build nibble-gpu)";
}

void fetch_gpu_legs(const Context& context, const lab::Lab& lab) {
  if (!context.gpu.fetch || lab.kind != lab::LabKind::kDevice) return;
  if (gpu::why_not_run(context.kit.nvcc).empty()) context.gpu.fetch(context.kit);
}

}  // namespace nibble::cli
