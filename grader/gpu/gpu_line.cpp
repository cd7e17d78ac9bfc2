#include "gpu/gpu_line.hpp"

#include <fmt/format.h>

#include "gpu/compile_cubin.hpp"

namespace nibble::gpu {

std::string describe(const Facts& facts) {
  return fmt::format("{}, sm_{}, {} multiprocessors, {} GiB; driver {}", facts.name, facts.sm,
                     facts.multiprocessors, facts.memory_bytes >> 30, facts.driver);
}

std::string gpu_line(const std::string& nvcc) {
  const std::string version = nvcc.empty() ? "" : nvcc_version(nvcc);
  const std::string compiler = version.empty() ? "no nvcc" : "nvcc " + version;
  const FoundGpu found = Gpu::find();
  if (found.gpu != nullptr) return describe(found.gpu->facts()) + "; " + compiler;
  return fmt::format("{}; {}: the CUDA labs run on the SIMT engine", found.why, compiler);
}

}  // namespace nibble::gpu
