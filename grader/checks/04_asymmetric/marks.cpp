// Lab 04: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_04_asymmetric {

// clang-format off
constexpr Mark marks[] = {
    // exercise                   check                        points  code          sentence of the contract
    {"asymmetric_parameters",    "SpreadsTheCodes",                6, "N-RANGE",    "scale = (hi - lo) / qmax, zero_point = -round(lo / scale)"},
    {"asymmetric_parameters",    "WidensTheRangeToZero",           7, "N-ZERO",     "kIncludeZero: the range is widened until 0 is inside"},
    {"asymmetric_parameters",    "FullRangeKeepsTheFineStep",      5, "N-RANGE",    "kFullRange: no widening, zero_point may lie outside the codes"},
    {"asymmetric_parameters",    "ConstantsIncludeZero",           3, "N-CONST",    "all values equal: as kIncludeZero"},
    {"asymmetric_parameters",    "CoversTheData",                  4, "N-RANGE",    "code 0 stands for lo, qmax for hi, at any width"},
    {"asymmetric_parameters",    "ScaleIsNeverZero",               4, "N-DIV0",     "1 for zeros and for nothing, and never below FLT_MIN"},
    {"asymmetric_parameters",    "HugeAndNarrowRanges",            3, "N-OVERFLOW", "hi - lo does not overflow, zero_point stays within 2^24"},
    {"asymmetric_parameters",    "RefusesWhatHasNoRange",          3, "N-NAN",      "NaN, infinity and widths outside 2..8 are refused"},
    {"quantize_with_parameters", "RoundsToNearest",                3, "N-SCALE",    "x / scale, at the nearest integer"},
    {"quantize_with_parameters", "AddsTheZeroPoint",               4, "N-ZP-SIGN",  "plus zero_point, however far out that is"},
    {"quantize_with_parameters", "TiesGoToEven",                   3, "N-ROUND",    "ties go to even, before the zero point is added"},
    {"quantize_with_parameters", "StaysOnTheGrid",                 4, "N-CLAMP",    "codes are clamped to [0, qmax]"},
    {"quantize_with_parameters", "TakesNanAndInfinity",            2, "N-NAN",      "NaN becomes clamp(zero_point), an infinity the end of its side"},
    {"quantize_with_parameters", "RefusesUnusableParameters",      2, "N-DIV0",     "scale, zero_point and num_bits have limits"},
    {"quantize_asymmetric",      "FollowsTheFormula",              4, "N-RANGE",    "the parameters of x, and x with these parameters"},
    {"quantize_asymmetric",      "EveryValueWithinHalfAStep",      4, "N-TAIL",     "no value is off by more, at any width and length"},
    {"quantize_asymmetric",      "RealZeroIsExact",                3, "N-ZERO",     "kIncludeZero: real 0 is exactly one of the codes"},
    {"quantize_asymmetric",      "RefusesWhatHasNoRange",          2, "N-NAN",      "NaN, infinity and widths outside 2..8 are refused"},
    {"dequantize_asymmetric",    "SubtractsTheZeroPoint",          4, "N-SCALE",    "real = scale * (q - zero_point), the difference in int32"},
    {"dequantize_asymmetric",    "EveryCodeAndLength",             3, "N-TAIL",     "for every uint8, at any length"},
    {"dequantize_asymmetric",    "RefusesUnusableParameters",      2, "N-DIV0",     "scale and zero_point have limits"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("04_asymmetric", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"asymmetric_parameters",    "EqualsTheReference",             7, "N-RANGE",    "on data nobody has seen"},
    {"quantize_with_parameters", "EqualsTheReference",             6, "N-SCALE",    "on data nobody has seen, within the range and outside"},
    {"quantize_asymmetric",      "EqualsTheReference",             4, "N-RANGE",    "codes and parameters, on data nobody has seen"},
    {"quantize_asymmetric",      "KeepsItsSymmetries",             4, "N-SCALE",    "2^20 x gives q, and the order of x is that of q"},
    {"dequantize_asymmetric",    "EqualsTheReference",             4, "N-SCALE",    "on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_04_asymmetric
