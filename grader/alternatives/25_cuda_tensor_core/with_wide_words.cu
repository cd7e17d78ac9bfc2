// The same lab with its operands arranged for wide loads. WMMA's tiles have rows of 48 bytes,
// the second kernel takes 8 bytes at a time and multiplies them in another order along k, and the
// third keeps a tile as columns of 16 bytes.
#include "cuda_tensor_core.hpp"

#include <mma.h>

#include "nibble/device/cp_async.hpp"
#include "nibble/device/ldmatrix.hpp"
#include "nibble/device/mma.hpp"

namespace nibble {
namespace {

using nvcuda::wmma::accumulator;
using nvcuda::wmma::col_major;
using nvcuda::wmma::fragment;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::matrix_b;
using nvcuda::wmma::row_major;

__device__ void write(std::int32_t* c, std::int64_t i, std::int64_t j, std::int64_t m,
                      std::int64_t n, std::int32_t sum) {
  if (i < m && j < n) c[i * n + j] = sum;
}

}  // namespace

// Eight warps make 64 x 32 outputs.
NIBBLE_LAUNCH(matmul_wmma_kernel, .block_x = 256, .tile_m = 64, .tile_n = 32,
              .shared_bytes = 8 * 16 * 16 * 4);

NIBBLE_KERNEL void matmul_wmma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k) {
  extern __shared__ std::int32_t sums_of_block[];
  __shared__ alignas(32) std::int8_t tile[96][48];  // 64 rows of a, then 32 of b_t
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::int64_t first_i = std::int64_t{blockIdx.y} * 64,
                     first_j = std::int64_t{blockIdx.x} * 32;
  const std::int64_t i0 = first_i + warp / 2 * 16, j0 = first_j + warp % 2 * 16;
  fragment<accumulator, 16, 16, 16, int> sums;
  nvcuda::wmma::fill_fragment(sums, 0);
  for (std::int64_t p0 = 0; p0 < k; p0 += 32) {
    __syncthreads();
    const std::int64_t p = p0 + lane;
    for (int row = warp; row < 96; row += 8) {
      std::int8_t code = 0;
      if (row < 64) {
        if (first_i + row < m && p < k) code = a[(first_i + row) * k + p];
      } else {
        if (first_j + row - 64 < n && p < k) code = b_t[(first_j + row - 64) * k + p];
      }
      tile[row][lane] = code;
    }
    __syncthreads();
    if (i0 >= m || j0 >= n) continue;
    for (int step = 0; step < 32 && p0 + step < k; step += 16) {
      fragment<matrix_a, 16, 16, 16, signed char, row_major> left;
      fragment<matrix_b, 16, 16, 16, signed char, col_major> right;
      nvcuda::wmma::load_matrix_sync(left, &tile[warp / 2 * 16][step], 48);
      nvcuda::wmma::load_matrix_sync(right, &tile[64 + warp % 2 * 16][step], 48);
      nvcuda::wmma::mma_sync(sums, left, right, sums);
    }
  }
  if (i0 >= m || j0 >= n) return;
  std::int32_t* const mine = sums_of_block + warp * 256;
  nvcuda::wmma::store_matrix_sync(mine, sums, 16, nvcuda::wmma::mem_row_major);
  __syncwarp();
  for (int e = lane; e < 256; e += 32) write(c, i0 + e / 16, j0 + e % 16, m, n, mine[e]);
}

NIBBLE_LAUNCH(matmul_mma_kernel, .block_x = 64, .tile_m = 32, .tile_n = 8);

