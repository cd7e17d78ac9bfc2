// Lab 06: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

// clang-format off
constexpr Mark marks[] = {
    // exercise                 check                      points  code           sentence of the contract
    {"quantized_matmul",        "EmptySumIsZero",               2, "N-UNWRITTEN", "every c[i,j] is written, and an empty sum is 0"},
    {"quantized_matmul",        "FollowsTheFormula",            5, "N-LAYOUT",    "a [m,k], b [k,n], c [m,n], row-major"},
    {"quantized_matmul",        "SubtractsBothZeroPoints",      5, "N-ZERO",      "(a - a_zero_point) * (b - b_zero_point)"},
    {"quantized_matmul",        "SumsAreExact",                 4, "N-OVERFLOW",  "the sum is exact in int32, up to the longest k"},
    {"quantized_matmul",        "EveryShape",                   4, "N-TAIL",      "any m, n and k"},
    {"quantized_matmul",        "RefusesUnsafeSums",            2, "N-OVERFLOW",  "k * reach * reach <= 2^31 - 1, whatever the data"},
    {"quantized_matmul",        "RefusesWrongSizes",            2, "N-SIZE",      "spans fit the shape, zero points are codes"},
    {"apply_zero_points",       "CombinesTheFourTerms",         4, "N-ZERO",      "raw - zb * row_sums - za * column_sums + k * za * zb"},
    {"apply_zero_points",       "OnlyTheResultHasToFit",        3, "N-OVERFLOW",  "each correction may be too large for int32"},
    {"apply_zero_points",       "RefusesWhatDoesNotFit",        2, "N-OVERFLOW",  "every c[i,j] within int32"},
    {"quantized_matmul_float",  "ScalesEachColumn",             4, "N-SCALE",     "float(acc) * (a_scale * b_scales[j])"},
    {"quantized_matmul_float",  "AddsTheBiasLast",              3, "N-BIAS",      "+ bias[j], a real number"},
    {"quantized_matmul_float",  "SumsBeforeItScales",           2, "N-FLOAT32",   "acc is exact: the sum is an integer"},
    {"quantized_matmul_float",  "RefusesBadScales",             2, "N-DIV0",      "scales and their products are normal and > 0"},
    {"quantize_bias",           "DividesByBothScales",          2, "N-SCALE",     "bias[j] / (a_scale * b_scales[j])"},
    {"quantize_bias",           "TiesGoToEven",                 2, "N-ROUND",     "the nearest integer, ties to even"},
    {"quantize_bias",           "Saturates",                    2, "N-CLAMP",     "a bias too large for int32 saturates"},
    {"quantize_bias",           "RefusesBadScales",             1, "N-DIV0",      "scales and their products are normal and > 0"},
    {"quantized_matmul_int8",   "Requantizes",                  3, "N-SCALE",     "float(acc) * ((a_scale * b_scales[j]) / c_scale)"},
    {"quantized_matmul_int8",   "RoundsThenAddsTheZeroPoint",   2, "N-ROUND",     "round(v) + c_zero_point, ties to even"},
    {"quantized_matmul_int8",   "Saturates",                    2, "N-CLAMP",     "clamped to [-128, 127], last"},
    {"quantized_matmul_int8",   "AddsTheBiasFirst",             2, "N-BIAS",      "acc + bias[j], exact, before the scale"},
    {"quantized_matmul_int8",   "RefusesBadScales",             2, "N-DIV0",      "c_scale and the multiplier are normal and > 0"},
    {"quantized_linear",        "GoesFromCodesToCodes",         4, "N-SCALE",     "(x - x_zero_point) * w, times (x_scale * w_scales[j]) / y_scale"},
    {"quantized_linear",        "CodesAreUnsigned",             3, "N-SIGN",      "x and y are codes from 0 to 255"},
    {"quantized_linear",        "AddsTheBias",                  2, "N-BIAS",      "the bias in the unit of the sums, as quantize_bias makes it"},
    {"quantized_linear",        "Saturates",                    2, "N-CLAMP",     "clamped to [0, 255], last"},
    {"quantized_linear",        "RefusesBadLayers",             2, "N-RANGE",     "zero points in [0, 255], sizes and scales that fit"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("06_quantized_matmul", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"quantized_matmul",        "EqualsTheReference",           7, "",            "c, on data and sizes nobody has seen"},
    {"apply_zero_points",       "EqualsTheDirectProduct",       4, "",            "the same as subtracting first"},
    {"quantized_matmul_float",  "EqualsTheReference",           3, "",            "c, on data nobody has seen"},
    {"quantize_bias",           "EqualsTheReference",           2, "",            "q, on data nobody has seen"},
    {"quantized_matmul_int8",   "EqualsTheReference",           4, "",            "c, on data nobody has seen"},
    {"quantized_linear",        "EqualsTheReference",           5, "",            "y, on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_06_quantized_matmul
