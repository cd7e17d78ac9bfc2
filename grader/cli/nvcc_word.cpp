#include "cli/nvcc_word.hpp"

#include "cli/children.hpp"
#include "cli/gpu_legs.hpp"
#include "cli/interrupt.hpp"
#include "gpu/compile_cubin.hpp"
#include "report/screen.hpp"

namespace nibble::cli {
namespace {

bool is_cuda(lab::LabKind kind) {
  return kind == lab::LabKind::kDevice || kind == lab::LabKind::kHost;
}

bool has_gpu_leg(const Context& context, const lab::Lab& lab) {
  return lab.kind == lab::LabKind::kDevice && why_no_gpu_leg(context).empty();
}

gpu::CubinJob job_of(const Context& context, const Attempt& attempt) {
  const MarkedLab& lab = *attempt.target.lab;
  gpu::CubinJob job;
  job.nvcc = context.kit.nvcc;
  job.source = attempt.source;
  job.name = lab.file();
  job.folders = context.kit.folders_for_nvcc(lab);
  job.system_folders = context.kit.nvcc_includes;
  job.work = std::filesystem::absolute(work_folder(context.kit, lab) / "nvcc");
  job.cancelled = was_interrupted;
  return job;
}

}  // namespace

std::string nvcc_word(const Context& context, const Attempt& attempt) {
  constexpr int kMostErrors = 8;
  const MarkedLab& lab = *attempt.target.lab;
  if (context.kit.nvcc.empty() || !is_cuda(lab.kind) || has_gpu_leg(context, lab)) return "";
  const gpu::BuiltCubin built = gpu::compile_cubin(job_of(context, attempt));
  if (built.ok || built.cancelled || built.timed_out || built.diagnostics.empty()) return "";
  return "nvcc refuses this file, which the engine runs; no GPU would get it:\n" +
         report::first_errors(built.diagnostics, kMostErrors);
}

}  // namespace nibble::cli
