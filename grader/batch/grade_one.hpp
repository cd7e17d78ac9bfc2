// One lab of one submission, from its text to its result.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "batch/key.hpp"
#include "compile/cache.hpp"
#include "lab/kit.hpp"
#include "record/result.hpp"
#include "sandbox/box.hpp"

namespace nibble::batch {

/// The batch was interrupted while this was graded: there is no result.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

struct Bench {
  const lab::Kit& kit;
  const compile::Cache& compiled;
  sandbox::Boxes boxes{};
  std::function<bool()> cancelled{};
};

/// Plain first; what passes it is looked at with sanitizers too; what passes all and is paid for
/// speed is measured, when `with_speed`. `work`: a folder of this grading's own. Throws
/// std::runtime_error when the kit, not the submission, is at fault.
record::Result grade_one(const Bench& bench, const LabOrder& order, const std::string& source,
                         bool with_speed, const std::filesystem::path& work);

}  // namespace nibble::batch
