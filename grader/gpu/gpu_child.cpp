#include "gpu/gpu_child.hpp"

#include "files/files.hpp"
#include "gpu/cubin.hpp"
#include "gpu/launch_limits.hpp"
#include "process/command.hpp"
#include "text/harmless.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;

/// cubin_image.S takes the cubin along. What looks the driver up needs dlopen, which older C
/// libraries keep apart.
process::Finished link(const lab::Kit& kit, const std::string& lab, const CubinJob& job) {
  const fs::path runner = kit.build / "runner";
  process::Command command;
  command.words = {kit.cxx, "-DNIBBLE_CUBIN=\"learner.cubin\"",
                   (kit.source / "grader" / "gpu" / "cubin_image.S").string()};
  for (const std::string& part :
       {std::string("main.o"), std::string("loop.o"), std::string("crash_note.o"), lab + ".gpu.o",
        std::string("gpu_device.a")}) {
    command.words.push_back((runner / part).string());
  }
  command.words.insert(command.words.end(), kit.link_flags.begin(), kit.link_flags.end());
  command.words.insert(command.words.end(), {"-ldl", "-o", "child"});
  command.directory = job.work;
  command.environment = {"LC_ALL=C.UTF-8"};
  command.cpu_limit = job.cpu_limit;
  command.wall_limit = 3 * job.cpu_limit;
  command.cancelled = job.cancelled;
  std::vector<fs::path> more = kit.compiler_folders;
  more.insert(more.end(), {kit.source / "grader" / "gpu", runner});
  command.box = box_of(job, more);
  return process::run(command);
}

}  // namespace

std::string descriptor_troubles(const fs::path& file, int sm) {
  std::string all;
  const std::string image = files::read_file(file);
  try {
    for (const CubinKernel& kernel : read_cubin(std::as_bytes(std::span(image))).kernels) {
      const std::string name = text::harmless(kernel.name);
      const std::string trouble = kernel.launch ? launch_trouble(name, *kernel.launch, sm) : "";
      if (!trouble.empty()) all += "error: " + trouble + "\n";
    }
  } catch (const BadCubin& bad) {
    all += std::string("error: ") + text::harmless(bad.what()) + "\n";
  }
  return all;
}

GpuChild build_gpu_child(const lab::Kit& kit, const std::string& lab, const CubinJob& job, int sm) {
  GpuChild child;
  fs::remove(job.work / "child");
  child.cubin = compile_cubin(job);
  child.diagnostics = child.cubin.diagnostics;
  if (!child.cubin.ok) return child;
  const std::string troubles = descriptor_troubles(child.cubin.cubin, sm);
  child.diagnostics += troubles;
  if (!troubles.empty()) return child;
  const process::Finished linked = link(kit, lab, job);
  child.link_seconds = linked.seconds;
  child.diagnostics += text::harmless(linked.err + linked.out);
  child.ok = linked.ok();
  if (child.ok) child.executable = job.work / "child";
  return child;
}

}  // namespace nibble::gpu
