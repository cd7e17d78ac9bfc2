// Lab 27. The contract is in cuda_binary.hpp; the story is in README.md.
// Check yourself:  ./nibble run 27        (or leave ./nibble watch open)
#include "cuda_binary.hpp"

namespace nibble {

// --- Signs to bits -------------------------------------------------------------------------------

// How many words does a warp have to make before it may write whole sectors?
NIBBLE_LAUNCH(pack_signs_kernel, .block_x = 1);

NIBBLE_KERNEL void pack_signs_kernel(const float* x, std::uint32_t* bits, std::int64_t rows,
                                     std::int64_t cols) {
  // 32 neighbours of a row are one vote of the warp, and give one word. Who answers where
  // the row has ended? Which lane keeps which word, until they are written together?
}

// --- The product, words from global memory -------------------------------------------------------

// Which 32 outputs of c share the most rows of a and of b_t?
NIBBLE_LAUNCH(binary_matmul_kernel, .block_x = 1);

NIBBLE_KERNEL void binary_matmul_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                        std::int32_t* c, std::int64_t m, std::int64_t n,
                                        std::int64_t k) {
  // Count where the two rows differ, 32 columns at a time. What does that make the sum?
  // Which bits of which word must not be counted?
}

// --- The product, through tiles ------------------------------------------------------------------

NIBBLE_LAUNCH(binary_matmul_tiled_kernel, .block_x = 1);

NIBBLE_KERNEL void binary_matmul_tiled_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                              std::int32_t* c, std::int64_t m, std::int64_t n,
                                              std::int64_t k) {
  // For every step along k: 1. load a tile of words of a and one of b_t, 0 beyond the
  // edges and in the tail  2. wait  3. count where they differ  4. wait.
  // In which banks do 32 rows of the tile of b_t begin?
}

// --- What a sign stands for ----------------------------------------------------------------------

// One warp a row: how many rows is that a block?
NIBBLE_LAUNCH(binarize_rows_kernel, .block_x = 1);

NIBBLE_KERNEL void binarize_rows_kernel(const float* w, std::uint32_t* bits, float* alpha,
                                        std::int64_t rows, std::int64_t cols) {
  // Each lane meets every 32nd column: it has a bit of each word, and a sum of its own.
  // How do 32 sums become one in five exchanges? Who writes it?
}

}  // namespace nibble
