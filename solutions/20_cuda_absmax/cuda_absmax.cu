#include "cuda_absmax.hpp"

namespace nibble {
namespace {

// NIBBLE-BEGIN-SOLUTION
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAllLanes = 0xffffffffu;

/// |x| as bits. Without the sign, floats are ordered as their bits are: 0, subnormal, normal,
/// infinity, NaN. So the maximum of these keeps a NaN, where fmaxf() would drop it.
__device__ unsigned magnitude(float x) { return __float_as_uint(x) & 0x7fffffffu; }
__device__ unsigned magnitude(float4 x) {
  return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
}

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
  for (int distance = 16; distance > 0; distance /= 2) {
    value = max(value, __shfl_xor_sync(kAllLanes, value, distance));
  }
  return value;
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
// NIBBLE-END

}  // namespace

// --- One number for each chunk -------------------------------------------------------------------

NIBBLE_LAUNCH(absmax_block_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void absmax_block_kernel(const float* x, float* partial, std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ unsigned largest[kThreads];
  const int t = threadIdx.x;
  largest[t] = own_maximum(x, n);
  // Each step joins the upper half to the lower, so the threads at work are the first ones, and
  // their words neighbours. Every thread comes to every barrier, at work or not.
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) largest[t] = max(largest[t], largest[t + half]);
  }
  if (t == 0) partial[blockIdx.x] = __uint_as_float(largest[0]);
  // NIBBLE-STUB: // one number a thread; then half as many threads with two each, and half of those
  // NIBBLE-END
}

NIBBLE_LAUNCH(absmax_warp_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void absmax_warp_kernel(const float* x, float* partial, std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  const unsigned largest = block_maximum(own_maximum(x, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = __uint_as_float(largest);
  // NIBBLE-STUB: // first within each warp, without memory; then among what the warps have found
  // NIBBLE-END
}

// --- One number for the whole tensor -------------------------------------------------------------

NIBBLE_LAUNCH(absmax_kernel, .block_x = 256, .tile_n = 4096);

NIBBLE_KERNEL void absmax_kernel(const float* x, float* amax, std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  constexpr int kFours = absmax_kernel_launch.tile_n / 4;  // of a block
  const auto* const fours = reinterpret_cast<const float4*>(x);
  const std::int64_t first = std::int64_t{kFours} * blockIdx.x + threadIdx.x;
  unsigned own = 0;
  for (int k = 0; k < kFours; k += kThreads) {  // none of these loads waits for another
    if (first + k >= n / 4) break;
    const float4 four = fours[first + k];
    own = max(own, magnitude(four));
  }
  // Up to three elements that make no four: the last block's.
  const std::int64_t rest = n / 4 * 4 + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1 && rest < n) own = max(own, magnitude(x[rest]));

  const unsigned largest = block_maximum(own);
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<unsigned*>(amax), largest);
  // NIBBLE-STUB: // one number a block as before; then something that all blocks may do at once
  // NIBBLE-END
}

// --- One scale for each row ----------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
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
  constexpr unsigned kInfinity = 0x7f800000u, kNan = 0x7fc00000u;
  if (amax >= kInfinity) return __uint_as_float(kNan);
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
// NIBBLE-END

NIBBLE_LAUNCH(quantize_rows_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_kernel(const float* x, std::int8_t* q, float* scale,
                                        std::int64_t rows, int cols) {
  // NIBBLE-BEGIN-SOLUTION
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
  // NIBBLE-STUB: // read the row and keep it; the scale is known to all when the last one has read
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
namespace {

/// How far a row reaches below and above 0, as magnitudes. A NaN reaches to both sides.
struct Reach {
  unsigned below = 0, above = 0;
};
__device__ void widen(Reach& reach, float x) {
  if (!(x > 0.0f)) reach.below = max(reach.below, magnitude(x));
  if (!(x < 0.0f)) reach.above = max(reach.above, magnitude(x));
}
__device__ void widen(Reach& reach, float4 x) {
  widen(reach, x.x);
  widen(reach, x.y);
  widen(reach, x.z);
  widen(reach, x.w);
}

/// Copies a row to `kept`, as keep_row does, and looks to both sides.
template <class Vector>
__device__ Reach keep_reach(const float* row, float* kept, int cols) {
  Reach reach;
  for (int v = threadIdx.x; v < cols / int(sizeof(Vector) / sizeof(float)); v += kThreads) {
    const Vector four = reinterpret_cast<const Vector*>(row)[v];
    reinterpret_cast<Vector*>(kept)[v] = four;
    widen(reach, four);
  }
  return reach;
}

/// What a row of such a reach is quantized with. The width of finite numbers can be infinite.
struct Affine {
  float scale;
  int zero_point;
};
__device__ Affine affine_of(float lo, float hi) {
  const float width = hi - lo;
  if (!(width <= FLT_MAX)) return {__uint_as_float(0x7fc00000u), 0};
  const float step = width == 0.0f ? 1.0f : fmaxf(width / 255.0f, FLT_MIN);
  return {step, -128 - __float2int_rn(lo / step)};
}

/// The sum may be 128: lo and hi can both be rounded away from 0. A row without a range has a NaN
/// for its scale, of which the conversion makes 0.
__device__ std::int8_t shifted_code(float x, Affine by) {
  const int code = __float2int_rn(x / by.scale) + by.zero_point;
  return static_cast<std::int8_t>(max(-128, min(code, 127)));
}

}  // namespace
// NIBBLE-END

NIBBLE_LAUNCH(quantize_rows_asymmetric_kernel, .block_x = 256, .tile_n = 1);

NIBBLE_KERNEL void quantize_rows_asymmetric_kernel(const float* x, std::int8_t* q, float* scale,
                                                   std::int32_t* zero_point, std::int64_t rows,
                                                   int cols) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ float4 fours[kMostColumns / 4];
  float* const kept = reinterpret_cast<float*>(fours);
  const std::int64_t row = blockIdx.x;
  const float* const from = x + row * cols;
  std::int8_t* const to = q + row * cols;

  const bool by_four = cols % 4 == 0;
  const Reach own =
      by_four ? keep_reach<float4>(from, kept, cols) : keep_reach<float>(from, kept, cols);
  const unsigned below = block_maximum(own.below);
  __syncthreads();  // slow warps may still read what the first maximum left behind
  const unsigned above = block_maximum(own.above);
  const Affine by = affine_of(-__uint_as_float(below), __uint_as_float(above));

  if (by_four) {
    for (int v = threadIdx.x; v < cols / 4; v += kThreads) {
      const float4 four = fours[v];
      reinterpret_cast<char4*>(to)[v] =
          make_char4(shifted_code(four.x, by), shifted_code(four.y, by), shifted_code(four.z, by),
                     shifted_code(four.w, by));
    }
  } else {
    for (int c = threadIdx.x; c < cols; c += kThreads) to[c] = shifted_code(kept[c], by);
  }
  if (threadIdx.x == 0) {
    scale[row] = by.scale;
    zero_point[row] = by.zero_point;
  }
  // NIBBLE-STUB: // two maxima of a block this time: what has to lie between them?
  // NIBBLE-END
}

}  // namespace nibble
