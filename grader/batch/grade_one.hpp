// One lab of one submission, from its text to its result.
#pragma once

#include <stdexcept>
#include <string>

#include "batch/key.hpp"
#include "legs/run_legs.hpp"
#include "record/result.hpp"

namespace nibble::batch {

/// The batch was interrupted while this was graded: there is no result.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Plain first; what passes it is looked at with sanitizers too; what passes all and is paid for
/// speed is measured, when `with_speed`. Throws std::runtime_error when the kit, not the
/// submission, is at fault.
record::Result grade_one(const legs::Bench& bench, const LabOrder& order, const std::string& source,
                         bool with_speed);

}  // namespace nibble::batch
