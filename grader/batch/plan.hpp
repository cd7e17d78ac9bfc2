// What is still to be graded: whatever was handed in and has no result of the same key.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "batch/key.hpp"
#include "batch/submissions.hpp"
#include "sandbox/box.hpp"

namespace nibble::batch {

/// One lab of one submission.
struct Grading {
  std::string id, lab;
};

/// Everything that a worker has to know.
struct Batch {
  std::filesystem::path grades;            ///< absolute
  std::map<std::string, LabOrder> orders;  ///< by lab
  sandbox::Boxes boxes{};                  ///< what compiles submissions, and what they run in
};

/// The clean copy of the file that is graded.
std::filesystem::path submitted_file(const std::filesystem::path& grades, const std::string& id,
                                     const lab::Lab& lab);

/// What was handed in, by id and lab: the clean copies that are there.
std::vector<Grading> handed_in(const Batch& batch, const std::vector<Delivery>& submissions);

struct Plan {
  std::vector<Grading> missing;     ///< no result, or one of another key
  std::vector<Grading> unmeasured;  ///< right, and its speed has not been measured
  std::size_t done = 0, of_another_key = 0;
};
Plan plan(const Batch& batch, const std::vector<Grading>& gradings);

}  // namespace nibble::batch
