// Lab 25. The contract is in cuda_tensor_core.hpp; the story is in README.md.
// Check yourself:  ./nibble run 25        (or leave ./nibble watch open)
#include "cuda_tensor_core.hpp"

#include <mma.h>

#include "nibble/device/cp_async.hpp"
#include "nibble/device/ldmatrix.hpp"
#include "nibble/device/mma.hpp"

namespace wmma = nvcuda::wmma;

namespace nibble {

// --- WMMA: tiles of 16 x 16 that know of no edges ------------------------------------------------

// How many warps should a block have, and what part of c do they make?
NIBBLE_LAUNCH(matmul_wmma_kernel, .block_x = 32);

NIBBLE_KERNEL void matmul_wmma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k) {
  // Sums start as zeros. For every step along k: load tiles that are zero outside of the
  // matrices, wait, multiply, wait. Then how do 16 x 16 sums get into c where only
  // some of them exist? Which warps have nothing to multiply, and what are they still for?
}

// --- mma.sync: words in the places that the instruction fixes ------------------------------------

NIBBLE_LAUNCH(matmul_mma_kernel, .block_x = 32);

NIBBLE_KERNEL void matmul_mma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                     std::int64_t m, std::int64_t n, std::int64_t k) {
  // Which g and t is this lane? Fetch its four words of a and two of b_t, zeros for rows
  // that do not exist, and multiply. Which of c's elements are in its four sums?
  // May a lane whose row does not exist stay away from the product?
}

// --- Tiles by cp_async, fragments by ldmatrix ----------------------------------------------------

NIBBLE_LAUNCH(matmul_mma_tiled_kernel, .block_x = 32);

NIBBLE_KERNEL void matmul_mma_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                           std::int32_t* c, std::int64_t m, std::int64_t n,
                                           std::int64_t k) {
  // Order the first tiles. For every step along k: wait for what was ordered, let everybody
  // know, order the next tiles, multiply these. What does each of the two tiles of an
  // operand hold meanwhile, and where in it does piece q of a row lie?
}

}  // namespace nibble
