// Grades on this machine, several at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "batch/plan.hpp"
#include "batch/store.hpp"
#include "lab/kit.hpp"

namespace nibble::batch {

struct Done {
  std::size_t graded = 0, faults = 0;
  bool interrupted = false;
};

struct Hands {
  unsigned workers = 1;
  bool with_speed = false;  ///< then one worker: neighbours would disturb it
  std::function<bool()> cancelled{};
};

/// Grades `gradings` and keeps each result as soon as it is there; a line for each goes to standard
/// output. A fault of the kit is kept as such, and the rest goes on. Throws
/// std::filesystem::filesystem_error when results cannot be written: those that are there stay.
Done grade_here(const lab::Kit& kit, const Batch& batch, const std::vector<Grading>& gradings,
                const Hands& hands, const Workplace& place);

}  // namespace nibble::batch
