#include "cuda_quantize.hpp"

namespace nibble {
namespace {

// NIBBLE-BEGIN-SOLUTION
/// __float2int_rn is one instruction: ties to even, NaN to 0, and what is too large for int32 to
/// the end of int32. The clamp of integers that follows never meets a wild number.
__device__ std::int8_t code_of(float x, float scale) {
  return static_cast<std::int8_t>(max(-128, min(127, __float2int_rn(x / scale))));
}

/// The codes of two halves that arrived in one word, in the two low bytes of another.
__device__ unsigned codes_of_pair(unsigned halves, float scale) {
  const float low = __half2float(__ushort_as_half(static_cast<unsigned short>(halves & 0xffff)));
  const float high = __half2float(__ushort_as_half(static_cast<unsigned short>(halves >> 16)));
  // A negative code, widened, has ones in all its upper bits: they must not reach the neighbours.
  return (code_of(low, scale) & 0xffu) | (code_of(high, scale) & 0xffu) << 8;
}

/// The first of the `count` elements that belong to this thread, of a row cut among all threads.
__device__ std::int64_t first_of(int count) {
  return count * (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
}
// NIBBLE-STUB: // What several kernels need can stand here, as __device__ functions.
// NIBBLE-END

}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t i = first_of(1);
  if (i < n) q[i] = code_of(x[i], scale);
  // NIBBLE-STUB: // TODO(lab19): which element is this thread's, and is there one?
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(quantize_vectorized_kernel, .block_x = 256, .tile_n = 4 * 256);
// NIBBLE-STUB: // TODO(lab19): how many elements does a block of yours make?
// NIBBLE-STUB: NIBBLE_LAUNCH(quantize_vectorized_kernel, .block_x = 256, .tile_n = 256);
// NIBBLE-END

NIBBLE_KERNEL void quantize_vectorized_kernel(const float* x, std::int8_t* q, float scale,
                                              std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t i = first_of(4);
  if (i + 4 <= n) {
    const float4 four = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<char4*>(q + i) = make_char4(code_of(four.x, scale), code_of(four.y, scale),
                                                  code_of(four.z, scale), code_of(four.w, scale));
    return;
  }
  // At most one thread of the launch comes here with something left to do.
  for (std::int64_t j = i; j < n; ++j) q[j] = code_of(x[j], scale);
  // NIBBLE-STUB: // TODO(lab19): four elements at once, and what is left of n one by one
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(quantize_half_kernel, .block_x = 256, .tile_n = 8 * 256);
// NIBBLE-STUB: // TODO(lab19): how many elements does a block of yours make?
// NIBBLE-STUB: NIBBLE_LAUNCH(quantize_half_kernel, .block_x = 256, .tile_n = 256);
// NIBBLE-END

NIBBLE_KERNEL void quantize_half_kernel(const __half* x, std::int8_t* q, float scale,
                                        std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t i = first_of(8);
  if (i + 8 <= n) {
    const uint4 eight = *reinterpret_cast<const uint4*>(x + i);  // the bits of eight halves
    const unsigned first = codes_of_pair(eight.x, scale) | codes_of_pair(eight.y, scale) << 16;
    const unsigned second = codes_of_pair(eight.z, scale) | codes_of_pair(eight.w, scale) << 16;
    *reinterpret_cast<uint2*>(q + i) = make_uint2(first, second);
    return;
  }
  for (std::int64_t j = i; j < n; ++j) q[j] = code_of(__half2float(x[j]), scale);
  // NIBBLE-STUB: // TODO(lab19): eight elements at once, their codes joined into 8 bytes
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
// A warp is 32 threads with the same threadIdx.y: a warp works on one row, 128 columns of it.
NIBBLE_LAUNCH(dequantize_kernel, .block_x = 32, .block_y = 8, .tile_m = 8, .tile_n = 4 * 32);
// NIBBLE-STUB: // TODO(lab19): which threads of a block share a row?
// NIBBLE-STUB: NIBBLE_LAUNCH(dequantize_kernel, .block_x = 32, .tile_n = 32);
// NIBBLE-END

NIBBLE_KERNEL void dequantize_kernel(const std::int8_t* q, const float* scales, float* x_hat,
                                     std::int64_t rows, std::int64_t cols) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float scale = scales[row];  // 32 threads, one address: one sector
  const std::int8_t* q_row = q + row * cols;
  float* x_row = x_hat + row * cols;
  const std::int64_t tile = std::int64_t{blockIdx.x} * dequantize_kernel_launch.tile_n;

  if (cols % 4 == 0) {  // every row starts where a float4 may start
    const std::int64_t j = tile + 4 * threadIdx.x;
    if (j >= cols) return;
    const char4 four = *reinterpret_cast<const char4*>(q_row + j);
    *reinterpret_cast<float4*>(x_row + j) =
        make_float4(scale * four.x, scale * four.y, scale * four.z, scale * four.w);
    return;
  }
  // The same 128 columns in four steps: neighbours in the warp stay neighbours in memory.
  for (int step = 0; step < 4; ++step) {
    const std::int64_t j = tile + 32 * step + threadIdx.x;
    if (j < cols) x_row[j] = scale * q_row[j];
  }
  // NIBBLE-STUB: // TODO(lab19): one scale a thread, four columns a thread, any number of columns
  // NIBBLE-END
}

}  // namespace nibble
