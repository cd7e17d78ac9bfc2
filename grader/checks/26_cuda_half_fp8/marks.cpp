// Lab 26: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

// clang-format off
constexpr Mark marks[] = {
    // exercise            check               points  code           sentence of the contract
    {"dequantize_to_half", "FollowsTheFormula",     3, "N-FORMULA",   "one float32 product, rounded once to the nearest half"},
    {"dequantize_to_half", "EveryShape",            2, "N-TAIL",      "any number of rows, k a multiple of 8"},
    {"dequantize_to_half", "RunsClean",             2, "N-OOB",       "all of h is written, and nothing else is touched"},
    {"dequantize_to_half", "MovesNoMore",           1, "N-COALESCE",  "no more bytes than the published solution"},
    {"dequantize_to_half", "AsksNoMore",            2, "N-REQUESTS",  "8 codes in, 8 halves out: four __half2 are 16 bytes"},
    {"quantize_int4",      "FollowsTheFormula",     4, "N-FORMULA",   "round(x / scales[i,g]), the even code of a byte in its low nibble"},
    {"quantize_int4",      "EveryShape",            3, "N-TAIL",      "group_size 32, 64 or 128; k a multiple of group_size"},
    {"quantize_int4",      "RunsClean",             2, "N-OOB",       "all of each output is written, and nothing else is touched"},
    {"quantize_int4",      "MovesNoMore",           1, "N-COALESCE",  "no more bytes than the published solution"},
    {"quantize_int4",      "AsksNoMore",            2, "N-REQUESTS",  "a float4 a lane, and 2 bytes for it"},
    {"quantize_fp8",       "FollowsTheFormula",     4, "N-FORMULA",   "e4m3(x / scales[i]), to the nearest code, ties to the even one"},
    {"quantize_fp8",       "Saturates",             3, "N-CLAMP",     "beyond 448: 448, with the sign of x"},
    {"quantize_fp8",       "EveryShape",            2, "N-TAIL",      "any number of rows, k a multiple of 4"},
    {"quantize_fp8",       "RunsClean",             2, "N-OOB",       "all of each output is written, and nothing else is touched"},
    {"quantize_fp8",       "AsksNoMore",            2, "N-REQUESTS",  "16 bytes in, 4 out; x is read twice at most"},
    {"gemm_half",          "FollowsTheFormula",     3, "N-LAYOUT",    "d[i,j] = alpha * sum[i,j] + beta * c[i,j]"},
    {"gemm_half",          "EveryShape",            2, "N-TAIL",      "any m and n, k a multiple of 32; right within the tolerance"},
    {"gemm_half",          "AddsUpInFloat",         2, "N-FLOAT32",   "a product of halves, added up in float32"},
    {"gemm_half",          "LeavesCAlone",          2, "N-NAN",       "with beta = 0 c is not read"},
    {"gemm_half",          "RunsClean",             2, "N-OOB",       "all of d is written, and nothing else is touched"},
    {"gemm_half",          "MultipliesTilesOnce",   2, "N-MMA",       "ceil(m / 16) * ceil(n / 16) * (k / 16) products of tiles, and no other"},
    {"gemm_half",          "MovesAtMostFourTimes",  1, "N-COALESCE",  "at most 4 times the bytes of the published solution"},
    {"gemm_bfloat16",      "FollowsTheFormula",     3, "N-LAYOUT",    "each lane's words of a and b_t, and its elements of d"},
    {"gemm_bfloat16",      "EveryShape",            2, "N-TAIL",      "any m and n, k a multiple of 32; right within the tolerance"},
    {"gemm_bfloat16",      "KeepsTheRange",         1, "N-INF",       "the largest bfloat16 is 3.4e38"},
    {"gemm_bfloat16",      "LeavesCAlone",          2, "N-NAN",       "with beta = 0 c is not read"},
    {"gemm_bfloat16",      "RunsClean",             1, "N-OOB",       "all of d is written, and nothing else is touched"},
    {"gemm_bfloat16",      "MultipliesTilesOnce",   2, "N-MMA",       "ceil(m / 16) * ceil(n / 8) * (k / 16) products, and no other"},
    {"gemm_bfloat16",      "AsksNoMore",            1, "N-REQUESTS",  "six words a lane for each product"},
    {"gemm_fp8",           "FollowsTheFormula",     4, "N-LAYOUT",    "(a_scales[i] * b_scales[j]) * the sum of a[i,p] * b_t[j,p]"},
    {"gemm_fp8",           "EveryShape",            2, "N-TAIL",      "any m and n, k a multiple of 32; right within the tolerance"},
    {"gemm_fp8",           "AddsInTwoLevels",       4, "N-FLOAT32",   "the sum of 128 products, from 0 on; the partial sums in float32"},
    {"gemm_fp8",           "RunsClean",             1, "N-OOB",       "all of d is written, and nothing else is touched"},
    {"gemm_fp8",           "MultipliesTilesOnce",   2, "N-MMA",       "ceil(m / 16) * ceil(n / 8) * (k / 32) products, and no other"},
    {"gemm_fp8",           "AsksNoMore",            1, "N-REQUESTS",  "four codes in a word"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("26_cuda_half_fp8", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"dequantize_to_half", "UnseenData", 3, "N-FORMULA", "h, on data and sizes nobody has seen"},
    {"quantize_int4",      "UnseenData", 4, "N-FORMULA", "w4 and scales, on data and sizes nobody has seen"},
    {"quantize_fp8",       "UnseenData", 4, "N-FORMULA", "q and scales, on data and sizes nobody has seen"},
    {"gemm_half",          "UnseenData", 5, "N-FORMULA", "d, on data and sizes nobody has seen"},
    {"gemm_bfloat16",      "UnseenData", 4, "N-FORMULA", "d, on data and sizes nobody has seen"},
    {"gemm_fp8",           "UnseenData", 5, "N-FORMULA", "d, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_26_cuda_half_fp8
