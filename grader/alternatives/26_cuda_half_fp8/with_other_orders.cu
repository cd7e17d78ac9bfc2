// The same lab in another order: grids that one block walks through, int4 codes made by lanes
// that find their group's largest by votes of integers, and products whose lanes take 8
// neighbouring bytes of a row and call them by other places along k, in both operands alike.
#include "cuda_half_fp8.hpp"

#include <cuda_fp8.h>
#include <mma.h>

#include "nibble/device/mma.hpp"
#include "nibble/device/mma_fp8.hpp"

namespace nibble {
namespace {

using nvcuda::wmma::accumulator;
using nvcuda::wmma::col_major;
using nvcuda::wmma::fragment;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::matrix_b;
using nvcuda::wmma::row_major;

constexpr unsigned kAllLanes = 0xffffffffu;

}  // namespace

NIBBLE_LAUNCH(dequantize_to_half_kernel, .block_x = 32, .tile_m = 2, .tile_n = 1024);

NIBBLE_KERNEL void dequantize_to_half_kernel(const std::int8_t* q, const float* scales, __half* h,
                                             std::int64_t rows, std::int64_t k) {
  const std::int64_t first = blockIdx.x * 1024ll, end = k < first + 1024 ? k : first + 1024;
  for (std::int64_t row = blockIdx.y * 2ll; row < rows && row < blockIdx.y * 2ll + 2; ++row) {
    const float scale = scales[row];
    for (std::int64_t p = first + threadIdx.x * 8; p < end; p += 256) {
      const char4* const codes = reinterpret_cast<const char4*>(q + row * k + p);
      // One load of 8 bytes, as two vectors of four.
      const unsigned long long both = *reinterpret_cast<const unsigned long long*>(codes);
      unsigned short bits[8];
      for (int e = 0; e < 8; ++e) {
        const auto code = static_cast<signed char>(both >> 8 * e & 0xff);
        bits[e] = __half_as_ushort(__half(scale * static_cast<float>(code)));
      }
      const auto word = [&](int e) { return bits[e] + (static_cast<unsigned>(bits[e + 1]) << 16); };
      *reinterpret_cast<uint4*>(h + row * k + p) = make_uint4(word(0), word(2), word(4), word(6));
    }
  }
}

NIBBLE_LAUNCH(quantize_int4_kernel, .block_x = 32, .tile_n = 128);

NIBBLE_KERNEL void quantize_int4_kernel(const float* x, std::uint8_t* w4, float* scales,
                                        std::int64_t, std::int64_t k, int group_size) {
  const unsigned lane = threadIdx.x, lanes = group_size / 4;
  const std::int64_t at = blockIdx.y * k + blockIdx.x * 128ll + 4 * lane;
  if (blockIdx.x * 128ll + 4 * lane >= k) return;  // whole groups leave: nobody waits for them
  const unsigned group = (lanes == 32 ? kAllLanes : (1u << lanes) - 1) << lane / lanes * lanes;
  const float4 four = *reinterpret_cast<const float4*>(x + at);
  const float values[4] = {four.x, four.y, four.z, four.w};
  unsigned largest = 0;
  for (const float value : values) {
    largest = max(largest, __float_as_uint(value) & 0x7fffffffu);
  }
  const float amax = __uint_as_float(__reduce_max_sync(group, largest));
  float scale = amax / 7;
  if (scale == 0) scale = 1;
  if (lane % lanes == 0) scales[at / group_size] = scale;
  unsigned word = 0;
  for (int e = 3; e >= 0; --e) {
    word = word << 4 | (static_cast<unsigned>(lrintf(values[e] / scale)) & 15u);
  }
  reinterpret_cast<std::uint16_t*>(w4)[at / 4] = static_cast<std::uint16_t>(word);
}

NIBBLE_LAUNCH(quantize_fp8_kernel, .block_x = 32, .tile_n = 1);

// Rows are walked through from their ends, and what is too large is cut off before it is converted.
NIBBLE_KERNEL void quantize_fp8_kernel(const float* x, std::uint8_t* q, float* scales, float limit,
                                       std::int64_t, std::int64_t k) {
  const std::int64_t row = blockIdx.x, vectors = k / 4;
  const float4* const from = reinterpret_cast<const float4*>(x) + row * vectors;
  float amax = 0;
  for (std::int64_t i = vectors - 1 - threadIdx.x; i >= 0; i -= 32) {
    const float4 four = from[i];
    amax = fmaxf(amax,
                 fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w))));
  }
  for (int step = 1; step < 32; step *= 2)
    amax = fmaxf(amax, __shfl_xor_sync(kAllLanes, amax, step));
  const float scale = amax == 0.0f ? 1.0f : fminf(limit, amax) / 448.0f;
  if (threadIdx.x == 31) scales[row] = scale;
  const auto code = [=](float value) {
    const float steps = fminf(448.0f, fmaxf(-448.0f, value / scale));
    return static_cast<unsigned>(__nv_cvt_float_to_fp8(steps, __NV_NOSAT, __NV_E4M3));
  };
  for (std::int64_t i = threadIdx.x; i < vectors; i += 32) {
    const float4 four = from[i];
    reinterpret_cast<unsigned*>(q)[row * vectors + i] =
        code(four.x) | code(four.y) << 8 | code(four.z) << 16 | code(four.w) << 24;
  }
}

NIBBLE_LAUNCH(gemm_half_kernel, .block_x = 32, .tile_m = 16, .tile_n = 16);

