// Lab 19: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_19_cuda_quantize {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                 points  code          sentence of the contract
    {"quantize",             "FollowsTheFormula",      3, "N-ROUND",    "clamp(round(x[i] / scale)), ties to the even neighbour"},
    {"quantize",             "Saturates",              2, "N-CLAMP",    "what is too large becomes the last code on its side, -128 too"},
    {"quantize",             "NanIsZero",              2, "N-NAN",      "a NaN becomes 0"},
    {"quantize",             "DividesExactly",         2, "N-FORMULA",  "arithmetic is float32: one division"},
    {"quantize",             "EveryLength",            3, "N-TAIL",     "any n; every element of q is written"},
    {"quantize",             "RunsClean",              2, "N-OOB",      "no other memory is read or written"},
    {"quantize",             "MovesAtMostTwice",       2, "N-COALESCE", "at most twice the published solution's bytes"},
    {"quantize",             "MovesNoMore",            2, "N-COALESCE", "5 bytes an element; at most twice the threads"},
    {"quantize_vectorized",  "FollowsTheFormula",      2, "N-ROUND",    "the same codes: ties to the even neighbour"},
    {"quantize_vectorized",  "Saturates",              1, "N-CLAMP",    "the same codes: the last one on its side, -128 too"},
    {"quantize_vectorized",  "NanIsZero",              1, "N-NAN",      "the same codes: a NaN becomes 0"},
    {"quantize_vectorized",  "DividesExactly",         2, "N-FORMULA",  "the same codes: one division in float32"},
    {"quantize_vectorized",  "EveryLength",            4, "N-TAIL",     "any n: the last n % 4 elements are no whole float4"},
    {"quantize_vectorized",  "RunsClean",              3, "N-OOB",      "no other memory is read or written"},
    {"quantize_vectorized",  "AtMostTwiceTheRequests", 3, "N-REQUESTS", "at most twice the published solution's requests"},
    {"quantize_vectorized",  "AQuarterOfTheRequests",  3, "N-REQUESTS", "a quarter of the requests; at most twice the threads"},
    {"quantize_vectorized",  "MovesNoMore",            2, "N-COALESCE", "5 bytes an element"},
    {"quantize_half",        "FollowsTheFormula",      3, "N-ROUND",    "clamp(round(float(x[i]) / scale)), ties to the even neighbour"},
    {"quantize_half",        "DividesInFloat32",       3, "N-FORMULA",  "arithmetic is float32"},
    {"quantize_half",        "EveryHalf",              3, "N-FORMULA",  "every half is a float exactly"},
    {"quantize_half",        "EveryLength",            3, "N-TAIL",     "any n: the last n % 8 elements are no whole load"},
    {"quantize_half",        "RunsClean",              2, "N-OOB",      "no other memory is read or written"},
    {"quantize_half",        "AtMostTwiceTheRequests", 2, "N-REQUESTS", "at most twice the published solution's requests"},
    {"quantize_half",        "NoMoreRequests",         1, "N-REQUESTS", "one request to read 256 elements and one to write them"},
    {"quantize_half",        "MovesNoMore",            2, "N-COALESCE", "3 bytes an element"},
    {"dequantize",           "FollowsTheFormula",      3, "N-AXIS",     "x_hat[i,j] = scales[i] * q[i,j]"},
    {"dequantize",           "EveryShape",             4, "N-TAIL",     "any number of rows and columns"},
    {"dequantize",           "RunsClean",              3, "N-OOB",      "no other memory is read or written"},
    {"dequantize",           "VectorsWhereTheyFit",    2, "N-REQUESTS", "4 codes in, 16 bytes out a thread, where cols % 4 == 0"},
    {"dequantize",           "ScalesCostLittle",       2, "N-REQUESTS", "one request to scales for 128 elements"},
    {"dequantize",           "MovesNoMore",            3, "N-COALESCE", "in whole sectors, for any number of columns"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("19_cuda_quantize", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"quantize",            "EqualsTheDefinition", 5, "", "q, on data and sizes nobody has seen"},
    {"quantize_vectorized", "EqualsTheDefinition", 7, "", "q, on data and sizes nobody has seen"},
    {"quantize_half",       "EqualsTheDefinition", 6, "", "q, on data and sizes nobody has seen"},
    {"dequantize",          "EqualsTheDefinition", 7, "", "x_hat, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_19_cuda_quantize
