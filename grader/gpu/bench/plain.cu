// Every kernel that is timed, as its contract says it and no cleverer: the answer that the outputs
// of the others are held against, and the time that they are faster than. One output a thread.
#include <cfloat>
#include <cstdint>

#include <cuda_fp16.h>

#include "nibble/launch.hpp"

namespace nibble {
namespace {

constexpr unsigned kLine = 256;              // threads of a block over one row
constexpr unsigned kAcross = 8, kDown = 32;  // over a matrix

__device__ std::int64_t flat() { return std::int64_t{blockIdx.x} * kLine + threadIdx.x; }
__device__ std::int64_t column() { return std::int64_t{blockIdx.x} * kAcross + threadIdx.x; }
__device__ std::int64_t row() { return std::int64_t{blockIdx.y} * kDown + threadIdx.y; }

/// clamp(round(v)) to all 256 codes; a NaN is 0.
__device__ std::int8_t code_of(float v) {
  if (isnan(v)) return 0;
  return static_cast<std::int8_t>(rintf(fminf(fmaxf(v, -128.0f), 127.0f)));
}

__device__ std::int32_t dot(const std::int8_t* a, const std::int8_t* b, std::int64_t k,
                            std::int64_t b_step) {
  std::int32_t sum = 0;
  for (std::int64_t p = 0; p < k; ++p) sum += a[p] * b[p * b_step];
  return sum;
}

__device__ float real_of(std::int32_t acc, float scale, float bias) {
  const float v = __fadd_rn(__fmul_rn(static_cast<float>(acc), scale), bias);
  return v < 0.0f ? 0.0f : v;
}

/// The sum saturates; so does the conversion; and the clamp is made where nothing overflows.
__device__ std::int8_t requantized(std::int32_t acc, float ratio, std::int32_t bias,
                                   std::int32_t zero_point) {
  const std::int64_t sum = std::int64_t{acc} + bias;
  const std::int64_t most = INT32_MAX, least = INT32_MIN;
  const auto fits = static_cast<std::int32_t>(sum > most ? most : sum < least ? least : sum);
  const std::int64_t code =
      std::int64_t{__float2int_rn(static_cast<float>(fits) * ratio)} + zero_point;
  return static_cast<std::int8_t>(code < zero_point ? zero_point : code > 127 ? 127 : code);
}

__device__ float magnitude_of_chunk(const float* x, std::int64_t begin, std::int64_t end) {
  float largest = 0.0f;
  for (std::int64_t i = begin; i < end; ++i) {
    if (isnan(x[i])) return x[i];
    largest = fmaxf(largest, fabsf(x[i]));
  }
  return largest;
}

}  // namespace

// --- Lab 19 --------------------------------------------------------------------------------------

NIBBLE_LAUNCH(quantize_kernel, .block_x = kLine, .tile_n = kLine);
NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  if (const std::int64_t i = flat(); i < n) q[i] = code_of(x[i] / scale);
}

NIBBLE_LAUNCH(quantize_vectorized_kernel, .block_x = kLine, .tile_n = kLine);
NIBBLE_KERNEL void quantize_vectorized_kernel(const float* x, std::int8_t* q, float scale,
                                              std::int64_t n) {
  if (const std::int64_t i = flat(); i < n) q[i] = code_of(x[i] / scale);
}

NIBBLE_LAUNCH(quantize_half_kernel, .block_x = kLine, .tile_n = kLine);
NIBBLE_KERNEL void quantize_half_kernel(const __half* x, std::int8_t* q, float scale,
                                        std::int64_t n) {
  if (const std::int64_t i = flat(); i < n) q[i] = code_of(__half2float(x[i]) / scale);
}

NIBBLE_LAUNCH(dequantize_kernel, .block_x = kAcross, .block_y = kDown, .tile_m = kDown,
              .tile_n = kAcross);
NIBBLE_KERNEL void dequantize_kernel(const std::int8_t* q, const float* scales, float* x_hat,
                                     std::int64_t rows, std::int64_t cols) {
  const std::int64_t i = row(), j = column();
  if (i < rows && j < cols) x_hat[i * cols + j] = scales[i] * static_cast<float>(q[i * cols + j]);
}

// --- Lab 20 --------------------------------------------------------------------------------------

constexpr std::int64_t kChunk = 1024;

NIBBLE_LAUNCH(absmax_block_kernel, .block_x = kLine, .tile_n = kLine);
NIBBLE_KERNEL void absmax_block_kernel(const float* x, float* partial, std::int64_t n) {
  const std::int64_t begin = flat() * kChunk;
  if (begin < n) partial[flat()] = magnitude_of_chunk(x, begin, min(n, begin + kChunk));
}

NIBBLE_LAUNCH(absmax_warp_kernel, .block_x = kLine, .tile_n = kLine);
NIBBLE_KERNEL void absmax_warp_kernel(const float* x, float* partial, std::int64_t n) {
  const std::int64_t begin = flat() * kChunk;
  if (begin < n) partial[flat()] = magnitude_of_chunk(x, begin, min(n, begin + kChunk));
}

NIBBLE_LAUNCH(absmax_kernel, .block_x = kLine, .tile_n = kLine * kChunk);
NIBBLE_KERNEL void absmax_kernel(const float* x, float* amax, std::int64_t n) {
  const std::int64_t begin = flat() * kChunk;
  if (begin >= n) return;
  const float largest = magnitude_of_chunk(x, begin, min(n, begin + kChunk));
  atomicMax(reinterpret_cast<unsigned*>(amax),
            __float_as_uint(largest));  // no sign: in order as bits
}

