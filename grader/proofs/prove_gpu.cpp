// Launches the published and the other right kernels on the GPU of this machine. Every value must
// be right there too, and compute-sanitizer, where it is installed, must have nothing to say.
#include <fmt/format.h>

#include "files/files.hpp"
#include "gpu/compute_sanitizer.hpp"
#include "gpu/gpu_here.hpp"
#include "gpu/gpu_leg.hpp"
#include "gpu/sanitizer_leg.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using Faults = std::vector<std::string>;

/// One right solution, and what was wrong with it on the GPU.
struct LaunchedSolution {
  const ProvenLab* lab;
  fs::path file;
  Faults faults{}, complaints{};
};

/// A tool slows a kernel down a hundredfold.
constexpr std::chrono::seconds kUnderATool(120);

Faults faults_of(const gpu::GpuLeg& leg) {
  if (!leg.why_not.empty()) return {leg.why_not};
  if (!leg.diagnostics.empty()) return {"does not compile: " + leg.diagnostics.substr(0, 600)};
  if (!leg.judged.has_verdict()) return {leg.judged.message};
  Faults faults;
  for (const record::Check& check : failed_checks(leg.judged.verdict)) {
    if (check.status == record::CheckStatus::kSkip) continue;  // what the engine counts
    faults.push_back(fmt::format("{} {}: {}  seed {}", check.name(), name_of(check.status),
                                 check.message, leg.judged.verdict.seed));
  }
  return faults;
}

/// Every check once more under each tool.
Faults complaints_of(const lab::Kit& kit, const gpu::GpuLeg& leg, const fs::path& work) {
  run::Trial trial = leg.trial;
  trial.terms.leg = protocol::Leg::kGpuSanitizer;
  trial.terms.seed = leg.judged.verdict.seed;
  trial.terms.cpu_limit = trial.terms.wall_limit = kUnderATool;
  const gpu::SanitizerLeg seen =
      gpu::run_sanitizer_leg(kit, trial, gpu::find_compute_sanitizer(kit.nvcc), work);
  if (!seen.seen) return {seen.why_not};
  Faults complaints;
  for (const record::GpuComplaint& one : seen.seen->complaints) {
    complaints.push_back(fmt::format("{} of {}: {} in {}, {} times", one.tool, one.check, one.what,
                                     one.kernel, one.times));
  }
  return complaints;
}

void try_on_gpu(Workbench& bench, LaunchedSolution& one) {
  const lab::Lab& lab = one.lab->files.lab;
  const gpu::GpuJob job{lab, files::read_file(one.file), bench.fresh_folder()};
  run::Trial trial;
  trial.terms.lab = lab.name;
  trial.terms.salt = bench.options().terms.salt;
  trial.terms.seed = bench.options().terms.seed;
  gpu::GpuLeg leg = gpu::run_gpu_leg(bench.kit(), job, trial);
  one.faults = faults_of(leg);
  if (!one.faults.empty()) return;
  gpu::add_hidden_gpu_checks(bench.kit(), leg);
  one.faults = faults_of(leg);
  one.complaints = complaints_of(bench.kit(), leg, job.work);
}

std::vector<LaunchedSolution> right_kernels(const std::vector<ProvenLab>& labs) {
  std::vector<LaunchedSolution> all;
  for (const ProvenLab& lab : labs) {
    if (lab.files.lab.kind != lab::LabKind::kDevice) continue;
    all.push_back({&lab, lab.files.solution});
    for (const fs::path& file : lab.files.alternatives) all.push_back({&lab, file});
  }
  return all;
}

}  // namespace

std::vector<Proof> prove_gpu(Workbench& bench, const std::vector<ProvenLab>& labs) {
  std::vector<LaunchedSolution> all = right_kernels(labs);
  parallel("kernels on the GPU", all.size(), bench.options().workers, [&](std::size_t i) {
    try {
      try_on_gpu(bench, all[i]);
    } catch (const std::exception& error) {
      all[i].faults.emplace_back(error.what());
    }
  });
  Proof values{"right kernels are right on the GPU"}, accesses{"compute-sanitizer is silent"};
  values.remark = gpu::gpu_line(bench.kit().nvcc);
  for (LaunchedSolution& one : all) {
    const std::string name = fmt::format("{}/{}: ", one.lab->name(), one.file.filename().string());
    for (std::string& fault : one.faults) fault = name + fault;
    for (std::string& complaint : one.complaints) complaint = name + complaint;
    values.count(one.faults);
    if (one.faults.empty()) accesses.count(one.complaints);
  }
  return {values, accesses};
}

}  // namespace nibble::proofs
