// Where the answer lies and where it should: two points on a line. Integers stand on their grid.
//
//              got                         want
//     --+---+---o---+---+---+---+---+---+---o---+--
//     -33 -32 -31                             …
#pragma once

#include <string>
#include <string_view>

namespace nibble::report {

/// The drawing; empty when one of the two is no finite number, or both are the same.
std::string number_line(std::string_view got, std::string_view want);

}  // namespace nibble::report
