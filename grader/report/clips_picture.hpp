// Where calibrators cut: a histogram of magnitudes, with a mark for each clip.
//
//      3.8   2403|#############################
//      4.4   1094|##########################                     <- 99 %  <- MSE, 4 bits
#pragma once

#include <string>

#include "record/picture.hpp"

namespace nibble::report {

/// Bars are as long as the logarithm of their count. A clip beyond the histogram stands below it.
std::string clips_text(const record::Clips& clips);
std::string clips_svg(const record::Clips& clips);

}  // namespace nibble::report
