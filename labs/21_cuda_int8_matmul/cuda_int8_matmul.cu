// Lab 21. The contract is in cuda_int8_matmul.hpp; the story is in README.md.
// Check yourself:  ./nibble run 21        (or leave ./nibble watch open)
#include "cuda_int8_matmul.hpp"

namespace nibble {

// --- One output a thread, codes from global memory -----------------------------------------------

// How many threads should a block have, and what part of c should it make?
NIBBLE_LAUNCH(matmul_naive_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_naive_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  // Which output is this thread's? Is it one that exists? Which index should change
  // from one lane to the next, so that a warp reads neighbours?
}

// --- Tiles in shared memory ----------------------------------------------------------------------

// How wide is a tile of int8 of which each row fills a sector of 32 bytes?
NIBBLE_LAUNCH(matmul_tiled_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_tiled_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  // For every step along k: 1. load a tile of a and a tile of b, one code of each a
  // thread, zero beyond the edges  2. wait  3. add the tile's products  4. wait.
  // Who has to help with 1, 2 and 4, and who may do the last step: write c?
}

// --- b transposed: a tile that is read down its columns ------------------------------------------

NIBBLE_LAUNCH(matmul_transposed_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_transposed_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k) {
  // Which code of b_t does a thread load, so that a warp reads neighbours, and which
  // row of the tile does it multiply with? In which banks do 32 such rows begin?
}

// --- 4 x 4 outputs a thread ----------------------------------------------------------------------

NIBBLE_LAUNCH(matmul_register_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                          std::int32_t* c, std::int64_t m, std::int64_t n,
                                          std::int64_t k) {
  // The tiles are larger now than the block: how does a warp load them row by row? Of
  // each p fetch a thread's codes once, then use each of them four times.
}

}  // namespace nibble
