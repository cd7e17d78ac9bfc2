// The same lab in words that CUDA code likes: groups with an operation of one's own, lambdas around
// shared memory, loads with hints, code for one architecture.
#include "cuda_absmax.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <device_launch_parameters.h>
#include <math_constants.h>

#define SHARED __shared__

namespace nibble {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;

/// |x| as bits. Without the sign, floats are ordered as their bits are: 0, subnormal, normal,
/// infinity, NaN. So the maximum of these keeps a NaN, where fmaxf() would drop it.
__device__ unsigned magnitude(float x) { return __float_as_uint(x) & 0x7fffffffu; }
__device__ unsigned magnitude(float4 x) {
  return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
}

struct Larger {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a > b ? a : b; }
};

/// The largest of a chunk's elements that are this thread's: t, t + 256, t + 512 and t + 768, so
/// that a warp always reads 32 neighbours. A thread that has none brings 0, which no maximum minds.
__device__ unsigned own_maximum(const float* x, std::int64_t n) {
  const std::int64_t first = kChunk * blockIdx.x + threadIdx.x;
  unsigned own = 0;
  for (int k = 0; k < kChunk; k += kThreads) {
    if (first + k < n) own = max(own, magnitude(x[first + k]));
  }
  return own;
}

/// The largest value of a warp, known to all its lanes: those 16 apart exchange, then 8, 4, 2, 1.
__device__ unsigned warp_maximum(unsigned value) {
#if __CUDA_ARCH__ >= 800 && defined(__CUDACC__)
  namespace cg = cooperative_groups;
  return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), value, Larger{});
#else
  for (int apart = 16; apart > 0; apart /= 2) {
    value = max(value, __shfl_xor_sync(0xffffffffu, value, apart));
  }
  return value;
#endif
}

/// The largest value of a block, known to all its threads. For one call a kernel: a second one
/// would write of_warp while slow warps still read it.
__device__ unsigned block_maximum(unsigned value) {
  __shared__ unsigned of_warp[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_maximum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  return warp_maximum(of_warp[lane % kWarps]);  // each number four times: a maximum does not mind
}

}  // namespace

// --- One number for each chunk -------------------------------------------------------------------

NIBBLE_LAUNCH(absmax_block_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void absmax_block_kernel(const float* x, float* partial, std::int64_t n) {
  SHARED unsigned largest[kThreads];
  const auto [t, y, z] = threadIdx;
  auto put = [=](unsigned own) { largest[threadIdx.x] = own; };
  auto join = [](int a, int b) { largest[a] = max(largest[a], largest[b]); };
  put(own_maximum(x, n));
  // Each step joins the upper half to the lower, so the threads at work are the first ones, and
  // their words neighbours. Every thread comes to every barrier, at work or not.
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(t) < half) join(t, t + half);
  }
  if (t == 0) partial[blockIdx.x] = __uint_as_float(largest[0]);
}

