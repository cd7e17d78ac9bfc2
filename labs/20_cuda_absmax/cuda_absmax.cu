#include "cuda_absmax.hpp"

namespace nibble {
namespace {


}  // namespace

// --- One number for each chunk -------------------------------------------------------------------

NIBBLE_LAUNCH(absmax_block_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void absmax_block_kernel(const float* x, float* partial, std::int64_t n) {
  // one number a thread; then half as many threads with two each, and half of those
}

NIBBLE_LAUNCH(absmax_warp_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void absmax_warp_kernel(const float* x, float* partial, std::int64_t n) {
  // first within each warp, without memory; then among what the warps have found
}

// --- One number for the whole tensor -------------------------------------------------------------

NIBBLE_LAUNCH(absmax_kernel, .block_x = 256, .tile_n = 4096);

NIBBLE_KERNEL void absmax_kernel(const float* x, float* amax, std::int64_t n) {
  // one number a block as before; then something that all blocks may do at once
}

// --- One scale for each row ----------------------------------------------------------------------


NIBBLE_LAUNCH(quantize_rows_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_kernel(const float* x, std::int8_t* q, float* scale,
                                        std::int64_t rows, int cols) {
  // read the row and keep it; the scale is known to all when the last one has read
}


NIBBLE_LAUNCH(quantize_rows_asymmetric_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_asymmetric_kernel(const float* x, std::int8_t* q, float* scale,
                                                   std::int32_t* zero_point, std::int64_t rows,
                                                   int cols) {
  // two maxima of a block this time: what has to lie between them?
}

}  // namespace nibble
