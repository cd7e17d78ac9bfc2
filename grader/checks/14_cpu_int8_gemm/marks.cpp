// Lab 14: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                     points  code           sentence of the contract
    {"multiply_naive",       "EmptySumIsZero",              1, "N-UNWRITTEN", "every element of c is written, and an empty sum is 0"},
    {"multiply_naive",       "FollowsTheFormula",           2, "N-LAYOUT",    "a [m,k], b [k,n], c [m,n], row-major"},
    {"multiply_naive",       "SumsAreExact",                2, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"multiply_naive",       "EveryShape",                  2, "N-TAIL",      "any m, n and k"},
    {"multiply_naive",       "RefusesWrongSizes",           2, "N-SIZE",      "spans fit the shape, and 0 <= k <= 131071"},
    {"multiply_naive",       "Speed",                       0, "N-SLOW",      "what the others are compared with", When::kSpeed},
    {"multiply_rows",        "EmptySumIsZero",              2, "N-UNWRITTEN", "what c holds on entry means nothing"},
    {"multiply_rows",        "FollowsTheFormula",           2, "N-LAYOUT",    "the same product of the same operands"},
    {"multiply_rows",        "SumsAreExact",                1, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"multiply_rows",        "EveryShape",                  2, "N-TAIL",      "any m, n and k"},
    {"multiply_rows",        "RefusesWrongSizes",           1, "N-SIZE",      "spans fit the shape, and 0 <= k <= 131071"},
    {"multiply_rows",        "Speed",                       4, "N-SLOW",      "at least 0.6 times the speed of the published solution", When::kSpeed},
    {"multiply_dots",        "EmptySumIsZero",              1, "N-UNWRITTEN", "every element of c is written, and an empty sum is 0"},
    {"multiply_dots",        "FollowsTheFormula",           1, "N-TRANS",     "b_t [n,k]: every element is a dot product of two rows"},
    {"multiply_dots",        "SumsAreExact",                1, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"multiply_dots",        "EveryShape",                  2, "N-TAIL",      "any m, n and k"},
    {"multiply_dots",        "RefusesWrongSizes",           1, "N-SIZE",      "spans fit the shape, and 0 <= k <= 131071"},
    {"multiply_dots",        "Speed",                       3, "N-SLOW",      "at least 0.6 times the speed of the published solution", When::kSpeed},
    {"multiply_tiled",       "EmptySumIsZero",              1, "N-UNWRITTEN", "every element of c is written, and an empty sum is 0"},
    {"multiply_tiled",       "WholeTiles",                  2, "N-LAYOUT",    "2 rows by 4 columns at a time"},
    {"multiply_tiled",       "SumsAreExact",                2, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"multiply_tiled",       "EveryTail",                   4, "N-TAIL",      "what m leaves of a pair, and n of a four, is computed too"},
    {"multiply_tiled",       "RefusesWrongSizes",           1, "N-SIZE",      "spans fit the shape, and 0 <= k <= 131071"},
    {"multiply_tiled",       "Speed",                       0, "N-SLOW",      "as fast as the published solution", When::kSpeed},
    {"pack_b",               "OneSlab",                     2, "N-LAYOUT",    "column after column, codes widened to int16"},
    {"pack_b",               "SlabAfterSlab",               3, "N-LAYOUT",    "packed[256 s * columns + j * depth[s] + q]"},
    {"pack_b",               "PadsWithZeros",               3, "N-TAIL",      "0 beyond n or beyond k"},
    {"pack_b",               "EveryShape",                  2, "N-TAIL",      "any n and k"},
    {"pack_b",               "RefusesWrongSizes",           1, "N-SIZE",      "spans fit the shape, and 0 <= k <= 131071"},
    {"multiply_packed",      "EmptySumIsZero",              1, "N-UNWRITTEN", "what c holds on entry means nothing"},
    {"multiply_packed",      "FollowsTheFormula",           2, "N-LAYOUT",    "a [m,k], a packed b of one slab, c [m,n]"},
    {"multiply_packed",      "AddsTheSlabs",                2, "N-TAIL",      "each slab adds its part of the sums"},
    {"multiply_packed",      "SumsAreExact",                1, "N-OVERFLOW",  "exact in int32, up to the longest k"},
    {"multiply_packed",      "EveryTail",                   2, "N-TAIL",      "any m, n and k"},
    {"multiply_packed",      "LargeProducts",               1, "N-TAIL",      "any m, n and k, beyond every block"},
    {"multiply_packed",      "RefusesWrongSizes",           1, "N-SIZE",      "spans fit the shape, and 0 <= k <= 131071"},
    {"multiply_packed",      "Speed",                       6, "N-SLOW",      "at least 0.7 times the speed of the published solution", When::kSpeed},
    {"multiply_zero_points", "EmptySumIsZero",              1, "N-UNWRITTEN", "every element of c is written, and an empty sum is 0"},
    {"multiply_zero_points", "SubtractsBoth",               3, "N-ZERO",      "(a - zero_points.a) * (b_t - zero_points.b)"},
    {"multiply_zero_points", "EveryShape",                  2, "N-TAIL",      "any m, n and k"},
    {"multiply_zero_points", "RefusesUnsafeSums",           1, "N-OVERFLOW",  "k * reach * reach <= 2^31 - 1, whatever the data"},
    {"multiply_zero_points", "RefusesWrongSizes",           1, "N-SIZE",      "spans fit the shape, zero points are codes"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("14_cpu_int8_gemm", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"multiply_naive",       "EqualsTheReference",          2, "",            "c, on data and sizes nobody has seen"},
    {"multiply_rows",        "EqualsTheReference",          3, "",            "c, on data and sizes nobody has seen"},
    {"multiply_dots",        "EqualsTheReference",          3, "",            "c, on data and sizes nobody has seen"},
    {"multiply_tiled",       "EqualsTheReference",          4, "",            "c, on data and sizes nobody has seen"},
    {"pack_b",               "EqualsTheReference",          4, "",            "packed, on data and sizes nobody has seen"},
    {"multiply_packed",      "EqualsTheReference",          5, "",            "c, on data and sizes nobody has seen"},
    {"multiply_zero_points", "EqualsTheReference",          4, "",            "c, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_14_cpu_int8_gemm
