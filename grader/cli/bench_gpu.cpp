// nibble bench LAB, where the lab is kernels and the machine has a GPU: each in turn with
// the contract written down plainly, in a process of its own.
#include <fmt/format.h>

#include <chrono>
#include <ostream>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "gpu/compile_cubin.hpp"
#include "gpu/gpu.hpp"
#include "gpu/gpu_here.hpp"
#include "gpu/gpu_lock.hpp"
#include "lab/on_demand.hpp"
#include "process/command.hpp"
#include "text/json_text.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using report::Json;

/// One file, compiled for the GPU that is here.
class CubinCompiler {
 public:
  CubinCompiler(const lab::Kit& kit, const MarkedLab& lab)
      : kit_(kit),
        lab_(lab),
        sm_(gpu::Gpu::find().gpu->facts().sm),
        work_(fs::absolute(kit.root / ".nibble" / "work" / lab.name / "gpu-bench")) {}

  std::string of(const std::string& source, const fs::path& name) const {
    gpu::CubinJob job;
    job.nvcc = kit_.nvcc;
    job.source = source;
    job.name = name;
    job.architecture = gpu::architecture_of(sm_);
    job.folders = kit_.folders_for_nvcc(lab_);
    job.system_folders = kit_.nvcc_includes;
    job.work = work_ / name.stem();
    job.cancelled = was_interrupted;
    const gpu::BuiltCubin built = gpu::compile_cubin(job);
    if (built.ok) return built.cubin.string();
    throw Trouble(kNoCompile, "for the GPU it does not compile:\n" + built.diagnostics);
  }

  std::string of_the_kit(const fs::path& name) const {
    const fs::path file = kit_.source / "grader" / "gpu" / name;
    if (fs::is_regular_file(file)) return of(files::read_file(file), name.filename());
    throw Trouble(kNotHere,
                  "not run: what kernels are timed against is not in this copy of the kit");
  }

 private:
  const lab::Kit& kit_;
  const MarkedLab& lab_;
  int sm_;
  fs::path work_;
};

std::string line_of(const Json& row) {
  if (row.contains("error")) return "  not measured: " + row["error"].get<std::string>() + "\n";
  const bool moves = row.contains("gbps");
  std::string text =
      fmt::format("  {:<44} {:>9.1f} us  {:>8.4g} {}", row.value("name", ""), row.value("us", 0.0),
                  row.value(moves ? "gbps" : "tops", 0.0), moves ? "GB/s" : "TOPS");
  if (row.contains("share")) text += fmt::format("  {:>3.0f} %", 100 * row["share"].get<double>());
  return text + fmt::format("  {:.3g} x plain  at {:.0f} MHz  {}\n", row.value("vs_plain", 0.0),
                            row.value("sm_mhz", 0.0), row.value("check", ""));
}

std::string text_of(const std::string& rows) {
  std::string text;
  std::istringstream lines(rows);
  for (std::string line; std::getline(lines, line);) {
    const Json row = text::json_of(line);
    if (row.is_object()) text += line_of(row);
  }
  return text;
}

}  // namespace

int bench_on_gpu(Context& context, const Target& target, const std::string& json_file) {
  const MarkedLab& lab = *target.lab;
  const std::string why = gpu::why_not_run(context.kit.nvcc);
  if (!why.empty()) {
    throw Trouble(kNotHere, "the kernels of " + lab.name + " are timed on a GPU: not run, " + why);
  }
  if (!lab::have_built(context.kit, {"gpu-times"})) {
    throw kit_fault("what measures a GPU is not built: the lines above say why");
  }
  const files::FileLock project(context.kit.root / ".nibble" / "work" / lab.name / "lock");
  const files::FileLock device(gpu::gpu_lock());
  const CubinCompiler cubins(context.kit, lab);
  process::Command command;
  command.words = {(context.kit.build / "bin" / "gpu-times").string(),
                   "--lab",
                   lab.name,
                   "--kit",
                   cubins.of_the_kit("kit_kernels.cu"),
                   "--ceilings",
                   cubins.of_the_kit("bench/ceilings.cu"),
                   "--opponent",
                   cubins.of_the_kit("bench/plain.cu"),
                   "--candidate",
                   cubins.of(read_learners_file(context.kit, lab), lab.file())};
  if (!target.exercise.empty())
    command.words.insert(command.words.end(), {"--exercise", target.exercise});
  command.wall_limit = std::chrono::seconds{300};
  command.cancelled = was_interrupted;
  const process::Finished finished = process::run(command);
  if (finished.cancelled) return kInterrupted;
  context.out << text_of(finished.out);
  if (!json_file.empty()) files::write_atomically(json_file, finished.out);
  if (finished.ok()) return kPassed;
  throw Trouble(kStopped, finished.timed_out ? "stopped: a kernel takes longer than 300 s"
                                             : "a kernel was stopped: " + finished.err);
}

}  // namespace nibble::cli
