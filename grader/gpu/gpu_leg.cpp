// Compiles for the GPU, has it judged, and runs the published
// kernels when the device may have been hurt.
#include "gpu/gpu_leg.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "files/file_lock.hpp"
#include "gpu/gpu.hpp"
#include "gpu/gpu_child.hpp"
#include "gpu/gpu_here.hpp"
#include "gpu/gpu_lock.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using record::CheckStatus;
using run::Judged;

CubinJob cubin_job(const lab::Kit& kit, const GpuJob& job, int sm) {
  CubinJob cubin;
  cubin.nvcc = kit.nvcc;
  cubin.source = job.source;
  cubin.name = job.lab.file();
  cubin.architecture = architecture_of(sm);
  cubin.folders = kit.folders_for_nvcc(job.lab);
  cubin.system_folders = kit.nvcc_includes;
  cubin.work = job.work;
  cubin.cancelled = job.cancelled;
  cubin.boxes = job.boxes;
  return cubin;
}

/// Stopped or broken in the middle of something: what is left on the device, nobody knows.
bool may_have_hurt(const Judged& judged) {
  if (judged.outcome == Judged::Outcome::kUsage) return false;  // no check was run
  if (!judged.has_verdict()) return true;
  return std::ranges::any_of(judged.verdict.checks, [](const record::Check& check) {
    return check.status == CheckStatus::kCrash || check.status == CheckStatus::kTimeout;
  });
}

bool is_well(const lab::Kit& kit, run::Trial trial, const fs::path& canary) {
  trial.terms.child = canary;
  trial.terms.hidden = false;
  const Judged judged = run::judge(kit, trial);
  return judged.has_verdict() && judged.verdict.passes();
}

/// Once, and once more when the GPU turns out not to be well.
Judged judge_on_device(const lab::Kit& kit, const run::Trial& trial, const fs::path& canary) {
  constexpr int kMostTimes = 2;
  for (int time = 1;; ++time) {
    Judged judged = run::judge(kit, trial);
    if (judged.outcome == Judged::Outcome::kCancelled || canary.empty()) return judged;
    if (!may_have_hurt(judged) || is_well(kit, trial, canary)) return judged;
    if (time == kMostTimes) {
      return {Judged::Outcome::kKitError,
              {},
              "the GPU fails the published solution too: nothing it says counts"};
    }
  }
}

/// Why it cannot be run here, or "".
std::string why_not_here(const lab::Kit& kit, const GpuJob& job) {
  if (job.boxes.run == sandbox::Level::kStatic) {
    return "level LS has no GPU: a static program cannot open its driver";
  }
  return why_not_run(kit.nvcc);
}

/// Known to be right, so it needs no box.
fs::path build_canary(const lab::Kit& kit, const GpuJob& job, const std::string& source, int sm) {
  if (source.empty()) return {};
  const GpuJob ours{job.lab, source, job.work / "canary", {}, job.cancelled};
  const GpuChild built = build_gpu_child(kit, job.lab.name, cubin_job(kit, ours, sm), sm);
  if (built.ok) return fs::absolute(built.executable);
  throw std::runtime_error("the published solution does not compile for this GPU");
}

}  // namespace

GpuLeg run_gpu_leg(const lab::Kit& kit, const GpuJob& job, run::Trial trial,
                   const std::string& canary) {
  GpuLeg leg;
  leg.why_not = why_not_here(kit, job);
  if (!leg.why_not.empty()) return leg;
  const int sm = Gpu::find().gpu->facts().sm;
  const GpuChild child = build_gpu_child(kit, job.lab.name, cubin_job(kit, job, sm), sm);
  if (child.cubin.cancelled) leg.judged.outcome = Judged::Outcome::kCancelled;
  if (!child.ok) {
    leg.diagnostics =
        child.diagnostics.empty() ? "nvcc failed and said nothing" : child.diagnostics;
    return leg;
  }
  leg.executable = fs::absolute(child.executable);
  trial.terms.child = leg.executable;
  trial.terms.leg = protocol::Leg::kGpu;
  trial.boxes = job.boxes;
  trial.terms.cpu_limit = trial.terms.wall_limit =
      std::chrono::seconds(20);  // a driver takes its time
  leg.trial = std::move(trial);
  leg.canary = build_canary(kit, job, canary, sm);
  const files::FileLock device(gpu_lock());
  leg.judged = judge_on_device(kit, leg.trial, leg.canary);
  return leg;
}

void add_hidden_gpu_checks(const lab::Kit& kit, GpuLeg& leg) {
  const files::FileLock device(gpu_lock());
  const run::Trial hidden = run::hidden_of(leg.trial, leg.judged);
  run::add_hidden(leg.judged, judge_on_device(kit, hidden, leg.canary));
}

}  // namespace nibble::gpu
