// Lab 22: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_22_cuda_dp4a {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                  points  code           sentence of the contract
    {"matmul_dp4a_naive",    "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_dp4a_naive",    "FollowsTheFormula",        3, "N-LAYOUT",    "a [m,k], b_t [n,k], rows pitch codes apart"},
    {"matmul_dp4a_naive",    "EveryShape",               3, "N-TAIL",      "any m, n and k"},
    {"matmul_dp4a_naive",    "PaddingIsNoise",           3, "N-TAIL",      "padding holds anything, and adds nothing to a sum"},
    {"matmul_dp4a_naive",    "SumsAreExact",             2, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"matmul_dp4a_naive",    "RunsClean",                2, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_dp4a_naive",    "FourProductsEach",         4, "N-DP4A",      "m * n * ceil(k / 4) times __dp4a"},
    {"matmul_dp4a_naive",    "MovesAtMostTwice",         2, "N-COALESCE",  "at most 2 times the bytes of the published solution"},
    {"matmul_dp4a_naive",    "MovesNoMore",              1, "N-COALESCE",  "r rows and s columns a warp: as few sectors as there can be"},
    {"matmul_dp4a_tiled",    "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_dp4a_tiled",    "FollowsTheFormula",        2, "N-LAYOUT",    "the same product, through tiles of words"},
    {"matmul_dp4a_tiled",    "EveryShape",               3, "N-TAIL",      "any m, n and k, also those that no tile divides"},
    {"matmul_dp4a_tiled",    "PaddingIsNoise",           2, "N-TAIL",      "padding holds anything, and adds nothing to a sum"},
    {"matmul_dp4a_tiled",    "SumsAreExact",             1, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"matmul_dp4a_tiled",    "RunsClean",                4, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_dp4a_tiled",    "FourProductsEach",         3, "N-DP4A",      "m * n * k / 4 times __dp4a where tiles divide"},
    {"matmul_dp4a_tiled",    "MovesAtMostTwice",         2, "N-COALESCE",  "at most 2 times the bytes of the published solution"},
    {"matmul_dp4a_tiled",    "MovesNoMore",              2, "N-COALESCE",  "a code is fetched once for 32 outputs"},
    {"matmul_dp4a_tiled",    "LoadsWords",               2, "N-REQUESTS",  "tiles are filled word by word"},
    {"matmul_dp4a_tiled",    "UsesWords",                1, "N-REQUESTS",  "two words from the tiles for four products"},
    {"matmul_dp4a_tiled",    "NoBankConflicts",          3, "N-BANK",      "no bank conflict, in loads and in stores"},
    {"matmul_dp4a_register", "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_dp4a_register", "FollowsTheFormula",        1, "N-LAYOUT",    "the same product of the same operands"},
    {"matmul_dp4a_register", "EveryShape",               3, "N-TAIL",      "any m, n and k, also those that no tile divides"},
    {"matmul_dp4a_register", "PaddingIsNoise",           2, "N-TAIL",      "padding holds anything, and adds nothing to a sum"},
    {"matmul_dp4a_register", "SumsAreExact",             1, "N-OVERFLOW",  "exact in int32"},
    {"matmul_dp4a_register", "RunsClean",                3, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_dp4a_register", "FourProductsEach",         3, "N-DP4A",      "m * n * k / 4 times __dp4a where tiles divide"},
    {"matmul_dp4a_register", "MovesAtMostTwice",         1, "N-COALESCE",  "at most 2 times the bytes of the published solution"},
    {"matmul_dp4a_register", "MovesNoMore",              2, "N-COALESCE",  "a code is fetched once for 128 outputs"},
    {"matmul_dp4a_register", "NoBankConflicts",          3, "N-BANK",      "no bank conflict, 8 lanes at a time"},
    {"matmul_dp4a_register", "AsksAtMostFourTimes",      3, "N-REQUESTS",  "at most 4 times the shared-memory requests of the published solution"},
    {"matmul_dp4a_register", "AsksAtMostTwice",          2, "N-REQUESTS",  "at most 2 times the shared-memory requests of the published solution"},
    {"matmul_dp4a_register", "AsksNoMore",               3, "N-REQUESTS",  "16 loads for 256 __dp4a; a quarter more is allowed"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("22_cuda_dp4a", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"matmul_dp4a_naive",    "UnseenData",  7, "N-FORMULA", "c, on data, padding and sizes nobody has seen"},
    {"matmul_dp4a_tiled",    "UnseenData",  8, "N-FORMULA", "c, on data, padding and sizes nobody has seen"},
    {"matmul_dp4a_register", "UnseenData", 10, "N-FORMULA", "c, on data, padding and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_22_cuda_dp4a
