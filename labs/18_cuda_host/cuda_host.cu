#include "cuda_host.hpp"

namespace nibble {

// The kernels are ready. In each, a thread works on one element; threads too many do nothing.

__device__ std::int64_t index_of_thread() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ std::int8_t code_of(float x, float scale) {
  return static_cast<std::int8_t>(max(-128, min(127, __float2int_rn(x / scale))));
}

__global__ void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  if (i < n) q[i] = code_of(x[i], scale);
}

/// Adds 1 to counts[q[i] + 128].
__global__ void count_kernel(const std::int8_t* q, std::int32_t* counts, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  if (i < n) atomicAdd(&counts[q[i] + 128], 1);
}

/// Raises *absmax_bits to the bits of max |x[i]|: floats that are not negative are ordered as their
/// bits.
__global__ void absmax_kernel(const float* x, unsigned* absmax_bits, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  if (i < n) atomicMax(absmax_bits, __float_as_uint(fabsf(x[i])));
}

/// Quantizes with the scale that belongs to *absmax_bits.
__global__ void quantize_by_absmax_kernel(const float* x, std::int8_t* q,
                                          const unsigned* absmax_bits, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  const float absmax = __uint_as_float(*absmax_bits);
  if (i < n) q[i] = code_of(x[i], absmax > 0.0f ? fmaxf(absmax / 127.0f, FLT_MIN) : 1.0f);
}

/// c[row,column] = sum over p of a[row,p] * b[p,column]: of a [m,k] and b [k,n], row-major. Rows
/// run along y of the grid, columns along x.
__global__ void multiply_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t column = index_of_thread();
  if (row < m && column < n) {
    std::int32_t total = 0;
    for (std::int64_t p = k; p-- > 0;) total += a[row * k + p] * b[p * n + column];
    c[row * n + column] = total;
  }
}


int copy_through_device(std::span<const float> x, std::span<float> y) {
  NIBBLE_TODO("there, across and back; what does the third copy read if the first fails?");
}

int quantize_on_device(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       int block_size) {
  NIBBLE_TODO("launch a grid that covers x, and ask whether it was launched");
}

int count_codes(std::span<const std::int8_t> q, std::span<std::int32_t> counts) {
  NIBBLE_TODO("what do the counters hold before the kernel adds to them?");
}


int quantize_in_chunks(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       std::int64_t chunk) {
  NIBBLE_TODO("two streams take turns; when may a stream's memory be used again?");
}


int quantize_with_own_scale(std::span<const float> x, std::span<std::int8_t> q,
                            std::span<float> scale) {
  NIBBLE_TODO("who has to wait for whom before anything is quantized?");
}


int multiply_on_device(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                       std::span<std::int32_t> c, MatmulShape shape) {
  NIBBLE_TODO("which stream brings b, and how does the other one know that it is there?");
}

}  // namespace nibble
