// Lab 21: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_21_cuda_int8_matmul {

// clang-format off
constexpr Mark marks[] = {
    // exercise           check                  points  code           sentence of the contract
    {"matmul_naive",      "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_naive",      "FollowsTheFormula",        3, "N-LAYOUT",    "a [m,k], b [k,n], c [m,n], row-major"},
    {"matmul_naive",      "EveryShape",               4, "N-TAIL",      "any m, n and k"},
    {"matmul_naive",      "SumsAreExact",             2, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"matmul_naive",      "RunsClean",                3, "N-OOB",       "reads a and b, writes c, and touches nothing else"},
    {"matmul_naive",      "MovesAtMostTwice",         3, "N-COALESCE",  "at most 2 times the bytes of the published solution"},
    {"matmul_naive",      "MovesNoMore",              2, "N-COALESCE",  "a warp makes 32 neighbours of one row of c"},
    {"matmul_tiled",      "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_tiled",      "FollowsTheFormula",        2, "N-LAYOUT",    "the same product, through shared memory"},
    {"matmul_tiled",      "EveryShape",               4, "N-TAIL",      "any m, n and k, also those that no tile divides"},
    {"matmul_tiled",      "SumsAreExact",             1, "N-OVERFLOW",  "exact in int32"},
    {"matmul_tiled",      "RunsClean",                4, "N-OOB",       "reads a and b, writes c, and touches nothing else"},
    {"matmul_tiled",      "TwoBarriersAStep",         2, "N-BARRIERS",  "at most two barriers a step"},
    {"matmul_tiled",      "MovesAtMostThreeTimes",    2, "N-COALESCE",  "at most 3 times the bytes of the published solution"},
    {"matmul_tiled",      "MovesNoMore",              2, "N-COALESCE",  "a row of a tile is a sector"},
    {"matmul_tiled",      "LanesWorkTogether",        3, "N-IDLE",      "a quarter as many lanes at work as in the published solution"},
    {"matmul_tiled",      "NoBankConflicts",          2, "N-BANK",      "no bank conflict"},
    {"matmul_transposed", "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_transposed", "FollowsTheFormula",        2, "N-LAYOUT",    "b_t [n,k]: both operands run along k"},
    {"matmul_transposed", "EveryShape",               2, "N-TAIL",      "any m, n and k, also those that no tile divides"},
    {"matmul_transposed", "SumsAreExact",             1, "N-OVERFLOW",  "exact in int32"},
    {"matmul_transposed", "RunsClean",                2, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_transposed", "TwoBarriersAStep",         1, "N-BARRIERS",  "at most two barriers a step"},
    {"matmul_transposed", "MovesAtMostThreeTimes",    2, "N-COALESCE",  "at most 3 times the bytes of the published solution"},
    {"matmul_transposed", "MovesNoMore",              1, "N-COALESCE",  "a row of either tile is a sector"},
    {"matmul_transposed", "NoBankConflicts",          5, "N-BANK",      "no bank conflict"},
    {"matmul_register",   "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_register",   "FollowsTheFormula",        1, "N-LAYOUT",    "the same product of the same operands"},
    {"matmul_register",   "EveryShape",               3, "N-TAIL",      "any m, n and k, also those that no tile divides"},
    {"matmul_register",   "SumsAreExact",             1, "N-OVERFLOW",  "exact in int32"},
    {"matmul_register",   "RunsClean",                2, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_register",   "NoBankConflicts",          2, "N-BANK",      "no bank conflict"},
    {"matmul_register",   "MovesNoMore",              1, "N-COALESCE",  "larger tiles: no more bytes than the published solution"},
    {"matmul_register",   "AsksAtMostTwice",          3, "N-REQUESTS",  "at most 2 times the shared-memory requests of the published solution"},
    {"matmul_register",   "AsksNoMore",               3, "N-REQUESTS",  "8 codes fetched for 16 products"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("21_cuda_int8_matmul", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"matmul_naive",      "UnseenData",  4, "N-FORMULA", "c, on data and sizes nobody has seen"},
    {"matmul_tiled",      "UnseenData",  7, "N-FORMULA", "c, on data and sizes nobody has seen"},
    {"matmul_transposed", "UnseenData",  6, "N-FORMULA", "c, on data and sizes nobody has seen"},
    {"matmul_register",   "UnseenData",  8, "N-FORMULA", "c, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_21_cuda_int8_matmul
