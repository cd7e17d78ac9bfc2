// Lab 14: the checks that all products share.
#pragma once

#include "cpu_int8_gemm.hpp"

#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

// The first cases have no sum to get wrong: what is missing was never written. The last one has,
// since whoever fills c with 0 has multiplied nothing; and it is smaller than any tile.
inline const std::vector<Product> kEmptySums = {
    constant_product("NoK", {2, 4, 0}, 1, 1), constant_product("BesideTiles", {3, 6, 0}, 1, 1),
    constant_product("NoRows", {0, 3, 2}, 1, 1), constant_product("NoColumns", {2, 0, 3}, 1, 1),
    constant_product("OneByOne", {1, 1, 1}, 2, 3)};

// A row, a column, primes; then one less than, as many as and one more than a vector of 32 codes in
// each size in turn, and of 64 in k.
inline const std::vector<MatmulShape> kShapes = {{1, 17, 5}, {17, 1, 5}, {7, 11, 13}, {3, 5, 31},
                                                 {3, 5, 32}, {3, 5, 33}, {3, 5, 64},  {3, 5, 65},
                                                 {2, 31, 9}, {2, 33, 9}, {33, 2, 9}};

}  // namespace nibble::judge::lab_14_cpu_int8_gemm
