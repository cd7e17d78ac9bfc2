// Lab 25: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_25_cuda_tensor_core {

// clang-format off
constexpr Mark marks[] = {
    // exercise          check                  points  code           sentence of the contract
    {"matmul_wmma",      "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_wmma",      "FollowsTheFormula",        4, "N-LAYOUT",    "a [m,k], b_t [n,k], c [m,n], row-major"},
    {"matmul_wmma",      "EveryShape",               5, "N-TAIL",      "any m, n and k, also those that no tile divides"},
    {"matmul_wmma",      "RunsClean",                4, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_wmma",      "MultipliesTilesOnce",      4, "N-MMA",       "ceil(m / 16) * ceil(n / 16) * ceil(k / 16) products, and no other"},
    {"matmul_wmma",      "MovesAtMostThreeTimes",    2, "N-COALESCE",  "at most 3 times the bytes of the published solution"},
    {"matmul_wmma",      "MovesNoMore",              3, "N-COALESCE",  "several warps a block share whole sectors of their operands"},
    {"matmul_mma",       "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_mma",       "FollowsTheFormula",        5, "N-LAYOUT",    "each lane's words of a and b_t, and its elements of c"},
    {"matmul_mma",       "EveryShape",               5, "N-TAIL",      "any m and n, any k that is a multiple of 32"},
    {"matmul_mma",       "RunsClean",                3, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_mma",       "MultipliesTilesOnce",      5, "N-MMA",       "ceil(m / 16) * ceil(n / 8) * (k / 32) products, and no other"},
    {"matmul_mma",       "AsksAtMostTwice",          2, "N-REQUESTS",  "at most 2 times the requests of the published solution"},
    {"matmul_mma",       "AsksNoMore",               3, "N-REQUESTS",  "six words a lane for each product, 32 bits at a time"},
    {"matmul_mma_tiled", "EmptySumIsZero",           1, "N-UNWRITTEN", "with k = 0 every sum is empty, and 0 is written"},
    {"matmul_mma_tiled", "FollowsTheFormula",        3, "N-LAYOUT",    "the same product of the same operands"},
    {"matmul_mma_tiled", "EveryShape",               5, "N-TAIL",      "any m and n, any k that is a multiple of 32"},
    {"matmul_mma_tiled", "RunsClean",                5, "N-OOB",       "reads a and b_t, writes c, and touches nothing else"},
    {"matmul_mma_tiled", "MultipliesTilesOnce",      3, "N-MMA",       "(m / 16) * (n / 8) * (k / 32) products where tiles divide m, n and k"},
    {"matmul_mma_tiled", "FetchesAtMostTwice",       1, "N-COALESCE",  "at most 2 times the bytes that the published solution reads"},
    {"matmul_mma_tiled", "FetchesNoMore",            2, "N-COALESCE",  "a block of 64 x 64 outputs or more"},
    {"matmul_mma_tiled", "AsksAtMostTwice",          2, "N-REQUESTS",  "at most 2 times the shared-memory requests of the published solution"},
    {"matmul_mma_tiled", "AsksNoMore",               2, "N-REQUESTS",  "4 ldmatrix of 4 blocks feed 8 products"},
    {"matmul_mma_tiled", "NoBankConflicts",          4, "N-BANK",      "neither the loads nor the copies that fill the tile have a conflict"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("25_cuda_tensor_core", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"matmul_wmma",      "UnseenData",  7, "N-FORMULA", "c, on data and sizes nobody has seen"},
    {"matmul_mma",       "UnseenData",  8, "N-FORMULA", "c, on data and sizes nobody has seen"},
    {"matmul_mma_tiled", "UnseenData", 10, "N-FORMULA", "c, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_25_cuda_tensor_core
