// The same lab with blocks that walk: each makes more outputs than it has threads, a row of vectors
// after the other. Scales wait in shared memory.
#include "cuda_quantize.hpp"

namespace nibble {
namespace {

/// A range of a row, from the first element of this block to where its work ends.
struct Range {
  std::int64_t begin, end;
};

__device__ Range range_of_block(std::uint32_t tile, std::int64_t n) {
  const std::int64_t begin = std::int64_t{blockIdx.x} * tile;
  return {begin, min(begin + tile, n)};
}

/// What int32 cannot hold is cut off before it is rounded. fminf and fmaxf prefer a number to
/// a NaN, so that a NaN has to go first.
__device__ int code_of(float x, float scale) {
  const float steps = x / scale;
  return isnan(steps) ? 0 : __float2int_rn(fminf(127.0f, fmaxf(-128.0f, steps)));
}

/// Four codes as the bytes of a word, the first one lowest.
__device__ unsigned word_of(int a, int b, int c, int d) {
  return static_cast<unsigned char>(a) | static_cast<unsigned char>(b) << 8 |
         static_cast<unsigned char>(c) << 16 | unsigned{static_cast<unsigned char>(d)} << 24;
}

__device__ unsigned codes_of(float2 ab, float2 cd, float scale) {
  return word_of(code_of(ab.x, scale), code_of(ab.y, scale), code_of(cd.x, scale),
                 code_of(cd.y, scale));
}

__device__ float2 both(unsigned word) {
  return __half22float2(__halves2half2(__ushort_as_half(static_cast<unsigned short>(word)),
                                       __ushort_as_half(static_cast<unsigned short>(word >> 16))));
}

}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 64, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const Range range = range_of_block(quantize_kernel_launch.tile_n, n);
  for (std::int64_t i = range.begin + threadIdx.x; i < range.end; i += blockDim.x) {
    q[i] = static_cast<std::int8_t>(code_of(x[i], scale));
  }
}

NIBBLE_LAUNCH(quantize_vectorized_kernel, .block_x = 64, .tile_n = 1024);

NIBBLE_KERNEL void quantize_vectorized_kernel(const float* x, std::int8_t* q, float scale,
                                              std::int64_t n) {
  const Range range = range_of_block(quantize_vectorized_kernel_launch.tile_n, n);
  const std::int64_t whole = range.end - range.end % 4;
  for (std::int64_t i = range.begin + 4 * threadIdx.x; i < whole; i += 4 * blockDim.x) {
    const float4 four = *reinterpret_cast<const float4*>(&x[i]);
    *reinterpret_cast<unsigned*>(&q[i]) =
        codes_of(make_float2(four.x, four.y), make_float2(four.z, four.w), scale);
  }
  for (std::int64_t i = whole + threadIdx.x; i < range.end; i += blockDim.x) {
    q[i] = static_cast<std::int8_t>(code_of(x[i], scale));
  }
}

NIBBLE_LAUNCH(quantize_half_kernel, .block_x = 64, .tile_n = 2048);

NIBBLE_KERNEL void quantize_half_kernel(const __half* x, std::int8_t* q, float scale,
                                        std::int64_t n) {
  const Range range = range_of_block(quantize_half_kernel_launch.tile_n, n);
  const std::int64_t whole = range.end - range.end % 8;
  for (std::int64_t i = range.begin + 8 * threadIdx.x; i < whole; i += 8 * blockDim.x) {
    const int4 eight = *reinterpret_cast<const int4*>(&x[i]);
    *reinterpret_cast<uint2*>(&q[i]) = make_uint2(codes_of(both(eight.x), both(eight.y), scale),
                                                  codes_of(both(eight.z), both(eight.w), scale));
  }
  for (std::int64_t i = whole + threadIdx.x; i < range.end; i += blockDim.x) {
    q[i] = static_cast<std::int8_t>(code_of(float(x[i]), scale));
  }
}

NIBBLE_LAUNCH(dequantize_kernel, .block_x = 32, .block_y = 4, .tile_m = 16, .tile_n = 256);

NIBBLE_KERNEL void dequantize_kernel(const std::int8_t* q, const float* scales, float* x_hat,
                                     std::int64_t rows, std::int64_t cols) {
  __shared__ float row_scales[dequantize_kernel_launch.tile_m];
  const std::int64_t first = std::int64_t{blockIdx.y} * dequantize_kernel_launch.tile_m;
  const std::int64_t last = min(first + dequantize_kernel_launch.tile_m, rows);
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (first + thread < last) row_scales[thread] = scales[first + thread];
  __syncthreads();

  const Range columns = range_of_block(dequantize_kernel_launch.tile_n, cols);
  for (std::int64_t row = first + threadIdx.y; row < last; row += blockDim.y) {
    const float scale = row_scales[row - first];
    const std::int64_t begin = row * cols + columns.begin, end = row * cols + columns.end;
    if (cols % 4 != 0) {
      for (std::int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) x_hat[i] = scale * q[i];
      continue;
    }
    for (std::int64_t i = begin + 4 * threadIdx.x; i < end; i += 4 * blockDim.x) {
      const char4 codes = *reinterpret_cast<const char4*>(&q[i]);
      *reinterpret_cast<float4*>(&x_hat[i]) =
          make_float4(scale * codes.x, scale * codes.y, scale * codes.z, scale * codes.w);
    }
  }
}

}  // namespace nibble
