#include "gpu/gpu_legs.hpp"

#include <utility>

#include "files/file_lock.hpp"
#include "gpu/gpu_lock.hpp"

namespace nibble::gpu {

GpuLegs gpu_legs() {
  const auto look_closer = [](const lab::Kit& kit, run::Trial trial,
                              const std::filesystem::path& work) {
    const files::FileLock device(gpu_lock());
    return run_sanitizer_leg(kit, std::move(trial), find_compute_sanitizer(kit.nvcc), work);
  };
  return {run_gpu_leg, look_closer, add_hidden_gpu_checks};
}

}  // namespace nibble::gpu
