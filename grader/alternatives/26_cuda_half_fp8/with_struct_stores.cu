// The same lab with what is stored as structs of CUDA's own types, a block for a row of fp8, and
// more for each warp to do: WMMA computes the transposed product and stores it column by column,
// a warp of bfloat16 makes 16 x 16 outputs, and each product of e4m3 is a partial sum.
#include "cuda_half_fp8.hpp"

#include <cuda_fp8.h>
#include <mma.h>

#include "nibble/device/mma.hpp"
#include "nibble/device/mma_fp8.hpp"

namespace nibble {
namespace {

namespace wmma = nvcuda::wmma;

struct alignas(16) EightHalves {
  __half2 pairs[4];
};

__device__ float magnitude(float4 x) {
  float largest = 0;
  for (const float one : {x.x, x.y, x.z, x.w})
    largest = one > largest ? one : -one > largest ? -one : largest;
  return largest;
}

}  // namespace

NIBBLE_LAUNCH(dequantize_to_half_kernel, .block_x = 64, .tile_n = 512);

NIBBLE_KERNEL void dequantize_to_half_kernel(const std::int8_t* q, const float* scales, __half* h,
                                             std::int64_t rows, std::int64_t k) {
  const std::int64_t row = blockIdx.y, p = blockIdx.x * 512ll + threadIdx.x * 8ll;
  if (row >= rows || p >= k) return;
  const float scale = scales[row];
  const uint2 words = *reinterpret_cast<const uint2*>(&q[row * k + p]);
  EightHalves eight;
  for (int i = 0; i < 4; ++i) {
    const unsigned word = i < 2 ? words.x : words.y, shift = i % 2 * 16;
    const int low = static_cast<int>(word << (24 - shift)) >> 24;
    const int high = static_cast<int>(word << (16 - shift)) >> 24;
    eight.pairs[i] = __halves2half2(__float2half_rn(scale * static_cast<float>(low)),
                                    __float2half_rn(scale * static_cast<float>(high)));
  }
  *reinterpret_cast<EightHalves*>(&h[row * k + p]) = eight;
}

NIBBLE_LAUNCH(quantize_int4_kernel, .block_x = 128, .tile_n = 512);

NIBBLE_KERNEL void quantize_int4_kernel(const float* x, std::uint8_t* w4, float* scales,
                                        std::int64_t, std::int64_t k, int group_size) {
  const std::int64_t row = blockIdx.y, p = blockIdx.x * 512ll + threadIdx.x * 4ll;
  const bool inside = p < k;
  const float4 four =
      inside ? *reinterpret_cast<const float4*>(&x[row * k + p]) : make_float4(0, 0, 0, 0);
  float amax = magnitude(four);
  const int lanes = group_size / 4;
  for (int step = 1; step < lanes; step *= 2) {
    amax = fmaxf(amax, __shfl_down_sync(0xffffffffu, amax, step, lanes));
  }
  amax = __shfl_sync(0xffffffffu, amax, 0, lanes);  // the first lane of each group has seen all
  if (!inside) return;
  const float scale = amax > 0 ? amax / 7.0f : 1.0f;
  const int lane_of_group = static_cast<int>(threadIdx.x) % lanes;
  if (lane_of_group == 0) scales[(row * k + p) / group_size] = scale;
  const auto code = [=](float one) { return static_cast<int>(rintf(one / scale)) + 16; };
  const auto low = static_cast<unsigned char>(code(four.x) % 16 + code(four.y) % 16 * 16);
  const auto high = static_cast<unsigned char>(code(four.z) % 16 + code(four.w) % 16 * 16);
  *reinterpret_cast<uchar2*>(&w4[(row * k + p) / 2]) = make_uchar2(low, high);
}

NIBBLE_LAUNCH(quantize_fp8_kernel, .block_x = 128, .tile_n = 1);

// The largest of each warp meets in shared memory.
NIBBLE_KERNEL void quantize_fp8_kernel(const float* x, std::uint8_t* q, float* scales, float limit,
                                       std::int64_t, std::int64_t k) {
  __shared__ unsigned largest;
  const std::int64_t row = blockIdx.x;
  const auto* const from = reinterpret_cast<const float4*>(x + row * k);
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  float mine = 0;
  for (std::int64_t i = threadIdx.x; 4 * i < k; i += 128) mine = fmaxf(mine, magnitude(from[i]));
  // Floats that are not below 0 are in the order of their bits.
  const unsigned of_warp = __reduce_max_sync(0xffffffffu, __float_as_uint(mine));
  if (threadIdx.x % 32 == 0) atomicMax(&largest, of_warp);
  __syncthreads();
  const float amax = __uint_as_float(largest);
  const float scale = amax > 0 ? (amax < limit ? amax : limit) / 448 : 1;
  if (threadIdx.x == 0) scales[row] = scale;
  for (std::int64_t i = threadIdx.x; 4 * i < k; i += 128) {
    const float4 four = from[i];
    const auto low = __nv_cvt_float2_to_fp8x2(make_float2(four.x / scale, four.y / scale),
                                              __NV_SATFINITE, __NV_E4M3);
    const auto high = __nv_cvt_float2_to_fp8x2(make_float2(four.z / scale, four.w / scale),
                                               __NV_SATFINITE, __NV_E4M3);
    *reinterpret_cast<ushort2*>(q + row * k + 4 * i) = make_ushort2(low, high);
  }
}

NIBBLE_LAUNCH(gemm_half_kernel, .block_x = 32, .block_y = 8, .tile_m = 32, .tile_n = 64);

// d^T = b_t * a^T: rows of b_t come first, and what is stored by columns is d by rows.
NIBBLE_KERNEL void gemm_half_kernel(const __half* a, const __half* b_t, const float* c, float* d,
                                    float alpha, float beta, std::int64_t m, std::int64_t n,
                                    std::int64_t k) {
  __shared__ alignas(32) __half columns[64][32];
  __shared__ alignas(32) __half rows[32][32];
  __shared__ alignas(32) float tile[32][64];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t i0 = blockIdx.y * 32ll, j0 = blockIdx.x * 64ll;
  const int row = y % 2 * 16, column = y / 2 * 16;
  const bool idle = i0 + row >= m || j0 + column >= n;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (std::int64_t p0 = 0; p0 < k; p0 += 32) {
    const __half zero = __float2half(0.0f);
    for (int r = y; r < 64; r += 8) columns[r][x] = j0 + r < n ? b_t[(j0 + r) * k + p0 + x] : zero;
    for (int r = y; r < 32; r += 8) rows[r][x] = i0 + r < m ? a[(i0 + r) * k + p0 + x] : zero;
    __syncthreads();
    for (int p = 0; p < 32 && !idle; p += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
      wmma::load_matrix_sync(left, &columns[column][p], 32);
      wmma::load_matrix_sync(right, &rows[row][p], 32);
      wmma::mma_sync(sums, left, right, sums);
    }
    __syncthreads();
  }
  // All elements alike: whichever they are.
  for (int e = 0; e < sums.num_elements; ++e) sums.x[e] *= alpha;
  wmma::store_matrix_sync(&tile[row][column], sums, 64, wmma::mem_col_major);
  __syncthreads();
  for (int place = y * 32 + x; place < 32 * 64; place += 256) {
    const std::int64_t i = i0 + place / 64, j = j0 + place % 64;
    if (i >= m || j >= n) continue;
    float sum = tile[place / 64][place % 64];
    if (beta != 0) sum += beta * c[i * n + j];
    d[i * n + j] = sum;
  }
}

NIBBLE_LAUNCH(gemm_bfloat16_kernel, .block_x = 32, .tile_m = 16, .tile_n = 16);

// The words of a are fetched once for two products; rows that do not exist are the last one again:
// nobody looks at their sums.
NIBBLE_KERNEL void gemm_bfloat16_kernel(const __nv_bfloat16* a, const __nv_bfloat16* b_t,
                                        const float* c, float* d, float alpha, float beta,
                                        std::int64_t m, std::int64_t n, std::int64_t k) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const std::int64_t i0 = blockIdx.y * 16ll, j0 = blockIdx.x * 16ll;
  const auto pair = [&](const __nv_bfloat16* x, std::int64_t row, std::int64_t rows,
                        std::int64_t p) {
    if (row >= rows) row = rows - 1;
    return *reinterpret_cast<const unsigned*>(x + row * k + p + 2 * t);
  };
  float sums[2][4] = {};
  for (std::int64_t p = 0; p < k; p += 16) {
    const unsigned of_a[4] = {pair(a, i0 + g, m, p), pair(a, i0 + g + 8, m, p),
                              pair(a, i0 + g, m, p + 8), pair(a, i0 + g + 8, m, p + 8)};
    for (int s = 0; s < 2 && j0 + 8 * s < n; ++s) {
      const unsigned of_b[2] = {pair(b_t, j0 + 8 * s + g, n, p),
                                pair(b_t, j0 + 8 * s + g, n, p + 8)};
      mma_m16n8k16_bf16(sums[s], of_a, of_b, sums[s]);
    }
  }
  for (int e = 0; e < 8; ++e) {
    const std::int64_t i = i0 + g + e % 4 / 2 * 8, j = j0 + e / 4 * 8 + 2 * t + e % 2;
    if (i >= m || j >= n) continue;
    d[i * n + j] = alpha * sums[e / 4][e % 4] + (beta != 0 ? beta * c[i * n + j] : 0);
  }
}

