// Carries out a plan of legs: of each, how its child is made, how it is judged, and what it adds to
// the results.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "compile/cache.hpp"
#include "gpu/gpu_legs.hpp"
#include "lab/kit.hpp"
#include "legs/plan.hpp"
#include "record/result.hpp"
#include "sandbox/box.hpp"

namespace nibble::legs {

/// Where a submission is run, and with what.
struct Bench {
  const lab::Kit& kit;
  const compile::Cache& compiled;
  std::filesystem::path work;  ///< a folder of this submission's own, made where it is not there
  sandbox::Boxes boxes{};
  std::function<bool()> cancelled{};
  gpu::GpuLegs gpu{};
  std::string why_no_gpu{};  ///< known beforehand; empty: the leg itself finds out
  bool is_graded = false;    ///< a grade follows: nothing that this machine lacks is passed over
};

/// What was run just now.
struct Ran {
  protocol::Leg leg;
  bool first = false, hidden = false;
  double seconds = 0.0;            ///< with its compilation
  double run_seconds = 0.0;        ///< of the first: of its judge alone
  compile::Built child{};          ///< of the first: what it was judged with
  std::string gpu_diagnostics{};   ///< nvcc does not compile what the host's compiler does
  bool sanitizers_follow = false;  ///< of the first
  const record::Result& results;   ///< so far
};

/// Nothing of what was asked for is there to be judged.
struct NothingToJudge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Nothing when it was cancelled. Throws NothingToJudge; std::runtime_error when the kit, not the
/// submission, is at fault. `scheme`: of the plan's lab; `source`: the text of the submission.
std::optional<record::Result> run_legs(const Bench& bench, const LegPlan& plan,
                                       const record::Scheme& scheme, const std::string& source,
                                       const std::function<void(const Ran&)>& tell = {});

}  // namespace nibble::legs
