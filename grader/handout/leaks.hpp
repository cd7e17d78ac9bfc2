// Whether a text that learners read gives a solution away.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/cut.hpp"

namespace nibble::handout {

/// Shorter lines, such as `return real;`, give nothing away.
inline constexpr std::size_t kLeastLine = 12;
/// Names, numbers and signs in a row: shorter runs are the language's, not the solution's. The
/// longest that is: std::numeric_limits<double>::infinity() has 13.
inline constexpr std::size_t kRunOfTokens = 14;

/// Each line of `text` that is a line of the solution, blanks aside, and each run of tokens that
/// the solution's code has too. Comments of the solution do not count; nor does code that is also
/// in `given`, what every learner is given (the contract, the unmarked part of the solution).
std::vector<std::string> leaks(const std::vector<lab::SolutionPart>& regions, std::string_view text,
                               std::string_view given = "");

}  // namespace nibble::handout
