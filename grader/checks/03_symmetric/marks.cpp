// Lab 03: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_03_symmetric {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                        points  code        sentence of the contract
    {"symmetric_scale",      "AmaxOverQmax",                   8, "N-RANGE",  "scale = max |x| / qmax"},
    {"symmetric_scale",      "ScaleIsNeverZero",               8, "N-DIV0",   "1 for zeros and for nothing, and never below FLT_MIN"},
    {"symmetric_scale",      "RefusesWhatHasNoRange",          6, "N-NAN",    "NaN, infinity and widths outside 2..8 are refused"},
    {"quantize_with_scale",  "RoundsToNearest",                6, "N-SCALE",  "q is x / scale at the nearest integer"},
    {"quantize_with_scale",  "TiesGoToEven",                   6, "N-ROUND",  "ties go to the even neighbour"},
    {"quantize_with_scale",  "StaysOnTheGrid",                 8, "N-CLAMP",  "codes are clamped to [qmin, qmax], and qmin is one of them"},
    {"quantize_with_scale",  "TakesNanAndInfinity",            4, "N-NAN",    "NaN becomes 0, an infinity the end of its side"},
    {"quantize_with_scale",  "RefusesAnUnusableScale",         4, "N-DIV0",   "a scale that is not normal and > 0 is refused, widths too"},
    {"quantize_symmetric",   "FollowsTheFormula",              5, "N-RANGE",  "the scale of x, and x on that scale"},
    {"quantize_symmetric",   "EveryValueWithinHalfAStep",      6, "N-TAIL",   "no value is off by more, at any width and length"},
    {"quantize_symmetric",   "RefusesWhatHasNoRange",          4, "N-NAN",    "NaN, infinity and widths outside 2..8 are refused"},
    {"dequantize_symmetric", "MultipliesByTheScale",           4, "N-SCALE",  "real = scale * q"},
    {"dequantize_symmetric", "EveryCodeAndLength",             3, "N-TAIL",   "for every int8, at any length"},
    {"dequantize_symmetric", "RefusesAnUnusableScale",         3, "N-DIV0",   "a scale that is not normal and > 0 is refused"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("03_symmetric", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"symmetric_scale",      "EqualsTheReference",             5, "N-RANGE",  "on data nobody has seen"},
    {"quantize_with_scale",  "EqualsTheReference",             8, "N-SCALE",  "on data nobody has seen, within the range and outside"},
    {"quantize_symmetric",   "EqualsTheReference",             4, "N-RANGE",  "q and scale, on data nobody has seen"},
    {"quantize_symmetric",   "KeepsItsSymmetries",             4, "N-SCALE",  "-x gives -q, 2^20 x gives q, and twice gives once"},
    {"dequantize_symmetric", "EqualsTheReference",             4, "N-SCALE",  "on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_03_symmetric