// A sum does not mind in which order its products come. So lane 4 g + t takes codes 8t to 8t + 7
// of its row, whole sectors, and calls them 4t … and 16 + 4t …, in a and in b_t alike.
NIBBLE_KERNEL void matmul_mma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                     std::int64_t m, std::int64_t n, std::int64_t k) {
  const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const std::int64_t i0 = blockIdx.y * 32ll + threadIdx.x / 32 * 16, j0 = blockIdx.x * 8ll;
  if (i0 >= m) return;
  const auto words = [&](const std::int8_t* x, std::int64_t row, std::int64_t rows,
                         std::int64_t p0) {
    return row < rows ? *reinterpret_cast<const uint2*>(x + row * k + p0 + 8 * t)
                      : make_uint2(0, 0);
  };
  int sums[4] = {0, 0, 0, 0};
  for (std::int64_t p0 = 0; p0 < k; p0 += 32) {
    const uint2 upper = words(a, i0 + g, m, p0), lower = words(a, i0 + g + 8, m, p0);
    const uint2 right = words(b_t, j0 + g, n, p0);
    mma_m16n8k32(sums, {upper.x, lower.x, upper.y, lower.y}, {right.x, right.y}, sums);
  }
  for (unsigned e = 0; e < 4; ++e) {
    write(c, i0 + g + e / 2 * 8, j0 + 2 * t + e % 2, m, n, sums[e]);
  }
}

namespace {

/// 64 rows as four columns of 16 bytes. A column is followed by two rows of nothing: then the four
/// pieces of two rows, which are copied together, lie in eight groups of banks.
struct alignas(128) Columns {
  std::int8_t codes[4][66][16];

  __device__ void load(const std::int8_t* x, std::int64_t first, std::int64_t p0, std::int64_t rows,
                       std::int64_t k) {
    for (unsigned e = threadIdx.x; e < 256; e += blockDim.x) {
      const unsigned row = e / 4, column = e % 4;
      const std::int64_t i = first + row, p = p0 + 16 * column;
      if (i < rows && p < k) {
        cp_async<16>(codes[column][row], &x[i * k + p]);
      } else {
        *reinterpret_cast<uint4*>(codes[column][row]) = make_uint4(0, 0, 0, 0);
      }
    }
  }
};

}  // namespace

NIBBLE_LAUNCH(matmul_mma_tiled_kernel, .block_x = 128, .tile_m = 64, .tile_n = 64);

NIBBLE_KERNEL void matmul_mma_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                           std::int32_t* c, std::int64_t m, std::int64_t n,
                                           std::int64_t k) {
  __shared__ Columns left, right;
  const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const unsigned row = threadIdx.x / 64 * 32, column = threadIdx.x / 32 % 2 * 32;
  const std::int64_t i0 = blockIdx.y * 64ll, j0 = blockIdx.x * 64ll;
  int sums[2][4][4] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += 64) {
    left.load(a, i0, p0, m, k);
    right.load(b_t, j0, p0, n, k);
    cp_async_commit();
    cp_async_wait<0>();
    __syncthreads();
    for (unsigned q = 0; q < 4; q += 2) {
      // A block of ldmatrix is 8 rows, and four of them are a column's 32 rows.
      unsigned a_near[4], a_far[4], b_near[4], b_far[4];
      ldmatrix(a_near, left.codes[q][row + lane]);
      ldmatrix(a_far, left.codes[q + 1][row + lane]);
      ldmatrix(b_near, right.codes[q][column + lane]);
      ldmatrix(b_far, right.codes[q + 1][column + lane]);
      for (unsigned r = 0; r < 4; r += 2) {
        for (unsigned s = 0; s < 4; ++s) {
          mma_m16n8k32(sums[r / 2][s], {a_near[r], a_near[r + 1], a_far[r], a_far[r + 1]},
                       {b_near[s], b_far[s]}, sums[r / 2][s]);
        }
      }
    }
    __syncthreads();
  }
  for (unsigned e = 0; e < 32; ++e) {
    const unsigned r = e / 16, s = e / 4 % 4, d = e % 4;
    write(c, i0 + row + 16 * r + g + d / 2 * 8, j0 + column + 8 * s + 2 * t + d % 2, m, n,
          sums[r][s][d]);
  }
}

}  // namespace nibble
