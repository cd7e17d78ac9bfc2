// One line to a student about one lab: the points, then what was lost, by lateness first.
#pragma once

#include <string>

#include "export/class.hpp"

namespace nibble::gradebook {

/// "72/100; want 8 scales, got 4 (N-AXIS); 3 of 40 codes differ (N-ROUND)".
std::string feedback_line(const Graded& one, int possible);

}  // namespace nibble::gradebook
