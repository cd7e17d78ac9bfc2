// Lab 16: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

// clang-format off
constexpr Mark marks[] = {
    // exercise               check                     points  code         sentence of the contract
    {"unpack_int4",           "LowNibbleIsEven",            3, "N-LAYOUT",   "the low nibble is the even index"},
    {"unpack_int4",           "HighestBitIsNegative",       2, "N-SIGN",     "two's complement: nibble 15 is -1"},
    {"unpack_int4",           "AnyCount",                   1, "N-TAIL",     "any number of codes, 0 and odd ones too"},
    {"unpack_int4",           "RefusesWrongSizes",          1, "N-SIZE",     "q4 of (q.size() + 1) / 2 bytes"},
    {"gemv_int8",             "FollowsTheFormula",          2, "N-LAYOUT",   "acc[j] = sum over p of a[p] * w[j,p]"},
    {"gemv_int8",             "ScalesEachRow",              2, "N-SCALE",    "float(acc[j]) * (a_scale * w_scales[j])"},
    {"gemv_int8",             "EveryCodeIsExact",           2, "N-OVERFLOW", "exact, every code legal, k up to 131071"},
    {"gemv_int8",             "EveryLength",                2, "N-TAIL",     "any n and k, nothing behind them read"},
    {"gemv_int8",             "RefusesBadInput",            1, "N-SIZE",     "sizes fit, k <= 131071, scales normal and > 0"},
    {"gemv_int8",             "RefusesOtherIsas",           1, "N-ISA",      "an isa that this CPU or this lab lacks is refused"},
    {"pack_int4",             "CodesInTheirPlaces",         3, "N-LAYOUT",   "base + 64 + 64 * (p % group_size / 8) + 4 * (j % 16) + p % 4"},
    {"pack_int4",             "NibblesAreExcessEight",      3, "N-SIGN",     "a nibble holds code + 8"},
    {"pack_int4",             "ScalesLeadTheirGroup",       3, "N-SCALE",    "scale of row j: float32 at byte base + 4 * (j % 16)"},
    {"pack_int4",             "FillsTheLastPanel",          2, "N-TAIL",     "rows the last panel lacks have the code 0 and scale 0"},
    {"pack_int4",             "RefusesBadInput",            1, "N-SIZE",     "legal shape, sizes fit it, scales normal and > 0"},
    {"gemv_int4",             "MultipliesOneGroup",         3, "N-LAYOUT",   "acc = sum over p of a[p] * w[j,p]"},
    {"gemv_int4",             "EachGroupHasItsScale",       3, "N-SCALE",    "y[j] + float(acc[j,G]) * scale[j,G]"},
    {"gemv_int4",             "AddsGroupsInOrder",          3, "N-FORMULA",  "in order, one product and one sum at a time; a_scale last"},
    {"gemv_int4",             "EveryCodeIsExact",           2, "N-OVERFLOW", "acc is exact, every code legal"},
    {"gemv_int4",             "EveryShape",                 2, "N-TAIL",     "any n, k = 0 gives 0"},
    {"gemv_int4",             "RefusesBadInput",            1, "N-SIZE",     "legal shape, sizes fit it, a_scale normal and > 0"},
    {"gemv_int4",             "RefusesOtherIsas",           1, "N-ISA",      "an isa that this CPU or this lab lacks is refused"},
    {"gemm_int4",             "EachRowHasItsScale",         3, "N-SCALE",    "c[i,j] = what gemv_int4 gives for row i and a_scales[i]"},
    {"gemm_int4",             "EveryBatch",                 3, "N-TAIL",     "any number of rows"},
    {"gemm_int4",             "RefusesBadInput",            1, "N-SIZE",     "a of m * k, c of m * n, a_scales normal and > 0"},
    {"gemm_int4",             "RefusesOtherIsas",           1, "N-ISA",      "an isa that this CPU or this lab lacks is refused"},
    {"dequantize_code_book",  "LooksUp",                    3, "N-LAYOUT",   "code_book[nibble i of q4], nibbles unsigned"},
    {"dequantize_code_book",  "ScalesEachGroup",            2, "N-SCALE",    "... * scales[i / group_size]"},
    {"dequantize_code_book",  "EveryCount",                 2, "N-TAIL",     "any size; the last group may be short"},
    {"dequantize_code_book",  "RefusesBadInput",            1, "N-SIZE",     "sizes fit, a finite book, scales normal and > 0"},
    {"dequantize_code_book",  "RefusesOtherIsas",           1, "N-ISA",      "an isa that this CPU or this lab lacks is refused"},
    {"gemv_int4",             "Speed",                      9, "N-SLOW",     "at least 0.6 times the speed of the published solution", When::kSpeed},
    {"gemm_int4",             "Speed",                      5, "N-SLOW",     "at least 0.6 times the speed of the published solution", When::kSpeed},
    {"gemv_int8",             "Speed",                      0, "N-SLOW",     "one row of activations, int8 weights", When::kSpeed},
    {"dequantize_code_book",  "Speed",                      0, "N-SLOW",     "codes to floats by a table", When::kSpeed},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("16_cpu_int4_gemv", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"unpack_int4",           "MatchesReference",           2, "N-TAIL",     "the formula, on data of its own"},
    {"gemv_int8",             "MatchesReference",           4, "N-OVERFLOW", "the formulas, on data of their own"},
    {"pack_int4",             "MatchesReference",           5, "N-LAYOUT",   "every byte in its place, on data of its own"},
    {"gemv_int4",             "MatchesReference",           6, "N-FORMULA",  "the formulas, on data of their own"},
    {"gemm_int4",             "MatchesReference",           5, "N-FORMULA",  "the formulas, on data of their own"},
    {"dequantize_code_book",  "MatchesReference",           3, "N-FORMULA",  "the formula, on data of its own"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
