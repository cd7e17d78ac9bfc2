// Lab 27: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_27_cuda_binary {

// clang-format off
constexpr Mark marks[] = {
    // exercise               check                   points  code           sentence of the contract
    {"pack_signs",            "SignsToBits",            3, "N-FORMULA",   "column c is bit c % 32 of word c / 32: 1 where x < 0"},
    {"pack_signs",            "ZeroIsPlus",             2, "N-FORMULA",   "sign(0) = sign(-0.0) = +1"},
    {"pack_signs",            "NanIsPlus",              1, "N-NAN",       "sign(NaN) = +1"},
    {"pack_signs",            "EveryShape",             3, "N-TAIL",      "any rows and cols; bits of the tail are 0"},
    {"pack_signs",            "RunsClean",              3, "N-OOB",       "reads x, writes bits, and touches nothing else"},
    {"pack_signs",            "MovesAtMostTwice",       2, "N-COALESCE",  "32 neighbours: at most 2 times the bytes of the published solution"},
    {"pack_signs",            "MovesNoMore",            3, "N-COALESCE",  "a warp makes neighbours, and writes them together"},
    {"binary_matmul",         "EmptySumIsZero",         1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"binary_matmul",         "FollowsTheFormula",      3, "N-FORMULA",   "c = k - 2 * (how many bits differ)"},
    {"binary_matmul",         "EveryShape",             3, "N-LAYOUT",    "a [m,k], b_t [n,k], c [m,n], rows of whole words"},
    {"binary_matmul",         "TailCountsForNothing",   3, "N-TAIL",      "the tail of a and of b_t holds anything, and adds nothing"},
    {"binary_matmul",         "RunsClean",              3, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"binary_matmul",         "CountsWords",            2, "N-POPC",      "__popc once for each word of each output"},
    {"binary_matmul",         "MovesAtMostTwice",       2, "N-COALESCE",  "at most 2 times the bytes of the published solution"},
    {"binary_matmul",         "MovesNoMore",            2, "N-COALESCE",  "r + s sectors a word, where r * s = 32"},
    {"binary_matmul_tiled",   "EmptySumIsZero",         1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"binary_matmul_tiled",   "FollowsTheFormula",      2, "N-FORMULA",   "the same product, through tiles"},
    {"binary_matmul_tiled",   "EveryShape",             3, "N-LAYOUT",    "any m, n and k, also those that no tile divides"},
    {"binary_matmul_tiled",   "TailCountsForNothing",   2, "N-TAIL",      "the tail of a and of b_t holds anything, and adds nothing"},
    {"binary_matmul_tiled",   "RunsClean",              3, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"binary_matmul_tiled",   "CountsWords",            1, "N-POPC",      "m * n * k / 32 times __popc where the tiles divide"},
    {"binary_matmul_tiled",   "TwoBarriersAStep",       1, "N-BARRIERS",  "at most two barriers a step"},
    {"binary_matmul_tiled",   "MovesAtMostThreeTimes",  2, "N-COALESCE",  "at most 3 times the bytes of the published solution"},
    {"binary_matmul_tiled",   "MovesNoMore",            2, "N-COALESCE",  "each word serves a whole row or column of c's tile"},
    {"binary_matmul_tiled",   "LanesWorkTogether",      2, "N-IDLE",      "a quarter as many lanes at work as in the published solution"},
    {"binary_matmul_tiled",   "NoBankConflicts",        2, "N-BANK",      "no bank conflict"},
    {"binarize_rows",         "MeanMagnitude",          3, "N-FORMULA",   "alpha = (sum of |w|) / cols"},
    {"binarize_rows",         "SignsToBits",            3, "N-FORMULA",   "the signs of row r, as pack_signs makes them"},
    {"binarize_rows",         "EveryShape",             3, "N-TAIL",      "any number of rows, cols >= 1"},
    {"binarize_rows",         "KeepsNan",               1, "N-NAN",       "a row that holds a NaN has a NaN for its mean"},
    {"binarize_rows",         "RunsClean",              3, "N-OOB",       "reads w, writes bits and alpha, and touches nothing else"},
    {"binarize_rows",         "WithinTheWarp",          2, "N-BARRIERS",  "neither shared memory nor barriers"},
    {"binarize_rows",         "ReadsOnce",              2, "N-LOADS",     "w is read once, by one warp a row"},
    {"binarize_rows",         "StoresNeighbours",       1, "N-COALESCE",  "words of a row are written together"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("27_cuda_binary", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"pack_signs",          "UnseenData", 5, "N-FORMULA", "bits, on data nobody has seen"},
    {"binary_matmul",       "UnseenData", 6, "N-FORMULA", "c, on data and sizes nobody has seen"},
    {"binary_matmul_tiled", "UnseenData", 7, "N-FORMULA", "c, on data and sizes nobody has seen"},
    {"binarize_rows",       "UnseenData", 7, "N-FORMULA", "bits and alpha, on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_27_cuda_binary
