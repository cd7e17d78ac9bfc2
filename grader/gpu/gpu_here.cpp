#include "gpu/gpu_here.hpp"

#include <fmt/format.h>

#include <chrono>
#include <system_error>

#include "process/command.hpp"
#include "text/pattern.hpp"

namespace nibble::gpu {

namespace fs = std::filesystem;

std::string why_not_run(const fs::path& nvcc) {
  if (nvcc.empty()) return "nvcc is not found";
  const FoundGpu found = Gpu::find();
  return found.gpu != nullptr ? "" : found.why;
}

std::string gpu_line(const fs::path& nvcc) {
  const std::string version = nvcc.empty() ? "" : nvcc_version(nvcc);
  const std::string compiler = version.empty() ? "no nvcc" : "nvcc " + version;
  const FoundGpu found = Gpu::find();
  if (found.gpu != nullptr) return describe(found.gpu->facts()) + "; " + compiler;
  return fmt::format("{}; {}: the CUDA labs run on the SIMT engine", found.why, compiler);
}

std::string describe(const Facts& facts) {
  return fmt::format("{}, sm_{}, {} multiprocessors, {} GiB; driver {}", facts.name, facts.sm,
                     facts.multiprocessors, facts.memory_bytes >> 30, facts.driver);
}

std::string nvcc_version(const fs::path& nvcc) {
  process::Command command;
  command.words = {nvcc.string(), "--version"};
  command.wall_limit = std::chrono::seconds(30);
  try {
    const std::string said = process::run(command).out;
    static const text::Pattern release(R"(release (\d+\.\d+))");
    const auto found = release.search(said);
    return found ? (*found)[1] : "";
  } catch (const std::system_error&) {
    return "";
  }
}

}  // namespace nibble::gpu
