// The time that a submission has as a whole, for all its compilations and runs: what is left of it
// for this judge. It is charged all that this judge does,
// but for the calls of the published solution.
#pragma once

#include <chrono>

#include "judge/failure.hpp"

namespace nibble::judge {

struct BudgetLeft {
  std::chrono::milliseconds whole{0};  ///< 0: nobody limits it
  std::chrono::milliseconds left{0};   ///< when this judge began
};

/// From now on.
void begin_budget(const BudgetLeft& budget);

/// The end of it, as it stands now.
std::chrono::steady_clock::time_point budget_ends();
bool budget_is_used_up();

/// So long the running check has waited for the submission.
void note_waited(std::chrono::nanoseconds waited);

/// So long the published solution took: the submission is not charged for it.
void give_back(std::chrono::nanoseconds taken);

/// What is said of a check that is not run any more, or is not run to its end: how much there was,
/// and what has used it.
Failure used_up();

}  // namespace nibble::judge
