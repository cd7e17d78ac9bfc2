// The same lab with more for each warp to do. WMMA computes the transposed product and stores it
// column by column, a warp of the second kernel makes 16 x 32 outputs, and in the third two steps
// are on their way while one is multiplied.
#include "cuda_tensor_core.hpp"

#include <mma.h>

#include "nibble/device/cp_async.hpp"
#include "nibble/device/ldmatrix.hpp"
#include "nibble/device/mma.hpp"

namespace nibble {
namespace {

namespace wmma = nvcuda::wmma;

struct Matrix {
  const std::int8_t* codes;
  std::int64_t rows, k;

  __device__ std::int8_t at(std::int64_t row, std::int64_t p) const {
    if (row >= rows || p >= k) return 0;
    return codes[row * k + p];
  }
  /// Four codes of a row; of the last row instead where there is none: nobody looks at those sums.
  __device__ unsigned word(std::int64_t row, std::int64_t p) const {
    if (row >= rows) row = rows - 1;
    return *reinterpret_cast<const unsigned*>(codes + row * k + p);
  }
};

struct Sums {
  std::int32_t* c;
  std::int64_t m, n;

  __device__ void write(std::int64_t i, std::int64_t j, std::int32_t sum) const {
    if (i < m && j < n) c[i * n + j] = sum;
  }
  /// A lane's four sums of a product whose first is c[i,j].
  __device__ void write(std::int64_t i, std::int64_t j, const int (&sums)[4]) const {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int e = 0; e < 4; ++e) write(i + g + e / 2 * 8, j + 2 * t + e % 2, sums[e]);
  }
};

}  // namespace

NIBBLE_LAUNCH(matmul_wmma_kernel, .block_x = 32, .block_y = 8, .tile_m = 32, .tile_n = 64);

// c^T = b_t * a^T: rows of b_t come first, and what is stored by columns is c by rows.
NIBBLE_KERNEL void matmul_wmma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k) {
  __shared__ alignas(32) std::int8_t columns[64][32];
  __shared__ alignas(32) std::int8_t rows[32][32];
  __shared__ alignas(32) std::int32_t c_tile[32][64];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t i0 = std::int64_t{blockIdx.y} * 32, j0 = std::int64_t{blockIdx.x} * 64;
  const int row = y % 2 * 16, column = y / 2 * 16;
  const bool idle = i0 + row >= m || j0 + column >= n;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums;
  wmma::fill_fragment(sums, 0);
  for (std::int64_t p0 = 0; p0 < k; p0 += 32) {
    for (int r = y; r < 64; r += 8) columns[r][x] = Matrix{b_t, n, k}.at(j0 + r, p0 + x);
    for (int r = y; r < 32; r += 8) rows[r][x] = Matrix{a, m, k}.at(i0 + r, p0 + x);
    __syncthreads();
    if (!idle) {
      for (int p = 0; p < 32; p += 16) {
        if (p0 + p >= k) break;
        wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
        wmma::load_matrix_sync(left, &columns[column][p], 32);
        wmma::load_matrix_sync(right, &rows[row][p], 32);
        wmma::mma_sync(sums, left, right, sums);
      }
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(&c_tile[row][column], sums, 64, wmma::mem_col_major);
  __syncthreads();
  for (int r = y; r < 32; r += 8) {
    Sums{c, m, n}.write(i0 + r, j0 + x, c_tile[r][x]);
    Sums{c, m, n}.write(i0 + r, j0 + x + 32, c_tile[r][x + 32]);
  }
}

NIBBLE_LAUNCH(matmul_mma_kernel, .block_x = 32, .tile_m = 16, .tile_n = 32);

// The words of a are fetched once for four products.
NIBBLE_KERNEL void matmul_mma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                     std::int64_t m, std::int64_t n, std::int64_t k) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const std::int64_t i = std::int64_t{blockIdx.y} * 16, j0 = std::int64_t{blockIdx.x} * 32;
  const Matrix left{a, m, k}, right{b_t, n, k};
  int sums[4][4] = {};
  for (std::int64_t p = 4 * t; p < k; p += 32) {
    const unsigned of_a[4] = {left.word(i + g, p), left.word(i + g + 8, p),
                              left.word(i + g, p + 16), left.word(i + g + 8, p + 16)};
    for (int s = 0; s < 4 && j0 + 8 * s < n; ++s) {
      const std::int64_t j = j0 + 8 * s + g;
      const unsigned of_b[2] = {right.word(j, p), right.word(j, p + 16)};
      mma_m16n8k32(sums[s], of_a, of_b, sums[s]);
    }
  }
  for (int s = 0; s < 4; ++s) Sums{c, m, n}.write(i, j0 + 8 * s, sums[s]);
}

namespace {

constexpr int kStages = 3;

/// 32 codes of each of 64 rows of a and 128 of b_t. Four rows fill the banks: the two pieces of
/// a row change places from four rows to the next four.
struct alignas(128) Stage {
  std::int8_t rows[192][32];

  __device__ std::int8_t* piece(int row, int q) { return rows[row] + (row / 4 % 2 ^ q) * 16; }

  __device__ void order(int first, int count, const Matrix& x, std::int64_t x_row, std::int64_t p) {
    for (int e = threadIdx.x; e < 2 * count; e += 256) {
      const bool inside = x_row + e / 2 < x.rows;
      cp_async<16>(piece(first + e / 2, e % 2),
                   inside ? x.codes + (x_row + e / 2) * x.k + p + e % 2 * 16 : x.codes,
                   inside ? 16 : 0);
    }
  }
};

}  // namespace

NIBBLE_LAUNCH(matmul_mma_tiled_kernel, .block_x = 256, .tile_m = 64, .tile_n = 128,
              .shared_bytes = kStages * sizeof(Stage));

NIBBLE_KERNEL void matmul_mma_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                           std::int32_t* c, std::int64_t m, std::int64_t n,
                                           std::int64_t k) {
  extern __shared__ Stage stages[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp % 2 * 32, column = 64 + warp / 2 * 32;
  const std::int64_t i0 = std::int64_t{blockIdx.y} * 64, j0 = std::int64_t{blockIdx.x} * 128;
  const auto order = [&](std::int64_t p0) {
    if (p0 < k) {
      Stage& stage = stages[p0 / 32 % kStages];
      stage.order(0, 64, {a, m, k}, i0, p0);
      stage.order(64, 128, {b_t, n, k}, j0, p0);
    }
    cp_async_commit();  // a group with nothing in it has landed at once, and keeps the count
  };
  order(0);
  order(32);
  int sums[2][4][4] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += 32) {
    cp_async_wait<1>();
    __syncthreads();
    order(p0 + 64);
    Stage& stage = stages[p0 / 32 % kStages];
    unsigned of_a[2][4], of_b[2][4];
    for (int h = 0; h < 2; ++h) {
      ldmatrix(of_a[h], stage.piece(row + 16 * h + lane % 16, lane / 16));
      ldmatrix(of_b[h], stage.piece(column + 16 * h + lane % 8 + lane / 16 * 8, lane / 8 % 2));
    }
    for (int e = 0; e < 8; ++e) {
      const int r = e / 4, s = e % 4, first = s % 2 * 2;
      mma_m16n8k32(sums[r][s], of_a[r], {of_b[s / 2][first], of_b[s / 2][first + 1]}, sums[r][s]);
    }
  }
  for (int r = 0; r < 2; ++r) {
    for (int s = 0; s < 4; ++s) {
      Sums{c, m, n}.write(i0 + row + 16 * r, j0 + column - 64 + 8 * s, sums[r][s]);
    }
  }
}

}  // namespace nibble
