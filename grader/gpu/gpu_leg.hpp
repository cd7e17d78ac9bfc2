// A submission's kernels on the GPU of this machine: compiled, judged there, and the GPU looked at
// afterwards. One at a time: whoever launches waits for the others.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "lab/kit.hpp"
#include "run/judging.hpp"
#include "sandbox/box.hpp"

namespace nibble::gpu {

struct GpuJob {
  lab::Lab lab;
  std::string source;          ///< the text of name.cu
  std::filesystem::path work;  ///< a folder of this job's own
  sandbox::Boxes boxes{};      ///< what compiles it, and what it runs in
  std::function<bool()> cancelled{};
};

struct GpuLeg {
  run::Judged judged{run::Judged::Outcome::kVerdict, {}, {}};
  std::filesystem::path executable{};  ///< the child that was judged
  std::filesystem::path canary{};      ///< kernels that are known to be right; empty: none
  run::Trial trial{};                  ///< as it was judged
  std::string why_not{};               ///< this machine cannot: a sentence
  std::string diagnostics{};           ///< not empty: it does not compile for this GPU
};

/// `trial` says what to judge; child, boxes and limits are filled in. A kernel that was stopped may
/// leave the GPU unusable for those that follow: `canary`, the text of kernels that are known to be
/// right, is then launched as well, and the submission once more when it fails. Empty: nothing is
/// launched. When the canary fails again, the outcome is kKitError.
GpuLeg run_gpu_leg(const lab::Kit& kit, const GpuJob& job, run::Trial trial,
                   const std::string& canary = "");

/// Adds the hidden checks of what run_gpu_leg() has judged:
/// the last thing that is run of a submission.
void add_hidden_gpu_checks(const lab::Kit& kit, GpuLeg& leg);

}  // namespace nibble::gpu