NIBBLE_LAUNCH(gemm_fp8_kernel, .block_x = 64, .tile_m = 32, .tile_n = 8);

NIBBLE_KERNEL void gemm_fp8_kernel(const std::uint8_t* a, const std::uint8_t* b_t,
                                   const float* a_scales, const float* b_scales, float* d,
                                   std::int64_t m, std::int64_t n, std::int64_t k) {
  const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  const std::int64_t i0 = blockIdx.y * 32ll + threadIdx.x / 32 * 16, j0 = blockIdx.x * 8ll;
  if (i0 >= m) return;
  const auto four = [&](const std::uint8_t* x, std::int64_t row, std::int64_t rows,
                        std::int64_t p) {
    return row < rows ? *reinterpret_cast<const unsigned*>(x + row * k + p + 4 * t) : 0u;
  };
  float sums[4] = {0, 0, 0, 0};
  for (std::int64_t p = 0; p < k; p += 32) {
    const float zeros[4] = {0, 0, 0, 0};
    float part[4];
    mma_m16n8k32_e4m3(part,
                      {four(a, i0 + g, m, p), four(a, i0 + g + 8, m, p), four(a, i0 + g, m, p + 16),
                       four(a, i0 + g + 8, m, p + 16)},
                      {four(b_t, j0 + g, n, p), four(b_t, j0 + g, n, p + 16)}, zeros);
    for (int e = 0; e < 4; ++e) sums[e] += part[e];
  }
  for (int e = 0; e < 4; ++e) {
    const std::int64_t i = i0 + g + e / 2 * 8, j = j0 + 2 * t + e % 2;
    if (i < m && j < n) d[i * n + j] = a_scales[i] * b_scales[j] * sums[e];
  }
}

}  // namespace nibble
