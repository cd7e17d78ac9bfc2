#include "cuda_quantize.hpp"

namespace nibble {
namespace {

// What several kernels need can stand here, as __device__ functions.

}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  // TODO(lab19): which element is this thread's, and is there one?
}

// TODO(lab19): how many elements does a block of yours make?
NIBBLE_LAUNCH(quantize_vectorized_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_vectorized_kernel(const float* x, std::int8_t* q, float scale,
                                              std::int64_t n) {
  // TODO(lab19): four elements at once, and what is left of n one by one
}

// TODO(lab19): how many elements does a block of yours make?
NIBBLE_LAUNCH(quantize_half_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_half_kernel(const __half* x, std::int8_t* q, float scale,
                                        std::int64_t n) {
  // TODO(lab19): eight elements at once, their codes joined into 8 bytes
}

// TODO(lab19): which threads of a block share a row?
NIBBLE_LAUNCH(dequantize_kernel, .block_x = 32, .tile_n = 32);

NIBBLE_KERNEL void dequantize_kernel(const std::int8_t* q, const float* scales, float* x_hat,
                                     std::int64_t rows, std::int64_t cols) {
  // TODO(lab19): one scale a thread, four columns a thread, any number of columns
}

}  // namespace nibble
