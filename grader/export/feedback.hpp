// One line to a student about one lab: the points, then what was lost.
#pragma once

#include <string>

#include "record/result.hpp"

namespace nibble::gradebook {

/// "72/100; want 8 scales, got 4 (N-AXIS); 3 of 40 codes differ (N-ROUND)".
std::string feedback_line(const record::Result& results, int possible);

}  // namespace nibble::gradebook
