// Maxima of floats that stay floats, smaller blocks, and rows that are kept in registers.
#include "cuda_absmax.hpp"

namespace nibble {
namespace {

constexpr unsigned kWarp = 0xffffffffu;

/// The larger of two magnitudes; a NaN wins on either side. (fmaxf() prefers the number.)
__device__ float larger(float a, float b) { return b > a || b != b ? b : a; }

__device__ float largest_of(float4 v) {
  return larger(larger(fabsf(v.x), fabsf(v.y)), larger(fabsf(v.z), fabsf(v.w)));
}

/// The largest of x[first], x[first + stride], ... before `end`.
__device__ float walk(const float* x, std::int64_t first, std::int64_t end, int stride) {
  float largest = 0.0f;
  for (std::int64_t i = first; i < end; i += stride) largest = larger(largest, fabsf(x[i]));
  return largest;
}

__device__ std::int64_t end_of_chunk(std::int64_t n) {
  const std::int64_t end = kChunk * (std::int64_t{blockIdx.x} + 1);
  return end < n ? end : n;
}

/// Lane 0 knows the largest of its warp; what the others hold is of no use.
__device__ float to_lane_0(float value) {
  for (int down = 16; down > 0; down >>= 1) {
    value = larger(value, __shfl_down_sync(kWarp, value, down));
  }
  return value;
}

/// Thread 0 knows the largest of a block of kWarps whole warps.
template <int kWarps>
__device__ float to_thread_0(float value) {
  __shared__ float of_warp[kWarps];
  value = to_lane_0(value);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return 0.0f;  // a whole warp at a time: those that stay shuffle in full
  return to_lane_0(threadIdx.x < kWarps ? of_warp[threadIdx.x] : 0.0f);
}

}  // namespace

NIBBLE_LAUNCH(absmax_block_kernel, .block_x = 128, .tile_n = 1);

NIBBLE_KERNEL void absmax_block_kernel(const float* x, float* partial, std::int64_t n) {
  __shared__ float words[128];
  const unsigned t = threadIdx.x;
  float mine = walk(x, kChunk * blockIdx.x + t, end_of_chunk(n), 128);
  words[t] = mine;
  __syncthreads();
  for (unsigned active = 64; active > 0; active >>= 1) {
    if (t < active) words[t] = mine = larger(mine, words[t + active]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = mine;
}

NIBBLE_LAUNCH(absmax_warp_kernel, .block_x = 128, .tile_n = 1);

NIBBLE_KERNEL void absmax_warp_kernel(const float* x, float* partial, std::int64_t n) {
  const float mine = walk(x, kChunk * blockIdx.x + threadIdx.x, end_of_chunk(n), 128);
  const float largest = to_thread_0<4>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = largest;
}

NIBBLE_LAUNCH(absmax_kernel, .block_x = 128, .tile_n = 8192);

NIBBLE_KERNEL void absmax_kernel(const float* x, float* amax, std::int64_t n) {
  const float4* const fours = reinterpret_cast<const float4*>(x);
  const std::int64_t first = 2048 * std::int64_t{blockIdx.x};
  const std::int64_t end = first + 2048 < n / 4 ? first + 2048 : n / 4;
  float largest = 0.0f;
  for (std::int64_t i = first + threadIdx.x; i < end; i += 128) {
    const float4 four = fours[i];
    largest = larger(largest, largest_of(four));
  }
  // The rest is looked at by every block: a maximum does not mind, and it is three elements.
  if (threadIdx.x < n % 4) largest = larger(largest, fabsf(x[n - 1 - threadIdx.x]));
  largest = to_thread_0<4>(largest);
  // Floats that are not negative are in the order of their bits, as signed numbers too.
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<int*>(amax), __float_as_int(largest));
}

// -- rows: 512 threads, eight elements each, in registers -----------------------------------------

NIBBLE_LAUNCH(quantize_rows_kernel, .block_x = 512, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_kernel(const float* x, std::int8_t* q, float* scale, std::int64_t,
                                        int cols) {
  __shared__ float scale_of_row;
  const std::int64_t row = std::int64_t{blockIdx.x} * cols;
  float kept[kMostColumns / 512], largest = 0.0f;
  for (int k = 0; k < kMostColumns / 512; ++k) {
    const int c = k * 512 + int(threadIdx.x);
    kept[k] = c < cols ? x[row + c] : 0.0f;
    largest = larger(largest, fabsf(kept[k]));
  }
  largest = to_thread_0<16>(largest);
  if (threadIdx.x == 0) {
    scale_of_row = largest == 0.0f ? 1.0f : larger(largest / 127.0f, FLT_MIN);
    if (isinf(largest)) scale_of_row = largest - largest;
    scale[blockIdx.x] = scale_of_row;
  }
  __syncthreads();
  const float s = scale_of_row;
  for (int k = 0; k < kMostColumns / 512; ++k) {
    const int c = k * 512 + int(threadIdx.x);
    if (c < cols) q[row + c] = isnan(s) ? std::int8_t{0} : std::int8_t(rintf(kept[k] / s));
  }
}

// -- rows with a zero point: the row stays in registers, and thread 0 decides ---------------------

NIBBLE_LAUNCH(quantize_rows_asymmetric_kernel, .block_x = 512, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_asymmetric_kernel(const float* x, std::int8_t* q, float* scale,
                                                   std::int32_t* zero_point, std::int64_t,
                                                   int cols) {
  __shared__ float step;
  __shared__ int shift;
  const std::int64_t row = std::int64_t{blockIdx.x} * cols;
  float kept[kMostColumns / 512], up = 0.0f, down = 0.0f;
  for (int k = 0; k < kMostColumns / 512; ++k) {
    const int c = k * 512 + int(threadIdx.x);
    kept[k] = c < cols ? x[row + c] : 0.0f;
    up = larger(up, kept[k]);
    down = larger(down, -kept[k]);
  }
  up = to_thread_0<16>(up);
  __syncthreads();
  down = to_thread_0<16>(down);
  if (threadIdx.x == 0) {
    const float width = up + down;
    step = width == 0.0f ? 1.0f : larger(width / 255.0f, FLT_MIN);
    if (isnan(width) || isinf(width)) step = NAN;
    shift = isnan(step) ? 0 : -128 + int(rintf(down / step));
    scale[blockIdx.x] = step;
    zero_point[blockIdx.x] = shift;
  }
  __syncthreads();
  const float s = step;
  const int z = shift;
  for (int k = 0; k < kMostColumns / 512; ++k) {
    const int c = k * 512 + int(threadIdx.x);
    if (c >= cols) continue;
    const float code = isnan(s) ? 0.0f : rintf(kept[k] / s) + float(z);
    q[row + c] = std::int8_t(fminf(fmaxf(code, -128.0f), 127.0f));
  }
}

}  // namespace nibble
