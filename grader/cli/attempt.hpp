// One attempt at a lab: the learner's file, run by the plan of legs that fits what was asked for.
// What `run`, `next` and `watch` share.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/context.hpp"
#include "cli/labs.hpp"
#include "lab/kit.hpp"
#include "legs/run_legs.hpp"

namespace nibble::cli {

/// What was asked for.
struct Order {
  using Leg = protocol::Leg;
  using Condition = legs::Condition;

  Target target;
  protocol::Terms terms{};  ///< a check, a case, a seed
  legs::Wanted legs{{Leg::kPlain, Condition::kAlways},
                    {Leg::kSanitizers, Condition::kWhenRightOrCrashed},
                    {Leg::kGpu, Condition::kWhenRight},
                    {Leg::kGpuSanitizer, Condition::kWhenRight},
                    {Leg::kSpeed, Condition::kWhenRight}};
  bool hidden = false;
  std::function<bool()> cancelled{};
};

/// What came of an order.
struct Attempt {
  Target target;
  bool whole = false;  ///< everything of the target was judged, so that it can count as passed
  std::string source;
  record::Result results;
};

/// Reads the learner's file, has it judged, and tells of each leg. Nothing: it was cancelled.
/// Throws Trouble.
std::optional<Attempt> attempt(const Context& context, const Order& order,
                               const std::function<void(const legs::Ran&)>& tell);

/// Where the results of a lab are kept.
std::filesystem::path results_file(const lab::Kit& kit, const std::string& lab);

/// The results of the last run of a lab, where there are any that can be read.
std::optional<record::Result> last_results(const lab::Kit& kit, const std::string& lab);

/// The first check of the last run that did not pass, of one exercise or of all.
std::optional<record::Check> last_failing(const lab::Kit& kit, const std::string& lab,
                                          const std::string& exercise = "");

}  // namespace nibble::cli
