// Lab 26. The contract is in cuda_half_fp8.hpp; the story is in README.md.
// Check yourself:  ./nibble run 26        (or leave ./nibble watch open)
#include "cuda_half_fp8.hpp"

#include <cuda_fp8.h>
#include <mma.h>

#include "nibble/device/mma.hpp"
#include "nibble/device/mma_fp8.hpp"

namespace wmma = nvcuda::wmma;

namespace nibble {

// --- int8 codes as halves ------------------------------------------------------------------------

// How many codes does a thread of yours turn into halves, and which threads share a row?
NIBBLE_LAUNCH(dequantize_to_half_kernel, .block_x = 32);

NIBBLE_KERNEL void dequantize_to_half_kernel(const std::int8_t* q, const float* scales, __half* h,
                                             std::int64_t rows, std::int64_t k) {
  // Which 8 codes are this thread's? What is the type of the product that is rounded to a half?
}

// --- Floats as nibbles ---------------------------------------------------------------------------

// How many groups does a warp have, when a lane has four floats?
NIBBLE_LAUNCH(quantize_int4_kernel, .block_x = 32);

NIBBLE_KERNEL void quantize_int4_kernel(const float* x, std::uint8_t* w4, float* scales,
                                        std::int64_t rows, std::int64_t k, int group_size) {
  // Which lanes share a group, and how do they learn its largest magnitude? Which of them
  // writes the scale? In which bits of its two bytes do the four codes of a lane lie?
}

// --- Floats as e4m3 ------------------------------------------------------------------------------

// How many threads look for the largest magnitude of a row?
NIBBLE_LAUNCH(quantize_fp8_kernel, .block_x = 32);

NIBBLE_KERNEL void quantize_fp8_kernel(const float* x, std::uint8_t* q, float* scales, float limit,
                                       std::int64_t rows, std::int64_t k) {
  // First the largest magnitude of the row, which all lanes have to know; then the codes.
  // What does the conversion make of a number beyond 448?
}

// --- Halves, with WMMA ---------------------------------------------------------------------------

// How many warps should a block have, and what part of d do they make?
NIBBLE_LAUNCH(gemm_half_kernel, .block_x = 32);

NIBBLE_KERNEL void gemm_half_kernel(const __half* a, const __half* b_t, const float* c, float* d,
                                    float alpha, float beta, std::int64_t m, std::int64_t n,
                                    std::int64_t k) {
  // Sums start as zeros, and are floats. For every step along k: load tiles, wait, multiply,
  // wait. Which warps have nothing to multiply, and what are they still for? When is c read?
}

// --- bfloat16, with mma.sync ---------------------------------------------------------------------

NIBBLE_LAUNCH(gemm_bfloat16_kernel, .block_x = 32);

NIBBLE_KERNEL void gemm_bfloat16_kernel(const __nv_bfloat16* a, const __nv_bfloat16* b_t,
                                        const float* c, float* d, float alpha, float beta,
                                        std::int64_t m, std::int64_t n, std::int64_t k) {
  // Which g and t is this lane? Fetch its four words of a and two of b_t, zeros for rows
  // that do not exist, and multiply. Which of d's elements are in its four sums?
}

// --- e4m3, in two levels -------------------------------------------------------------------------

NIBBLE_LAUNCH(gemm_fp8_kernel, .block_x = 32);

NIBBLE_KERNEL void gemm_fp8_kernel(const std::uint8_t* a, const std::uint8_t* b_t,
                                   const float* a_scales, const float* b_scales, float* d,
                                   std::int64_t m, std::int64_t n, std::int64_t k) {
  // The words of the kernel above, with four codes each. Where does a partial sum begin, and
  // where does it go? Which scale belongs to a row of d, which to a column?
}

}  // namespace nibble