NIBBLE_LAUNCH(absmax_warp_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void absmax_warp_kernel(const float* x, float* partial, std::int64_t n) {
  const unsigned largest = block_maximum(own_maximum(x, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = __uint_as_float(largest);
}

// --- One number for the whole tensor -------------------------------------------------------------

NIBBLE_LAUNCH(absmax_kernel, .block_x = 256, .tile_n = 4096);

NIBBLE_KERNEL void absmax_kernel(const float* x, float* amax, std::int64_t n) {
  constexpr int kFours = absmax_kernel_launch.tile_n / 4;  // of a block
  const auto* const fours = reinterpret_cast<const float4*>(x);
  const std::int64_t first = std::int64_t{kFours} * blockIdx.x + threadIdx.x;
  unsigned own = 0;
  for (int k = 0; k < kFours; k += kThreads) {  // none of these loads waits for another
    if (first + k >= n / 4) break;
    const float4 four = __ldcs(fours + first + k);
    own = max(own, magnitude(four));
  }
  // Up to three elements that make no four: the last block's.
  const std::int64_t rest = n / 4 * 4 + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1 && rest < n) own = max(own, magnitude(x[rest]));

  const unsigned largest = block_maximum(own);
  // A look first: most blocks have nothing to add.
  unsigned* const word = reinterpret_cast<unsigned*>(amax);
  if (threadIdx.x == 0 && *static_cast<volatile unsigned*>(word) < largest)
    atomicMax(word, largest);
}

// --- One scale for each row ----------------------------------------------------------------------

namespace {

/// Copies a row to `kept`, one or four floats at a time,
/// and returns the largest magnitude on the way.
template <class Floats>
__device__ unsigned keep_row(const float* row, float* kept, int cols) {
  const int count = cols / int(sizeof(Floats) / sizeof(float));
  unsigned own = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) {
    const Floats floats = reinterpret_cast<const Floats*>(row)[i];
    reinterpret_cast<Floats*>(kept)[i] = floats;
    own = max(own, magnitude(floats));
  }
  return own;
}

/// From the bits of the largest magnitude. Infinity is the first that is not finite.
__device__ float scale_of(unsigned amax) {
  constexpr unsigned kInfinity = 0x7f800000u;
  if (amax >= kInfinity) return CUDART_NAN_F;
  return amax == 0 ? 1.0f : fmaxf(__uint_as_float(amax) / 127.0f, FLT_MIN);
}

/// No clamp: |x| is at most amax. The conversion rounds ties to even, and makes 0 of a NaN.
__device__ std::int8_t code_of(float x, float scale) {
  return static_cast<std::int8_t>(__float2int_rn(x / scale));
}
__device__ char4 code_of(float4 x, float scale) {
  return make_char4(code_of(x.x, scale), code_of(x.y, scale), code_of(x.z, scale),
                    code_of(x.w, scale));
}

/// Each thread takes the elements that it kept itself, so no barrier has to come before.
template <class Floats, class Codes>
__device__ void store_codes(const float* kept, std::int8_t* row, int cols, float scale) {
  const int count = cols / int(sizeof(Floats) / sizeof(float));
  for (int i = threadIdx.x; i < count; i += kThreads) {
    const Floats floats = reinterpret_cast<const Floats*>(kept)[i];
    const Codes codes = code_of(floats, scale);
    reinterpret_cast<Codes*>(row)[i] = codes;
  }
}

}  // namespace

NIBBLE_LAUNCH(quantize_rows_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_kernel(const float* x, std::int8_t* q, float* scale,
                                        std::int64_t rows, int cols) {
  __shared__ float4 space[kMostColumns / 4];
  float* const kept = reinterpret_cast<float*>(space);
  const std::int64_t r = blockIdx.x;
  const float* const x_row = x + r * cols;
  std::int8_t* const q_row = q + r * cols;

  const bool in_fours = cols % 4 == 0;  // then every row begins at a multiple of 16 bytes
  const unsigned amax = block_maximum(in_fours ? keep_row<float4>(x_row, kept, cols)
                                               : keep_row<float>(x_row, kept, cols));
  const float row_scale = scale_of(amax);
  if (in_fours) {
    store_codes<float4, char4>(kept, q_row, cols, row_scale);
  } else {
    store_codes<float, std::int8_t>(kept, q_row, cols, row_scale);
  }
  if (threadIdx.x == 0) scale[r] = row_scale;
}

NIBBLE_LAUNCH(quantize_rows_asymmetric_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_asymmetric_kernel(const float* __restrict__ x, std::int8_t* q,
                                                   float* scale, std::int32_t* zero_point,
                                                   std::int64_t rows, int cols) {
  SHARED float kept[kMostColumns];
  const float* const from = x + std::int64_t{blockIdx.x} * cols;
  unsigned below = 0, above = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float value = __ldg(from + c);
    kept[c] = value;
    const unsigned bits = magnitude(value);
    if (signbit(value) || isnan(value)) below = below > bits ? below : bits;
    if (!signbit(value) || isnan(value)) above = above > bits ? above : bits;
  }
  below = block_maximum(below);
  __syncthreads();
  above = block_maximum(above);
  const float lo = -__uint_as_float(below), width = __uint_as_float(above) - lo;
  const bool has_range = isfinite(width);
  const float step = !has_range      ? CUDART_NAN_F
                     : width == 0.0f ? 1.0f
                                     : fmaxf(__fdiv_rn(width, 255.0f), FLT_MIN);
  const int shift = has_range ? -128 - __float2int_rn(__fdiv_rn(lo, step)) : 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const int code = __float2int_rn(__fdiv_rn(kept[c], step)) + shift;
    q[std::int64_t{blockIdx.x} * cols + c] = static_cast<std::int8_t>(min(max(code, -128), 127));
  }
  if (threadIdx.x == 0) scale[blockIdx.x] = step, zero_point[blockIdx.x] = shift;
}

}  // namespace nibble
