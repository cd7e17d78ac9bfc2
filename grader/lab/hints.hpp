// The hints of a lab: for each exercise three levels, from a question to nearly the code.
//
//     ## quantize_symmetric
//     ### 1 where to look
//     when: N-ROUND                       optional: the diagnosis this one answers
//     What does your code make of 2.5?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::lab {

struct Hint {
  std::string exercise;
  int level = 0;     ///< 1..3
  std::string when;  ///< N-CODE, or empty
  std::string text;
  int line = 0;  ///< of its heading
};

/// Throws FormatError for a level outside 1..3, a hint without an exercise, or without words.
std::vector<Hint> parse_hints(std::string_view markdown);

/// What is wrong with the hints of these exercises: a level missing, an exercise unknown.
std::vector<std::string> gaps_in_hints(const std::vector<Hint>& hints,
                                       const std::vector<std::string>& exercises);

}  // namespace nibble::lab