// A warp by itself. Whole tiles come straight from global memory, the others through shared memory;
// the sums through shared memory in any case.
NIBBLE_KERNEL void gemm_half_kernel(const __half* a, const __half* b_t, const float* c, float* d,
                                    float alpha, float beta, std::int64_t m, std::int64_t n,
                                    std::int64_t k) {
  __shared__ alignas(32) __half edge[2][16][16];
  __shared__ alignas(32) float tile[16][16];
  const std::int64_t i0 = blockIdx.y * 16ll, j0 = blockIdx.x * 16ll;
  const unsigned row = threadIdx.x / 2, half_row = threadIdx.x % 2 * 8;
  const bool whole = i0 + 16 <= m && j0 + 16 <= n;
  fragment<accumulator, 16, 16, 16, float> sums;
  nvcuda::wmma::fill_fragment(sums, 0.0f);
  for (std::int64_t p = 0; p < k; p += 16) {
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, col_major> right;
    if (whole) {
      nvcuda::wmma::load_matrix_sync(left, a + i0 * k + p, k);
      nvcuda::wmma::load_matrix_sync(right, b_t + j0 * k + p, k);
    } else {
      const uint4 none = make_uint4(0, 0, 0, 0);
      const auto piece = [&](const __half* x, std::int64_t line, std::int64_t lines) {
        return line < lines ? *reinterpret_cast<const uint4*>(x + line * k + p + half_row) : none;
      };
      *reinterpret_cast<uint4*>(&edge[0][row][half_row]) = piece(a, i0 + row, m);
      *reinterpret_cast<uint4*>(&edge[1][row][half_row]) = piece(b_t, j0 + row, n);
      __syncwarp();
      nvcuda::wmma::load_matrix_sync(left, &edge[0][0][0], 16);
      nvcuda::wmma::load_matrix_sync(right, &edge[1][0][0], 16);
      __syncwarp();
    }
    nvcuda::wmma::mma_sync(sums, left, right, sums);
  }
  nvcuda::wmma::store_matrix_sync(&tile[0][0], sums, 16, nvcuda::wmma::mem_row_major);
  __syncwarp();
  for (unsigned e = threadIdx.x; e < 256; e += 32) {
    const std::int64_t i = i0 + e / 16, j = j0 + e % 16;
    if (i >= m || j >= n) continue;
    const float rest = beta == 0.0f ? 0.0f : beta * c[i * n + j];
    d[i * n + j] = fmaf(alpha, tile[e / 16][e % 16], rest);
  }
}

namespace {

/// A lane's 8 bytes of a row, from byte 32 s + 8 t on: the words that the layout calls 4 t and 16
/// + 4 t. Called so in a and in b alike, they are the same places along k for both.
template <class Element>
__device__ uint2 neighbours(const Element* x, std::int64_t row, std::int64_t rows, std::int64_t k,
                            std::int64_t step) {
  if (row >= rows) return make_uint2(0, 0);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(x + row * k);
  return *reinterpret_cast<const uint2*>(bytes + 32 * step + threadIdx.x % 4 * 8);
}

}  // namespace

NIBBLE_LAUNCH(gemm_bfloat16_kernel, .block_x = 32, .tile_m = 16, .tile_n = 8);

NIBBLE_KERNEL void gemm_bfloat16_kernel(const __nv_bfloat16* a, const __nv_bfloat16* b_t,
                                        const float* c, float* d, float alpha, float beta,
                                        std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = blockIdx.y * 16ll + threadIdx.x / 4, j = blockIdx.x * 8ll;
  float sums[4] = {};
  for (std::int64_t step = 0; step < k / 16; ++step) {
    const uint2 upper = neighbours(a, i, m, k, step), lower = neighbours(a, i + 8, m, k, step);
    const uint2 right = neighbours(b_t, j + threadIdx.x / 4, n, k, step);
    mma_m16n8k16_bf16(sums, {upper.x, lower.x, upper.y, lower.y}, {right.x, right.y}, sums);
  }
  const auto write = [&](std::int64_t row, std::int64_t column, float sum) {
    if (row >= m || column >= n) return;
    float result = alpha * sum;
    if (beta != 0) result += beta * c[row * n + column];
    d[row * n + column] = result;
  };
  const std::int64_t column = j + threadIdx.x % 4 * 2;
  write(i, column, sums[0]);
  write(i, column + 1, sums[1]);
  write(i + 8, column, sums[2]);
  write(i + 8, column + 1, sums[3]);
}

NIBBLE_LAUNCH(gemm_fp8_kernel, .block_x = 32, .tile_m = 16, .tile_n = 8);

// A partial sum is over when 128 products are in it, and the next begins with zeros.
NIBBLE_KERNEL void gemm_fp8_kernel(const std::uint8_t* a, const std::uint8_t* b_t,
                                   const float* a_scales, const float* b_scales, float* d,
                                   std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = blockIdx.y * 16ll + threadIdx.x / 4, j = blockIdx.x * 8ll;
  float sums[4] = {}, part[4] = {};
  for (std::int64_t step = 0; step < k / 32; ++step) {
    const uint2 upper = neighbours(a, i, m, k, step), lower = neighbours(a, i + 8, m, k, step);
    const uint2 right = neighbours(b_t, j + threadIdx.x / 4, n, k, step);
    mma_m16n8k32_e4m3(part, {upper.x, lower.x, upper.y, lower.y}, {right.x, right.y}, part);
    if (step % 4 < 3 && step + 1 < k / 32) continue;
    for (int e = 0; e < 4; ++e) {
      sums[e] += part[e];
      part[e] = 0;
    }
  }
  for (int e = 0; e < 4; ++e) {
    const std::int64_t row = i + e / 2 * 8, column = j + threadIdx.x % 4 * 2 + e % 2;
    if (row >= m || column >= n) continue;
    const float scale = a_scales[row] * b_scales[column];
    d[row * n + column] = sums[e] * scale;
  }
}

}  // namespace nibble
