// Bits as signed numbers, a last warp that needs no barrier of the block, a warp that is a whole
// block, and rows with one float4 a thread.
#include "cuda_absmax.hpp"

namespace nibble {
namespace {

__device__ int bits_of(float x) { return __float_as_int(fabsf(x)); }

__device__ int bits_of(float4 v) {
  int largest = bits_of(v.x);
  largest = max(largest, bits_of(v.y));
  largest = max(largest, bits_of(v.z));
  return max(largest, bits_of(v.w));
}

/// Four elements from index i on, as far as there are that many; what is missing counts as 0.
__device__ float4 four_at(const float* x, std::int64_t i, std::int64_t n) {
  if (i + 4 <= n) return *reinterpret_cast<const float4*>(x + i);
  float4 v = make_float4(0, 0, 0, 0);
  if (i < n) v.x = x[i];
  if (i + 1 < n) v.y = x[i + 1];
  if (i + 2 < n) v.z = x[i + 2];
  return v;
}

__device__ int largest_in_warp(int value) {
  value = max(value, __shfl_xor_sync(~0u, value, 1));
  value = max(value, __shfl_xor_sync(~0u, value, 2));
  value = max(value, __shfl_xor_sync(~0u, value, 4));
  value = max(value, __shfl_xor_sync(~0u, value, 8));
  return max(value, __shfl_xor_sync(~0u, value, 16));
}

/// For 1024 threads: 32 warps, so that one warp holds what all have found.
__device__ int largest_in_1024(int value) {
  __shared__ int of_warp[32];
  value = largest_in_warp(value);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  return largest_in_warp(of_warp[threadIdx.x % 32]);
}

}  // namespace

NIBBLE_LAUNCH(absmax_block_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void absmax_block_kernel(const float* x, float* partial, std::int64_t n) {
  __shared__ int words[256];
  const int t = threadIdx.x;
  words[t] = bits_of(four_at(x, kChunk * blockIdx.x + 4 * t, n));
  __syncthreads();
  for (int half = 128; half >= 32; half /= 2) {
    if (t < half) words[t] = max(words[t], words[t + half]);
    __syncthreads();
  }
  if (t >= 32) return;
  for (int half = 16; half > 0; half /= 2) {
    if (t < half) words[t] = max(words[t], words[t + half]);
    __syncwarp();
  }
  if (t == 0) partial[blockIdx.x] = __int_as_float(words[0]);
}

NIBBLE_LAUNCH(absmax_warp_kernel, .block_x = 32, .tile_n = 1);

NIBBLE_KERNEL void absmax_warp_kernel(const float* x, float* partial, std::int64_t n) {
  int largest = 0;
  for (int k = 0; k < 8; ++k) {
    const std::int64_t i = kChunk * blockIdx.x + 128 * k + 4 * threadIdx.x;
    largest = max(largest, bits_of(four_at(x, i, n)));
  }
  largest = largest_in_warp(largest);
  if (threadIdx.x == 0) partial[blockIdx.x] = __int_as_float(largest);
}

NIBBLE_LAUNCH(absmax_kernel, .block_x = 1024, .tile_n = 16384);

NIBBLE_KERNEL void absmax_kernel(const float* x, float* amax, std::int64_t n) {
  int largest = 0;
  for (int k = 0; k < 4; ++k) {
    const std::int64_t i = 16384 * std::int64_t{blockIdx.x} + 4096 * k + 4 * threadIdx.x;
    largest = max(largest, bits_of(four_at(x, i, n)));
  }
  largest = largest_in_1024(largest);
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<int*>(amax), largest);
}

NIBBLE_LAUNCH(quantize_rows_kernel, .block_x = 1024, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_kernel(const float* x, std::int8_t* q, float* scale, std::int64_t,
                                        int cols) {
  const int t = threadIdx.x;
  x += std::int64_t{blockIdx.x} * cols;
  q += std::int64_t{blockIdx.x} * cols;
  // Rows that begin between multiples of 16 bytes: columns t, t + 1024, ..., one at a time.
  const bool at_once = cols % 4 == 0;
  float4 v;
  if (at_once) {
    v = four_at(x, 4 * t, cols);
  } else {
    v.x = t < cols ? x[t] : 0.0f;
    v.y = t + 1024 < cols ? x[t + 1024] : 0.0f;
    v.z = t + 2048 < cols ? x[t + 2048] : 0.0f;
    v.w = t + 3072 < cols ? x[t + 3072] : 0.0f;
  }
  const float amax = __int_as_float(largest_in_1024(bits_of(v)));
  float s = amax / 127.0f;
  if (s < FLT_MIN) s = amax == 0.0f ? 1.0f : FLT_MIN;
  if (!isfinite(amax)) s = amax - amax;  // infinity minus infinity has no value either
  if (t == 0) scale[blockIdx.x] = s;

  char4 codes;
  codes.x = static_cast<signed char>(__float2int_rn(v.x / s));
  codes.y = static_cast<signed char>(__float2int_rn(v.y / s));
  codes.z = static_cast<signed char>(__float2int_rn(v.z / s));
  codes.w = static_cast<signed char>(__float2int_rn(v.w / s));
  if (at_once) {
    if (4 * t < cols) *reinterpret_cast<char4*>(q + 4 * t) = codes;
  } else {
    if (t < cols) q[t] = codes.x;
    if (t + 1024 < cols) q[t + 1024] = codes.y;
    if (t + 2048 < cols) q[t + 2048] = codes.z;
    if (t + 3072 < cols) q[t + 3072] = codes.w;
  }
}

NIBBLE_LAUNCH(quantize_rows_asymmetric_kernel, .block_x = 1024, .tile_n = 1);

/// One column after the other of 1024 each, whether rows begin at multiples of 16 bytes or not.
NIBBLE_KERNEL void quantize_rows_asymmetric_kernel(const float* x, std::int8_t* q, float* scale,
                                                   std::int32_t* zero_point, std::int64_t,
                                                   int cols) {
  const int t = threadIdx.x;
  x += std::int64_t{blockIdx.x} * cols;
  q += std::int64_t{blockIdx.x} * cols;
  float v[4];
  int below = 0, above = 0;
  for (int k = 0; k < 4; ++k) {
    v[k] = t + 1024 * k < cols ? x[t + 1024 * k] : 0.0f;
    if (!(v[k] >= 0.0f)) below = max(below, bits_of(v[k]));
    if (!(v[k] <= 0.0f)) above = max(above, bits_of(v[k]));
  }
  below = largest_in_1024(below);
  __syncthreads();
  above = largest_in_1024(above);
  const float lo = -__int_as_float(below), hi = __int_as_float(above);
  float s = (hi - lo) / 255.0f;
  int z = 0;
  if (!isfinite(hi - lo)) {
    s = __int_as_float(0x7fffffff);
  } else {
    if (s < FLT_MIN) s = below == 0 && above == 0 ? 1.0f : FLT_MIN;
    z = -(128 + __float2int_rn(lo / s));
  }
  if (t == 0) {
    scale[blockIdx.x] = s;
    zero_point[blockIdx.x] = z;
  }
  for (int k = 0; k < 4; ++k) {
    if (t + 1024 * k >= cols) break;
    const int code = __float2int_rn(v[k] / s) + z;
    q[t + 1024 * k] = static_cast<signed char>(code > 127 ? 127 : code < -128 ? -128 : code);
  }
}

}  // namespace nibble
