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

/// Fills GRADES/<id>/submitted anew and writes GRADES/<id>/intake.json. Returns a line for each
/// file that was not taken; one that was not handed in is no line. GRADES/<id> is there.
std::vector<std::string> receive(const lab::Kit& kit, const Delivery& submission,
                                 const std::vector<lab::Lab>& labs,
                                 const std::filesystem::path& grades,
                                 const std::filesystem::path& work);

}  // namespace nibble::batch
