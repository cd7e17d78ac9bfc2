// The roofline: how fast a kernel can be, as a function of how much it computes for each byte that
// it has to move. Both axes are logarithmic, so that a bandwidth is a straight slope.
//
//     GOPS |            ________ what the instructions allow
//          |          /    B
//          |        /
//          |      /  A              A, B: rungs
//          |    / what memory allows
//          +--------------------
//             operations per byte
#pragma once

#include <string>

#include "report/ladder.hpp"

namespace nibble::report {

/// What both drawings show: a range that holds every rung and the bend of every roof.
struct RooflineRange {
  double least_x = 1.0, most_x = 1.0;  ///< operations per byte, powers of two
  double least_y = 1.0, most_y = 1.0;  ///< GOPS
};

/// True when there is something to draw: a rung that computes and whose bytes are known.
bool has_roofline(const Ladder& ladder);

RooflineRange range_of(const Ladder& ladder);

/// In characters: digits are the slopes, - the roofs, letters the rungs (small: as published).
std::string roofline_text(const Ladder& ladder);

/// As a file of its own, on a light ground.
std::string roofline_svg(const Ladder& ladder);

}  // namespace nibble::report
