// Lab 17: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_17_cpu_amx {

// clang-format off
constexpr Mark marks[] = {
    // exercise               check                      points  code           sentence of the contract
    {"tile_config",           "FillsTheStruct",               5, "N-LAYOUT",    "palette 1; rows and colsb of tile t at t; all else 0"},
    {"tile_config",           "UnlistedTilesAreUnused",       2, "N-LAYOUT",    "tiles that are not listed have 0 rows of 0 bytes"},
    {"tile_config",           "RefusesImpossibleTiles",       3, "N-RANGE",     "at most 8 tiles, 16 rows, 64 bytes; both 0 or neither"},
    {"pack_a",                "RowsInSteps",                  4, "N-LAYOUT",    "a tile holds 16 rows, 64 codes from each"},
    {"pack_a",                "StepsThenRowBlocks",           3, "N-LAYOUT",    "(i / 16 * steps + p / 64) is the number of a tile"},
    {"pack_a",                "PadsWithZeros",                4, "N-TAIL",      "where i >= m or p >= k: 0"},
    {"pack_a",                "RefusesWrongSizes",            2, "N-SIZE",      "m, k >= 0; k <= kLongestK; spans fit the shape"},
    {"pack_b",                "QuadsOfOneStep",               5, "N-LAYOUT",    "four codes of one column, neighbours in k, lie together"},
    {"pack_b",                "StepsThenColumnBlocks",        3, "N-LAYOUT",    "(j / 16 * steps + p / 64) is the number of a tile"},
    {"pack_b",                "PadsWithZeros",                4, "N-TAIL",      "where j >= n or p >= k: 0"},
    {"pack_b",                "RefusesWrongSizes",            2, "N-SIZE",      "n, k >= 0; k <= kLongestK; spans fit the shape"},
    {"multiply_tile",         "WholeTile",                    4, "N-LAYOUT",    "c[i,j] = sum over p of a[i,p] * b_t[j,p]"},
    {"multiply_tile",         "ShortTiles",                   4, "N-LAYOUT",    "a and c are not packed: rows of k bytes, of 4 * n bytes"},
    {"multiply_tile",         "TailOfK",                      3, "N-TAIL",      "k need not be a multiple of 4"},
    {"multiply_tile",         "ExactForEveryCode",            2, "N-OVERFLOW",  "exact for every int8, -128 among them"},
    {"multiply_tile",         "RefusesDeniedTiles",           2, "N-ISA",       "an engine that does not grant its tiles is refused"},
    {"multiply_tile",         "RefusesWrongSizes",            1, "N-SIZE",      "one tile: m and n in [1, 16], k in [1, 64]"},
    {"multiply_tiles",        "WholeBlocks",                  3, "N-LAYOUT",    "c[i,j] = sum over p of a[i,p] * b_t[j,p]"},
    {"multiply_tiles",        "EveryShape",                   4, "N-TAIL",      "any m, n and k"},
    {"multiply_tiles",        "LongSumsManyBlocks",           2, "N-SLICE",     "a sum goes on from one slice of k to the next, in every block"},
    {"multiply_tiles",        "EmptySumIsZero",               1, "N-UNWRITTEN", "every c[i,j] is written, and an empty sum is 0"},
    {"multiply_tiles",        "ExactAtTheLongestK",           1, "N-OVERFLOW",  "exact in int32, up to k = 131071"},
    {"multiply_tiles",        "SharesItsLoads",               2, "N-LOADS",     "no more than 5 loads for every 4 products"},
    {"multiply_tiles",        "RefusesWhatItMust",            1, "N-SIZE",      "sizes that fit, and an engine that grants its tiles"},
    {"multiply_tiles_fused",  "ScalesAndShiftsEachColumn",    3, "N-SCALE",     "float(acc) * scale[j] + bias[j]"},
    {"multiply_tiles_fused",  "RoundsTwice",                  1, "N-ROUND",     "rounded after *, again after +"},
    {"multiply_tiles_fused",  "ClipsAtZero",                  1, "N-CLAMP",     "v > 0 ? v : 0, so a -0 becomes 0"},
    {"multiply_tiles_fused",  "LargeResults",                 2, "N-LAYOUT",    "results larger than the caches are the same"},
    {"multiply_tiles_fused",  "RefusesWhatItMust",            1, "N-SIZE",      "n finite scales and biases, besides the rest"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("17_cpu_amx", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"tile_config",           "EqualsTheReference",           3, "",            "the struct, for sizes nobody has seen"},
    {"pack_a",                "EqualsTheReference",           4, "",            "packed, on sizes nobody has seen"},
    {"pack_b",                "EqualsTheReference",           4, "",            "packed, on sizes nobody has seen"},
    {"multiply_tile",         "EqualsTheReference",           5, "",            "c, on sizes nobody has seen"},
    {"multiply_tiles",        "EqualsTheReference",           6, "",            "c, on sizes nobody has seen"},
    {"multiply_tiles_fused",  "EqualsTheReference",           3, "",            "c, on sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_17_cpu_amx
