// Lab 09: the mark scheme. 75 points public, 25 hidden.
#pragma once

#include "judge/marks.hpp"

namespace nibble::judge::lab_09_fake_quant {

// clang-format off
inline constexpr Mark marks[] = {
    // exercise        check                   points  code         sentence of the contract
    {"sum_of_steps", "FollowsTheFormula",        35, "N-FORMULA", "the sum of q[i] - zero_point"},
    {"sum_of_steps", "HoldsAtAnyLength",         20, "N-FORMULA", "of any number of codes"},
    {"sum_of_steps", "RefusesWhatDoesNotFit",    20, "N-RANGE",   "a zero point that is no int8 is refused, too many codes too"},
};
// clang-format on
static_assert(total_points(marks) == 75);
inline const bool registered = register_marks("09_fake_quant", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
inline constexpr Mark hidden_marks[] = {
    {"sum_of_steps", "EqualsTheReference",       25, "N-FORMULA", "on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
inline const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_09_fake_quant
