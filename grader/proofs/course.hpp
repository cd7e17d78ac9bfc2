// docs/course.svg: which lab stands on which, drawn from the labs' own words.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

/// A lab on the map of the course.
struct CourseStep {
  std::string name;                 ///< "05_per_channel"
  std::string part;                 ///< "A Foundations"
  std::vector<std::string> before;  ///< numbers of the labs that it stands on, such as "03"
};

/// The labs that a lab's README names in its row "You know already": their numbers, each once.
/// Throws FormatError when the README has no such row.
std::vector<std::string> known_already(std::string_view readme);

/// All labs below `top`, in the order of their numbers.
/// Throws std::runtime_error for one that stands on a lab that is not there or comes later.
std::vector<CourseStep> read_course(const std::filesystem::path& top);

/// The map: a band for each part; a line from each lab to those of its part that stand on it;
/// labs of other parts are named.
std::string draw_course(const std::vector<CourseStep>& course);

}  // namespace nibble::proofs
