// Lab 22. The contract is in cuda_dp4a.hpp; the story is in README.md.
// Check yourself:  ./nibble run 22        (or leave ./nibble watch open)
#include "cuda_dp4a.hpp"

namespace nibble {

// --- One output a thread, words from global memory -----------------------------------------------

// What shape should a warp's 32 outputs have, when a word of either operand is a sector?
NIBBLE_LAUNCH(matmul_dp4a_naive_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_dp4a_naive_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  // Which two rows does this thread need, and where do they begin? How many whole words
  // have they, and what is in the word after those?
}

// --- Tiles of words ------------------------------------------------------------------------------

NIBBLE_LAUNCH(matmul_dp4a_tiled_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_dp4a_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  // A thread loads one word of each tile, not one code. Which of them, so that a warp
  // fetches neighbours? In which banks does it put them, and from which does it take
  // what it multiplies? What are the codes from k on?
}

// --- 8 x 8 outputs a thread ----------------------------------------------------------------------

NIBBLE_LAUNCH(matmul_dp4a_register_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_dp4a_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                               std::int32_t* c, std::int64_t m, std::int64_t n,
                                               std::int64_t k, std::int64_t pitch) {
  // 16 bytes a thread, from global memory and from the tiles. Which 8 lanes store, or
  // load, at the same time, and in which banks do their 16 bytes begin? How often is a
  // piece used once it is in registers?
}

}  // namespace nibble
