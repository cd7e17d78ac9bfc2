// The same lab with flat blocks: a thread has one index, which says its warp and its lane; shared
// memory is one piece, sized by the descriptor and cut by hand.
#include "cuda_int8_matmul.hpp"

namespace nibble {
namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kBlock = kWarp * kWarp;  // threads of a block, and bytes of an unpadded tile
constexpr unsigned kPitch = kWarp + 4;      // bytes from row to row of a padded tile

/// A matrix in global memory that is 0 beyond its edges.
struct Matrix {
  const std::int8_t* codes;
  std::int64_t rows, columns;

  __device__ std::int8_t at(std::int64_t row, std::int64_t column) const {
    if (row >= rows) return 0;
    if (column >= columns) return 0;
    return codes[row * columns + column];
  }
};

__device__ void write(std::int32_t* c, std::int64_t i, std::int64_t j, std::int64_t m,
                      std::int64_t n, std::int32_t sum) {
  if (i < m && j < n) c[i * n + j] = sum;
}

}  // namespace

// A block is a piece of one row.
NIBBLE_LAUNCH(matmul_naive_kernel, .block_x = 128, .tile_n = 128);

NIBBLE_KERNEL void matmul_naive_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = blockIdx.y, j = blockIdx.x * 128ll + threadIdx.x;
  if (i < m && j < n) {
    const std::int8_t* code = a + i * k;
    std::int32_t sum = 0;
    for (const std::int8_t* other = b + j; code != a + (i + 1) * k; other += n) {
      sum += *code++ * *other;
    }
    c[i * n + j] = sum;
  }
}

NIBBLE_LAUNCH(matmul_tiled_kernel, .block_x = kBlock, .tile_m = kWarp, .tile_n = kWarp,
              .shared_bytes = 2 * kBlock);

NIBBLE_KERNEL void matmul_tiled_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  extern __shared__ std::int8_t tiles[];
  std::int8_t* const a_tile = tiles;
  std::int8_t* const b_tile = tiles + kBlock;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const std::int64_t i = blockIdx.y * std::int64_t{kWarp} + warp;
  const std::int64_t j = blockIdx.x * std::int64_t{kWarp} + lane;
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0; p0 < k; p0 += kWarp) {
    __syncthreads();  // the step before is done with the tiles
    a_tile[threadIdx.x] = Matrix{a, m, k}.at(i, p0 + lane);
    b_tile[threadIdx.x] = Matrix{b, k, n}.at(p0 + warp, j);
    __syncthreads();
    for (unsigned p = 0; p < kWarp; ++p) sum += a_tile[warp * kWarp + p] * b_tile[p * kWarp + lane];
  }
  write(c, i, j, m, n, sum);
}

NIBBLE_LAUNCH(matmul_transposed_kernel, .block_x = kBlock, .tile_m = kWarp, .tile_n = kWarp,
              .shared_bytes = 2 * kWarp * kPitch);

NIBBLE_KERNEL void matmul_transposed_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k) {
  extern __shared__ std::int8_t tiles[];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  std::int8_t* const a_tile = tiles;
  std::int8_t* const b_tile = tiles + kWarp * kPitch;
  const std::int64_t first_i = blockIdx.y * std::int64_t{kWarp};
  const std::int64_t first_j = blockIdx.x * std::int64_t{kWarp};
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0; p0 < k; p0 += kWarp) {
    __syncthreads();
    a_tile[warp * kPitch + lane] = Matrix{a, m, k}.at(first_i + warp, p0 + lane);
    b_tile[warp * kPitch + lane] = Matrix{b_t, n, k}.at(first_j + warp, p0 + lane);
    __syncthreads();
    const std::int8_t* const a_row = a_tile + warp * kPitch;
    const std::int8_t* const b_row = b_tile + lane * kPitch;
    for (unsigned p = 0; p < kWarp; ++p) sum += a_row[p] * b_row[p];
  }
  write(c, first_i + warp, first_j + lane, m, n, sum);
}

// A block makes 64 rows of 128 columns: a warp 8 of the rows, a lane 4 columns of each.
constexpr unsigned kRows = 8, kColumns = 4, kTall = 64, kWide = kColumns * kWarp;

NIBBLE_LAUNCH(matmul_register_kernel, .block_x = 256, .tile_m = kTall, .tile_n = kWide,
              .shared_bytes = (kTall + kWide) * kPitch);

NIBBLE_KERNEL void matmul_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                          std::int32_t* c, std::int64_t m, std::int64_t n,
                                          std::int64_t k) {
  extern __shared__ std::int8_t tiles[];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  std::int8_t* const a_tile = tiles;
  std::int8_t* const b_tile = tiles + kTall * kPitch;
  const std::int64_t first_i = blockIdx.y * std::int64_t{kTall};
  const std::int64_t first_j = blockIdx.x * std::int64_t{kWide};
  std::int32_t sums[kRows][kColumns] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += kWarp) {
    __syncthreads();
    for (unsigned row = warp; row < kTall; row += 8) {
      a_tile[row * kPitch + lane] = Matrix{a, m, k}.at(first_i + row, p0 + lane);
    }
    for (unsigned row = warp; row < kWide; row += 8) {
      b_tile[row * kPitch + lane] = Matrix{b_t, n, k}.at(first_j + row, p0 + lane);
    }
    __syncthreads();
    for (unsigned p = 0; p < kWarp; ++p) {
      int column[kColumns];
      for (unsigned s = 0; s < kColumns; ++s) column[s] = b_tile[(lane + s * kWarp) * kPitch + p];
      for (unsigned r = 0; r < kRows; ++r) {
        const int code = a_tile[(warp * kRows + r) * kPitch + p];
        for (unsigned s = 0; s < kColumns; ++s) sums[r][s] += code * column[s];
      }
    }
  }
  for (unsigned r = 0; r < kRows; ++r) {
    for (unsigned s = 0; s < kColumns; ++s) {
      write(c, first_i + warp * kRows + r, first_j + lane + s * kWarp, m, n, sums[r][s]);
    }
  }
}

}  // namespace nibble
