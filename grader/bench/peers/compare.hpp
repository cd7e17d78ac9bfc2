// Holds what a contender computed against the plain loops.
#pragma once

#include "peer.hpp"

namespace nibble::peers {

struct Comparison {
  double wrong = 0;     ///< share of the outputs that are not right
  bool checked = true;  ///< false: there is nothing to check
};

/// `sums` [m,n] are the exact sums of problem's product; null where the work is a conversion.
/// Where
/// `is_exact` is false, sums are float32: off by what rounding explains, and no more.
Comparison compare(const Problem& problem, Operation work, const std::int32_t* sums, bool is_exact,
                   const Output& output);

}  // namespace nibble::peers
