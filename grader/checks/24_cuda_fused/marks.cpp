// Lab 24: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_24_cuda_fused {

// clang-format off
constexpr Mark marks[] = {
    // exercise             check                points  code          sentence of the contract
    {"scale_bias_relu",    "FollowsTheFormula",      3, "N-FORMULA",  "float(acc) * (a_scale * b_scales[j]) + bias[j], then ReLU"},
    {"scale_bias_relu",    "ReluKeepsNan",           2, "N-NAN",      "a NaN stays a NaN, infinity stays, -infinity becomes 0"},
    {"scale_bias_relu",    "EveryShape",             2, "N-TAIL",     "any m and n"},
    {"scale_bias_relu",    "RunsClean",              2, "N-OOB",      "c is written, and no other memory"},
    {"scale_bias_relu",    "ChannelsAreKept",        2, "N-LOADS",    "a scale and a bias are kept for many rows"},
    {"scale_bias_relu",    "MovesNoMore",            2, "N-COALESCE", "8 bytes for an output, and hardly more"},
    {"requantize",         "FollowsTheFormula",      2, "N-FORMULA",  "float(acc + bias[j]) * ratios[j], rounded, + zero_point"},
    {"requantize",         "TiesGoToEven",           2, "N-ROUND",    "ties to the even neighbour, before the zero point"},
    {"requantize",         "ReluIsAClamp",           3, "N-CLAMP",    "to [zero_point, 127], infinity included"},
    {"requantize",         "BiasSaturates",          2, "N-OVERFLOW", "a sum that does not fit int32 saturates"},
    {"requantize",         "EveryShape",             2, "N-TAIL",     "any m and n, multiples of 4 or not"},
    {"requantize",         "RunsClean",              2, "N-OOB",      "c is written, and no other memory"},
    {"requantize",         "ChannelsAreKept",        1, "N-LOADS",    "a ratio and a bias are kept for many rows"},
    {"requantize",         "FourAtOnce",             2, "N-REQUESTS", "four sums are one load, four codes one word"},
    {"requantize",         "MovesNoMore",            2, "N-COALESCE", "no more bytes than the published solution"},
    {"matmul_fused",       "FollowsTheFormula",      3, "N-FORMULA",  "the product, and scale_bias_relu of it"},
    {"matmul_fused",       "SumsAreExact",           2, "N-OVERFLOW", "exact in int32, until it is scaled"},
    {"matmul_fused",       "ReluKeepsNan",           1, "N-NAN",      "a NaN stays a NaN, infinity stays, -infinity becomes 0"},
    {"matmul_fused",       "EveryShape",             3, "N-TAIL",     "any m and n, k a multiple of 16"},
    {"matmul_fused",       "RunsClean",              3, "N-OOB",      "c is written, and no other memory"},
    {"matmul_fused",       "WritesOnlyResults",      2, "N-LOADS",    "a sum never leaves its register"},
    {"matmul_fused",       "MovesAtMostTwice",       2, "N-COALESCE", "at most 2 times the bytes of the published solution"},
    {"matmul_fused",       "MovesNoMore",            2, "N-COALESCE", "no more bytes than the published solution"},
    {"matmul_requantized", "FollowsTheFormula",      2, "N-FORMULA",  "the product, and requantize of it"},
    {"matmul_requantized", "SumsAreExact",           1, "N-OVERFLOW", "exact in int32, until it is scaled"},
    {"matmul_requantized", "ReluIsAClamp",           2, "N-CLAMP",    "to [zero_point, 127], ties to even"},
    {"matmul_requantized", "EveryShape",             2, "N-TAIL",     "any m and n, k a multiple of 16"},
    {"matmul_requantized", "RunsClean",              2, "N-OOB",      "c is written, and no other memory"},
    {"matmul_requantized", "FourCodesAWord",         1, "N-REQUESTS", "c is written word by word"},
    {"matmul_requantized", "MovesAtMostTwice",       2, "N-COALESCE", "at most 2 times the bytes of the published solution"},
    {"matmul_requantized", "MovesNoMore",            2, "N-COALESCE", "no more bytes than the published solution"},
    {"matmul_asymmetric",  "FollowsTheFormula",      3, "N-FORMULA",  "the product of codes without their zero points"},
    {"matmul_asymmetric",  "SumsAreExact",           2, "N-OVERFLOW", "exact in int32, until it is scaled"},
    {"matmul_asymmetric",  "EveryShape",             2, "N-TAIL",     "any m and n, k a multiple of 16"},
    {"matmul_asymmetric",  "RunsClean",              2, "N-OOB",      "c is written, and no other memory"},
    {"matmul_asymmetric",  "MovesNoMore",            3, "N-COALESCE", "rows and columns add up codes that are in the tiles"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("24_cuda_fused", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"scale_bias_relu",    "UnseenData", 4, "N-FORMULA", "c, on data nobody has seen"},
    {"requantize",         "UnseenData", 5, "N-FORMULA", "c, on data nobody has seen"},
    {"matmul_fused",       "UnseenData", 6, "N-FORMULA", "c, on data nobody has seen"},
    {"matmul_requantized", "UnseenData", 5, "N-FORMULA", "c, on data nobody has seen"},
    {"matmul_asymmetric",  "UnseenData", 5, "N-FORMULA", "c, on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_24_cuda_fused
