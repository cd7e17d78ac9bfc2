// Lab 23. The contract is in cuda_int4.hpp; the story is in README.md.
// Check yourself:  ./nibble run 23        (or leave ./nibble watch open)
#include "cuda_int4.hpp"

namespace nibble {

// --- One byte a code -----------------------------------------------------------------------------

// How many codes does a thread of yours unpack, and how many rows does a block have?
NIBBLE_LAUNCH(unpack_int4_kernel, .block_x = 1);

NIBBLE_KERNEL void unpack_int4_kernel(const std::uint8_t* w4, std::int8_t* q, std::int64_t n,
                                      std::int64_t k, std::int64_t pitch) {
  // Which piece of which row is this thread's? How does a nibble get its sign, four of them
  // at a time? Which of the codes that it has loaded lie behind k?
}

// --- Floats, a scale for each group --------------------------------------------------------------

// How many codes make the 16 bytes that a thread can store at once?
NIBBLE_LAUNCH(dequantize_int4_kernel, .block_x = 1);

NIBBLE_KERNEL void dequantize_int4_kernel(const std::uint8_t* w4, const float* scales, float* w_hat,
                                          std::int64_t n, std::int64_t k, std::int64_t pitch,
                                          std::int64_t group_size) {
  // The widest store first: whose four floats are it? Which bytes are they made of, and
  // which scale is theirs?
}

// --- One row of activations, in binary16 ---------------------------------------------------------

// How many rows does a block make, when a warp makes one?
NIBBLE_LAUNCH(gemv_int4_kernel, .block_x = 1);

NIBBLE_KERNEL void gemv_int4_kernel(const std::uint8_t* w4, const float* scales, const __half* x,
                                    float* y, std::int64_t n, std::int64_t k, std::int64_t pitch,
                                    std::int64_t group_size) {
  // Which row is this warp's, and which of its words are this lane's, so that a warp reads
  // neighbours? Which lanes have to be there when the sums are shuffled? Who writes?
}

// --- Many rows of activations, in int8 -----------------------------------------------------------

// Which part of c should a block make, and how many outputs a thread?
NIBBLE_LAUNCH(matmul_int4_kernel, .block_x = 1);

NIBBLE_KERNEL void matmul_int4_kernel(const std::int8_t* a, const float* a_scales,
                                      const std::uint8_t* w4, const float* scales_t, float* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k,
                                      std::int64_t pitch, std::int64_t group_size) {
  // For every step along k: load tiles of a, of w4 and of scales, wait, multiply, wait. In
  // which order do the nibbles of a word fall apart, and in which are the activations? When
  // does an integer sum become a float? Where does a group end?
}

}  // namespace nibble
