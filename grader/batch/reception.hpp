// Takes in what was handed in: a clean copy of the named source files of each submission.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batch/submissions.hpp"
#include "lab/kit.hpp"

namespace nibble::batch {

/// Makes GRADES/<id> for each. Throws std::invalid_argument when two of them are one and the same.
void make_folders(const std::filesystem::path& grades, const std::vector<Delivery>& submissions);

/// What was not taken into `from`, and why, is true of what is graded again, too.
void copy_refusals(const std::filesystem::path& from, const std::filesystem::path& to,
                   const std::vector<Delivery>& submissions);

/// Fills GRADES/<id>/submitted anew with those of `labs` that it brings, and writes them into
/// GRADES/<id>/intake.json; other labs stay as they are. A result whose file is not taken any more
/// goes to GRADES/<id>/earlier. Returns a line for each file that was not taken; one that was not
/// handed in is no line. GRADES/<id> is there.
std::vector<std::string> receive(const lab::Kit& kit, const Delivery& submission,
                                 const std::vector<lab::Lab>& labs,
                                 const std::filesystem::path& grades,
                                 const std::filesystem::path& work);

}  // namespace nibble::batch
