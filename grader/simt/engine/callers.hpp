// Who called the function that an access stands in: std::min(s[i], s[j]) reads in a header, but the
// line to tell is the learner's.
#pragma once

#include <array>
#include <cstdint>

#include "nibble/simt/report.hpp"

namespace nibble::simt {

/// The callers of the function that `pc` is in, innermost first, from the frame pointers that -O0
/// keeps. 0s: nobody more.
std::array<std::uint64_t, kCallers> callers_of(const void* pc);

}  // namespace nibble::simt
