// Whether a file repeats lines of a solution, one after the other: what leaks.hpp asks of a page is
// too strict for code, where a check's definition and a solution may share a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::handout {

/// Lines that say something: comments, blanks, short lines and includes aside.
std::vector<std::string> telling_lines(std::string_view code);

/// So many telling lines in a row are a copy. A shorter solution is copied when all of it is there.
inline constexpr std::size_t kRunOfLines = 4;

/// Parts of solutions, to be looked for in many files.
class SolutionLines {
 public:
  /// A part of a solution of `lab`. Lines that every learner is given do not count.
  void add(const std::string& lab, std::string_view part, std::string_view given);

  /// "03_symmetric: from `…` on, 5 lines" for the first copy in `text`; empty when there is none.
  std::string copy_in(std::string_view text) const;

 private:
  struct Part {
    std::string lab;
    std::vector<std::string> lines;
  };
  std::vector<Part> parts_;
};

}  // namespace nibble::handout
