// Cuts a starter out of a solution: the one source of both. Each mark stands alone on its line.
//
//     // NIBBLE-BEGIN-SOLUTION
//     return amax / 127.0f;                                   dropped
//     // NIBBLE-STUB: NIBBLE_TODO("the scale");               printed without its mark
//     // NIBBLE-END
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::lab {

/// Throws FormatError for marks that are nested, unclosed, or a stub outside of them.
std::string cut_starter(std::string_view solution);

/// The lines outside of all marks: every learner is given them.
std::string unmarked_part(std::string_view solution);

/// The marked parts of a solution, without their stubs: what must not stand anywhere else.
struct SolutionPart {
  int line = 0;  ///< of its first line
  std::vector<std::string> lines;
};
std::vector<SolutionPart> solution_regions(std::string_view solution);

}  // namespace nibble::lab
