// Lab 24. The contract is in cuda_fused.hpp; the story is in README.md.
// Check yourself:  ./nibble run 24        (or leave ./nibble watch open)
#include "cuda_fused.hpp"

namespace nibble {
namespace {

// What several kernels need can stand here, as __device__ functions: both epilogues do.

}  // namespace

// --- Sums to real numbers ------------------------------------------------------------------------

// How many rows should a thread make, when its scale and its bias are those of a column?
NIBBLE_LAUNCH(scale_bias_relu_kernel, .block_x = 32);

NIBBLE_KERNEL void scale_bias_relu_kernel(const std::int32_t* acc, float a_scale,
                                          const float* b_scales, const float* bias, float* c,
                                          std::int64_t m, std::int64_t n) {
  // TODO(lab24): fetch what belongs to the channel; then go down its column. Which index
  // changes from lane to lane, which from row to row? What does a NaN become?
}

// --- Sums to codes -------------------------------------------------------------------------------

// How many columns are four codes a thread, for a warp?
NIBBLE_LAUNCH(requantize_kernel, .block_x = 32);

NIBBLE_KERNEL void requantize_kernel(const std::int32_t* acc, const float* ratios,
                                     const std::int32_t* bias, std::int8_t* c,
                                     std::int32_t zero_point, std::int64_t m, std::int64_t n) {
  // TODO(lab24): four neighbours at once, where n allows it. In which order do rounding,
  // zero point and clamp come, and which of them could overflow?
}

// --- The product, and real numbers ---------------------------------------------------------------

NIBBLE_LAUNCH(matmul_fused_kernel, .block_x = 32);

NIBBLE_KERNEL void matmul_fused_kernel(const std::int8_t* a, const std::int8_t* b_t, float a_scale,
                                       const float* b_scales, const float* bias, float* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  // TODO(lab24): 1. the product, in registers, as in lab 22  2. what scale_bias_relu does to
  // each sum  3. the only thing that is written. What is fetched once for several rows?
}

// --- The product, and codes ----------------------------------------------------------------------

NIBBLE_LAUNCH(matmul_requantized_kernel, .block_x = 32);

NIBBLE_KERNEL void matmul_requantized_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                             const float* ratios, const std::int32_t* bias,
                                             std::int8_t* c, std::int32_t zero_point,
                                             std::int64_t m, std::int64_t n, std::int64_t k) {
  // TODO(lab24): the same product, the other epilogue. Which four columns should a thread
  // have, so that its codes are a word of c? In which banks are their rows of b_t then?
}

// --- The product of codes with zero points -------------------------------------------------------

NIBBLE_LAUNCH(matmul_asymmetric_kernel, .block_x = 32);

NIBBLE_KERNEL void matmul_asymmetric_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            float a_scale, std::int32_t a_zero_point,
                                            const float* b_scales,
                                            const std::int32_t* b_zero_points, float* c,
                                            std::int64_t m, std::int64_t n, std::int64_t k) {
  // TODO(lab24): the product, and beside it the sums of a thread's rows and columns: which
  // words does it hold anyway, and what does __dp4a with four ones do to one of them?
}

}  // namespace nibble
