// The leg of compute-sanitizer: the GPU's child once more under each of its tools, with its
// complaints as values. What it says of a kernel is shown and kept; it decides no points.
//
//     wrapper = compute-sanitizer --tool memcheck -- child         stands where the child stood
//     judge(wrapper) -> verdict, whose checks keep what was printed -> complaints
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/compute_sanitizer.hpp"
#include "record/result.hpp"
#include "run/judging.hpp"

namespace nibble::gpu {

struct SanitizerLeg {
  std::optional<record::GpuSanitizer> seen;  ///< none: not run
  std::string why_not;                       ///< a sentence, when it was not run
  bool cancelled = false;
};

/// Judges `trial`, whose child launches on a GPU, under memcheck and racecheck, for 20 s each: what
/// is not looked at by then is left. The wrappers are written into `work`. An empty `sanitizer`:
/// none is installed.
SanitizerLeg run_sanitizer_leg(const lab::Kit& kit, run::Trial trial,
                               const std::filesystem::path& sanitizer,
                               const std::filesystem::path& work);

/// The complaints in what the checks of a verdict printed. `lab` tells which file is the learner's.
std::vector<record::GpuComplaint> complaints_in(const record::Verdict& verdict, Tool tool,
                                                const lab::Lab& lab);

}  // namespace nibble::gpu
