// Lab 15: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_15_cpu_simd {

// clang-format off
constexpr Mark marks[] = {
    // exercise                check                       points  code           sentence of the contract
    {"best_isa",               "TakesTheFastest",              2, "N-ISA",       "the fastest of the set, in the order of kKernelIsas"},
    {"best_isa",               "StopsAtTheCap",                1, "N-ISA",       "none beyond cap; amx_int8 as cap is no limit"},
    {"best_isa",               "RefusesWhatItMust",            1, "N-ISA",       "a set without a kernel, unknown bits and caps are refused"},
    {"saturating_pair",        "FindsAWrongPair",              2, "N-OVERFLOW",  "any u with pair != exact"},
    {"saturating_pair",        "RefusesSafeWeights",           1, "N-RANGE",     "weights that no activations saturate are refused"},
    {"dot",                    "FollowsTheFormula",            1, "N-FORMULA",   "the sum over i of a[i] * b[i]; an empty one is 0"},
    {"dot",                    "NoPairSaturates",              2, "N-OVERFLOW",  "exact for every int8, -128 among them"},
    {"dot",                    "EveryLength",                  2, "N-TAIL",      "any length, and not a byte behind the ends is read"},
    {"dot",                    "ExactUpToTheLongest",          2, "N-OVERFLOW",  "exact in int32, up to 131071 codes"},
    {"dot",                    "RefusesWhatItMust",            1, "N-ISA",       "sizes that differ, too many codes, an isa that is not here"},
    {"pack_b",                 "QuadsOfOnePanel",              2, "N-LAYOUT",    "four codes of one column, neighbours in k, lie together"},
    {"pack_b",                 "PanelAfterPanel",              1, "N-LAYOUT",    "panel j / w begins (j / w) * (w * K) behind the sums"},
    {"pack_b",                 "SumsOfColumns",                2, "N-SIGN",      "sums[j] = sum over p of b_t[j,p]"},
    {"pack_b",                 "PadsWithZeros",                1, "N-TAIL",      "where j >= n or p >= k there is a 0"},
    {"pack_b",                 "RefusesWhatItMust",            1, "N-SIZE",      "sizes that fit, k <= 131071, an isa that is here"},
    {"multiply_packed",        "EmptySumIsZero",               1, "N-UNWRITTEN", "every element of c is written; with k = 0 it is 0"},
    {"multiply_packed",        "FollowsTheFormula",            1, "N-LAYOUT",    "c[i,j] = sum over p of a[i,p] * b_t[j,p]"},
    {"multiply_packed",        "ExactForEveryCode",            2, "N-OVERFLOW",  "exact for every int8, up to the longest k"},
    {"multiply_packed",        "EveryTail",                    4, "N-TAIL",      "any m, n and k"},
    {"multiply_packed",        "LargeProducts",                2, "N-LAYOUT",    "any m, n and k, beyond every block"},
    {"multiply_packed",        "RefusesWhatItMust",            1, "N-SIZE",      "sizes that fit, k <= 131071, an isa that is here"},
    {"multiply_packed",        "Speed",                        9, "N-SLOW",      "at least 0.75 times the speed of the published solution", When::kSpeed},
    {"multiply_packed_fused",  "ScalesAndShiftsEachColumn",    1, "N-SCALE",     "float(acc) * scale[j] + bias[j]"},
    {"multiply_packed_fused",  "RoundsTwice",                  1, "N-ROUND",     "rounded after *, again after +"},
    {"multiply_packed_fused",  "ClipsAtZero",                  1, "N-CLAMP",     "v > 0 ? v : 0"},
    {"multiply_packed_fused",  "EveryTail",                    1, "N-TAIL",      "any m, n and k"},
    {"multiply_packed_fused",  "RefusesWhatItMust",            1, "N-SIZE",      "n finite scales and biases, besides the rest"},
    {"multiply_packed_fused",  "Speed",                        0, "N-SLOW",      "as fast as the published solution", When::kSpeed},
    {"quantize",               "RoundsToNearest",              1, "N-SCALE",     "x / scale at the nearest integer"},
    {"quantize",               "TiesGoToEven",                 1, "N-ROUND",     "round() sends ties to the even neighbour"},
    {"quantize",               "RoundsTheQuotient",            1, "N-ROUND",     "the quotient is that of a float32 division"},
    {"quantize",               "StaysOnTheGrid",               1, "N-CLAMP",     "clamped to [-128, 127]"},
    {"quantize",               "TakesNanAndInfinity",          1, "N-NAN",       "a NaN becomes 0, +Inf 127, -Inf -128"},
    {"quantize",               "EveryLength",                  1, "N-TAIL",      "any length"},
    {"quantize",               "RefusesWhatItMust",            1, "N-DIV0",      "scale normal and > 0, sizes that agree"},
    {"quantize",               "Speed",                        4, "N-SLOW",      "at least 0.18 times the speed of the published solution", When::kSpeed},
    {"dequantize",             "MultipliesByTheScale",         1, "N-SCALE",     "scale * float(q[i]), which may be infinite"},
    {"dequantize",             "EveryLength",                  1, "N-TAIL",      "any length"},
    {"dequantize",             "RefusesWhatItMust",            1, "N-DIV0",      "scale normal and > 0, sizes that agree"},
    {"dequantize",             "Speed",                        0, "N-SLOW",      "as fast as the published solution", When::kSpeed},
    {"requantize",             "ScalesEachColumn",             1, "N-AXIS",      "float(acc[i,j]) * multiplier[j]"},
    {"requantize",             "RoundsThenAddsTheZeroPoint",   2, "N-ROUND",     "round(v) + zero_point, ties to even"},
    {"requantize",             "StaysOnTheGrid",               1, "N-CLAMP",     "clamped to [-128, 127], last"},
    {"requantize",             "EveryShape",                   1, "N-TAIL",      "any m and n"},
    {"requantize",             "RefusesWhatItMust",            1, "N-DIV0",      "multipliers normal and > 0, whole rows, a zero point that is a code"},
    {"sigmoid",                "EveryCode",                    2, "N-FORMULA",   "clamp(round(256 * s) - 128)"},
    {"sigmoid",                "EveryLength",                  1, "N-TAIL",      "any length"},
    {"sigmoid",                "RefusesWhatItMust",            1, "N-DIV0",      "scale normal and > 0, sizes that agree"},
    {"sigmoid",                "Speed",                        4, "N-SLOW",      "at least 0.3 times the speed of the published solution", When::kSpeed},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("15_cpu_simd", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"best_isa",               "EqualsTheReference",           2, "N-ISA",       "on sets and caps nobody has seen"},
    {"saturating_pair",        "EveryPairOfWeights",           2, "N-OVERFLOW",  "weights nobody has seen, found or refused"},
    {"dot",                    "EqualsTheReference",           3, "N-TAIL",      "on data nobody has seen"},
    {"pack_b",                 "EqualsTheReference",           3, "N-LAYOUT",    "on sizes nobody has seen"},
    {"multiply_packed",        "EqualsTheReference",           6, "N-TAIL",      "on data and sizes nobody has seen"},
    {"multiply_packed_fused",  "EqualsTheReference",           3, "N-SCALE",     "on data and sizes nobody has seen"},
    {"quantize",               "EqualsTheReference",           2, "N-ROUND",     "on data nobody has seen"},
    {"dequantize",             "EqualsTheReference",           1, "N-SCALE",     "on data nobody has seen"},
    {"requantize",             "EqualsTheReference",           2, "N-ROUND",     "on data nobody has seen"},
    {"sigmoid",                "EqualsTheReference",           1, "N-FORMULA",   "on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_15_cpu_simd
