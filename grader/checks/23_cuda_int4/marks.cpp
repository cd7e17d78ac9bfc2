// Lab 23: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

// clang-format off
constexpr Mark marks[] = {
    // exercise         check              points  code          sentence of the contract
    {"unpack_int4",     "EveryByte",            3, "N-SIGN",     "codes from -8 to 7, two in a byte: the even one in the low nibble"},
    {"unpack_int4",     "EveryShape",           3, "N-TAIL",     "any n, k and pitch; what lies behind a row becomes 0"},
    {"unpack_int4",     "PaddingIsCutOff",      3, "N-TAIL",     "padding holds anything, and means nothing"},
    {"unpack_int4",     "RunsClean",            3, "N-OOB",      "all of the output is written, and nothing else is touched"},
    {"unpack_int4",     "MovesNoMore",          2, "N-COALESCE", "no more bytes than the published solution"},
    {"unpack_int4",     "AsksAtMostTwice",      2, "N-REQUESTS", "at most 2 times the requests of the published solution"},
    {"unpack_int4",     "AsksNoMore",           2, "N-REQUESTS", "8 bytes in, 16 bytes out"},
    {"dequantize_int4", "FollowsTheFormula",    3, "N-SCALE",    "scales[i, p / group_size] * code[i,p], one float32 product"},
    {"dequantize_int4", "EveryShape",           3, "N-TAIL",     "any n, k and pitch; the last group of a row may be shorter"},
    {"dequantize_int4", "PaddingIsCutOff",      2, "N-TAIL",     "padding holds anything, and means nothing"},
    {"dequantize_int4", "RunsClean",            2, "N-OOB",      "all of the output is written, and nothing else is touched"},
    {"dequantize_int4", "MovesAtMostTwice",     2, "N-COALESCE", "at most 2 times the bytes of the published solution"},
    {"dequantize_int4", "MovesNoMore",          2, "N-COALESCE", "the store is as wide as there is, and touches whole sectors"},
    {"dequantize_int4", "AsksNoMore",           2, "N-REQUESTS", "no more requests than the published solution"},
    {"gemv_int4",       "FollowsTheFormula",    3, "N-LAYOUT",   "the sum of scales[i, p / group_size] * code[i,p] * x[p]"},
    {"gemv_int4",       "EveryShape",           4, "N-TAIL",     "any n, k and pitch; an empty sum is 0"},
    {"gemv_int4",       "PaddingIsCutOff",      2, "N-TAIL",     "from k on x holds anything: NaN, too, which 0 does not take away"},
    {"gemv_int4",       "NearForAnyScale",      2, "N-SCALE",    "products and sums are float32, in any order"},
    {"gemv_int4",       "RunsClean",            3, "N-OOB",      "all of y is written, and nothing else is touched"},
    {"gemv_int4",       "MovesAtMostTwice",     2, "N-COALESCE", "at most 2 times the bytes of the published solution"},
    {"gemv_int4",       "MovesNoMore",          2, "N-COALESCE", "the lanes of a warp read neighbouring words"},
    {"gemv_int4",       "AsksNoMore",           2, "N-REQUESTS", "eight codes a lane at a time"},
    {"matmul_int4",     "FollowsTheFormula",    2, "N-LAYOUT",   "a_scales[i] * the sum of float(acc[i,j,g]) * scales_t[g,j]"},
    {"matmul_int4",     "EveryShape",           3, "N-TAIL",     "any m, n, k and pitch; an empty sum is 0"},
    {"matmul_int4",     "PaddingIsCutOff",      2, "N-TAIL",     "padding holds anything, and means nothing"},
    {"matmul_int4",     "NearForAnyScale",      2, "N-SCALE",    "the sum over groups is float32"},
    {"matmul_int4",     "RunsClean",            2, "N-OOB",      "all of c is written, and nothing else is touched"},
    {"matmul_int4",     "CountsDp4a",           2, "N-DP4A",     "m * n * k / 4 times __dp4a"},
    {"matmul_int4",     "MovesAtMostTwice",     2, "N-COALESCE", "at most 2 times the bytes of the published solution"},
    {"matmul_int4",     "MovesNoMore",          2, "N-COALESCE", "no more bytes than the published solution: weights travel as nibbles"},
    {"matmul_int4",     "LanesWorkTogether",    2, "N-IDLE",     "a quarter as many lanes at work as in the published solution"},
    {"matmul_int4",     "NoBankConflicts",      2, "N-BANK",     "no bank conflict"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("23_cuda_int4", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"unpack_int4",     "UnseenData", 5, "N-FORMULA", "q, on data and sizes nobody has seen"},
    {"dequantize_int4", "UnseenData", 5, "N-FORMULA", "w_hat, on data and sizes nobody has seen"},
    {"gemv_int4",       "UnseenData", 7, "N-FORMULA", "y, on data and sizes nobody has seen"},
    {"matmul_int4",     "UnseenData", 8, "N-FORMULA", "c, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_23_cuda_int4
