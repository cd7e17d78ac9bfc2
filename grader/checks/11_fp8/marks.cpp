// Lab 11: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_11_fp8 {

// clang-format off
constexpr Mark marks[] = {
    // exercise        check                     points  code         sentence of the contract
    {"float_to_e4m3", "RoundsToNearest",            3, "N-FORMULA", "the nearest E4M3, with the sign of x"},
    {"float_to_e4m3", "TiesGoToEven",               3, "N-ROUND",   "of two that are equally near, the one whose last bit is 0"},
    {"float_to_e4m3", "CarriesIntoTheExponent",     2, "N-CARRY",   "15.75 becomes 16"},
    {"float_to_e4m3", "KeepsSubnormals",            3, "N-FORMULA", "below 2^-6 numbers are 2^-9 apart, all the way down to 0"},
    {"float_to_e4m3", "SaturatesAt448",             3, "N-CLAMP",   "with kSaturate what is beyond 464 becomes 448, infinity too"},
    {"float_to_e4m3", "OverflowsBeyond464",         3, "N-INF",     "with kNonFinite what is beyond 464 becomes NaN; 464 becomes 448"},
    {"float_to_e4m3", "KeepsNan",                   2, "N-NAN",     "a NaN becomes 7F, or FF where its sign is set, with either"},
    {"float_to_e4m3", "EveryTieAndBothSides",       2, "N-FORMULA", "each of 254 ties, and the floats on both sides of it"},
    {"e4m3_to_float", "NormalNumbers",              3, "N-FORMULA", "(8 + fraction) * 2^(exponent - 10); 0 keeps its sign"},
    {"e4m3_to_float", "SubnormalNumbers",           2, "N-FLUSH",   "fraction * 2^-9"},
    {"e4m3_to_float", "HasNoInfinity",              2, "N-NAN",     "78 to 7E are 256 to 448; 7F and FF alone are NaN"},
    {"e4m3_to_float", "EveryCode",                  1, "N-FORMULA", "all 256 codes"},
    {"float_to_e5m2", "RoundsToNearest",            2, "N-FORMULA", "the nearest E5M2, with the sign of x"},
    {"float_to_e5m2", "TiesGoToEven",               2, "N-ROUND",   "of two that are equally near, the one whose last bit is 0"},
    {"float_to_e5m2", "KeepsSubnormals",            2, "N-FORMULA", "below 2^-14 numbers are 2^-16 apart, all the way down to 0"},
    {"float_to_e5m2", "SaturatesAt57344",           2, "N-CLAMP",   "with kSaturate what is from 61440 on becomes 57344, infinity too"},
    {"float_to_e5m2", "OverflowsAt61440",           2, "N-INF",     "with kNonFinite what is from 61440 on becomes infinity"},
    {"float_to_e5m2", "KeepsNan",                   1, "N-NAN",     "a NaN becomes 7E, or FE where its sign is set, with either"},
    {"float_to_e5m2", "EveryTieAndBothSides",       1, "N-FORMULA", "each of 248 ties, and the floats on both sides of it"},
    {"e5m2_to_float", "NormalNumbers",              1, "N-FORMULA", "(4 + fraction) * 2^(exponent - 17); 0 keeps its sign"},
    {"e5m2_to_float", "SubnormalNumbers",           1, "N-FLUSH",   "fraction * 2^-16"},
    {"e5m2_to_float", "InfinityAndNan",             1, "N-NAN",     "7C and FC are infinite; 7D to 7F and FD to FF are NaN"},
    {"e5m2_to_float", "EveryCode",                  1, "N-FORMULA", "all 256 codes"},
    {"quantize_fp8",  "FollowsTheFormula",          4, "N-FORMULA", "scale = amax / 448, codes[i] = encode(x[i] / scale)"},
    {"quantize_fp8",  "EachFormatHasItsRange",      2, "N-FORMULA", "448 in E4M3, 57344 in E5M2"},
    {"quantize_fp8",  "OneByOneInFloat32",          3, "N-FORMULA", "each division is one of float32: no product with an inverse"},
    {"quantize_fp8",  "ZerosAndTinyValues",         3, "N-FORMULA", "zeros, or nothing: scale 1; a scale below FLT_MIN is raised to it"},
    {"quantize_fp8",  "RefusesWhatIsNotFinite",     2, "N-NAN",     "every x[i] finite"},
    {"quantize_mx",   "FollowsTheFormula",          4, "N-FORMULA", "scales[b] = e - top + 127, code[j] = encode(v[j] / 2^(scales[b] - 127))"},
    {"quantize_mx",   "TakesTheWholeExponent",      3, "N-SCALE",   "2^e <= max |v[j]| < 2^(e + 1), exactly"},
    {"quantize_mx",   "SaturatesTheLargest",        2, "N-CLAMP",   "from 464, or 61440, steps on the largest saturates"},
    {"quantize_mx",   "EveryBlockByItself",         3, "N-FORMULA", "blocks of 32 values, of which the last may be shorter"},
    {"quantize_mx",   "ZerosAndTinyValues",         2, "N-FORMULA", "at least 0, which stands for 2^-127; zeros have it"},
    {"quantize_mx",   "RefusesWhatIsNotFinite",     2, "N-NAN",     "every x[i] finite"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("11_fp8", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"float_to_e4m3", "EqualsTheReference",         6, "N-FORMULA", "on floats nobody has seen"},
    {"e4m3_to_float", "EqualsTheReference",         2, "N-FORMULA", "all codes, in an order nobody has seen"},
    {"float_to_e5m2", "EqualsTheReference",         4, "N-FORMULA", "on floats nobody has seen"},
    {"e5m2_to_float", "EqualsTheReference",         1, "N-FORMULA", "all codes, in an order nobody has seen"},
    {"quantize_fp8",  "EqualsTheReference",         5, "N-FORMULA", "on tensors nobody has seen"},
    {"quantize_mx",   "EqualsTheReference",         7, "N-FORMULA", "on tensors nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_11_fp8