NIBBLE_LAUNCH(quantize_rows_kernel, .block_x = kLine, .tile_n = kLine);
NIBBLE_KERNEL void quantize_rows_kernel(const float* x, std::int8_t* q, float* scale,
                                        std::int64_t rows, int cols) {
  const std::int64_t r = flat();
  if (r >= rows) return;
  const float amax = magnitude_of_chunk(x, r * cols, (r + 1) * cols);
  const float own = amax == 0 ? 1.0f : fmaxf(amax / 127.0f, FLT_MIN);
  for (int c = 0; c < cols; ++c) q[r * cols + c] = code_of(x[r * cols + c] / own);
  scale[r] = own;
}

// --- Labs 21, 22 and 25: one product under many names --------------------------------------------

NIBBLE_LAUNCH(matmul_naive_kernel, .block_x = 32, .block_y = 8, .tile_m = 8, .tile_n = 32);
NIBBLE_KERNEL void matmul_naive_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = std::int64_t{blockIdx.y} * 8 + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * 32 + threadIdx.x;
  if (i < m && j < n) c[i * n + j] = dot(a + i * k, b + j, k, n);
}

NIBBLE_LAUNCH(matmul_tiled_kernel, .block_x = 32, .block_y = 8, .tile_m = 8, .tile_n = 32);
NIBBLE_KERNEL void matmul_tiled_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = std::int64_t{blockIdx.y} * 8 + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * 32 + threadIdx.x;
  if (i < m && j < n) c[i * n + j] = dot(a + i * k, b + j, k, n);
}

#define NIBBLE_PLAIN_PRODUCT(kernel)                                                               \
  NIBBLE_LAUNCH(kernel, .block_x = kAcross, .block_y = kDown, .tile_m = kDown, .tile_n = kAcross); \
  NIBBLE_KERNEL void kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,         \
                            std::int64_t m, std::int64_t n, std::int64_t k) {                      \
    const std::int64_t i = row(), j = column();                                                    \
    if (i < m && j < n) c[i * n + j] = dot(a + i * k, b_t + j * k, k, 1);                          \
  }
NIBBLE_PLAIN_PRODUCT(matmul_transposed_kernel)
NIBBLE_PLAIN_PRODUCT(matmul_register_kernel)
NIBBLE_PLAIN_PRODUCT(matmul_wmma_kernel)
NIBBLE_PLAIN_PRODUCT(matmul_mma_kernel)
NIBBLE_PLAIN_PRODUCT(matmul_mma_tiled_kernel)

#define NIBBLE_PLAIN_PADDED_PRODUCT(kernel)                                                        \
  NIBBLE_LAUNCH(kernel, .block_x = kAcross, .block_y = kDown, .tile_m = kDown, .tile_n = kAcross); \
  NIBBLE_KERNEL void kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,         \
                            std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t pitch) {  \
    const std::int64_t i = row(), j = column();                                                    \
    if (i < m && j < n) c[i * n + j] = dot(a + i * pitch, b_t + j * pitch, k, 1);                  \
  }
NIBBLE_PLAIN_PADDED_PRODUCT(matmul_dp4a_naive_kernel)
NIBBLE_PLAIN_PADDED_PRODUCT(matmul_dp4a_tiled_kernel)
NIBBLE_PLAIN_PADDED_PRODUCT(matmul_dp4a_register_kernel)

// --- Lab 24 --------------------------------------------------------------------------------------

NIBBLE_LAUNCH(scale_bias_relu_kernel, .block_x = kAcross, .block_y = kDown, .tile_m = kDown,
              .tile_n = kAcross);
NIBBLE_KERNEL void scale_bias_relu_kernel(const std::int32_t* acc, float a_scale,
                                          const float* b_scales, const float* bias, float* c,
                                          std::int64_t m, std::int64_t n) {
  const std::int64_t i = row(), j = column();
  if (i < m && j < n) c[i * n + j] = real_of(acc[i * n + j], a_scale * b_scales[j], bias[j]);
}

NIBBLE_LAUNCH(requantize_kernel, .block_x = kAcross, .block_y = kDown, .tile_m = kDown,
              .tile_n = kAcross);
NIBBLE_KERNEL void requantize_kernel(const std::int32_t* acc, const float* ratios,
                                     const std::int32_t* bias, std::int8_t* c,
                                     std::int32_t zero_point, std::int64_t m, std::int64_t n) {
  const std::int64_t i = row(), j = column();
  if (i < m && j < n) c[i * n + j] = requantized(acc[i * n + j], ratios[j], bias[j], zero_point);
}

NIBBLE_LAUNCH(matmul_fused_kernel, .block_x = kAcross, .block_y = kDown, .tile_m = kDown,
              .tile_n = kAcross);
NIBBLE_KERNEL void matmul_fused_kernel(const std::int8_t* a, const std::int8_t* b_t, float a_scale,
                                       const float* b_scales, const float* bias, float* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = row(), j = column();
  if (i >= m || j >= n) return;
  c[i * n + j] = real_of(dot(a + i * k, b_t + j * k, k, 1), a_scale * b_scales[j], bias[j]);
}

NIBBLE_LAUNCH(matmul_requantized_kernel, .block_x = kAcross, .block_y = kDown, .tile_m = kDown,
              .tile_n = kAcross);
NIBBLE_KERNEL void matmul_requantized_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                             const float* ratios, const std::int32_t* bias,
                                             std::int8_t* c, std::int32_t zero_point,
                                             std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = row(), j = column();
  if (i >= m || j >= n) return;
  c[i * n + j] = requantized(dot(a + i * k, b_t + j * k, k, 1), ratios[j], bias[j], zero_point);
}

}  // namespace nibble
