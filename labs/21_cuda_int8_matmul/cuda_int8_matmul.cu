// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 21. One product, four times; what changes is how often a code is
// fetched, and from where.
// NIBBLE-STUB: // Lab 21. The contract is in cuda_int8_matmul.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 21        (or leave ./nibble watch open)
// NIBBLE-END
#include "cuda_int8_matmul.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

/// Tiles are 32 codes wide: then a row of one is a sector of memory, and is fetched by one warp.
constexpr int kTile = 32;

/// A row of a padded tile is 9 words, so that 32 rows begin in 32 different banks.
constexpr int kPadded = kTile + 4;

/// x[row,column] of a matrix [rows,columns]; 0 beyond its edge, where it adds nothing to a sum.
__device__ std::int8_t code_at(const std::int8_t* x, std::int64_t row, std::int64_t column,
                               std::int64_t rows, std::int64_t columns) {
  return row < rows && column < columns ? x[row * columns + column] : std::int8_t{0};
}

}  // namespace
// NIBBLE-END

// --- One output a thread, codes from global memory -----------------------------------------------

// NIBBLE-BEGIN-SOLUTION
// block_x is a warp: its 32 lanes are 32 neighbours of one row of c, never two rows.
NIBBLE_LAUNCH(matmul_naive_kernel, .block_x = 32, .block_y = 8, .tile_m = 8, .tile_n = 32);
// NIBBLE-STUB: // How many threads should a block have, and what part of c should it make?
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_naive_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_naive_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t i = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= m || j >= n) return;  // nobody waits for this thread: there is no barrier below
  std::int32_t sum = 0;          // not c[i,j]: a variable stays in a register
  for (std::int64_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
  c[i * n + j] = sum;
  // NIBBLE-STUB: // Which output is this thread's? Is it one that exists? Which index should change
  // NIBBLE-STUB: // from one lane to the next, so that a warp reads neighbours?
  // NIBBLE-END
}

// --- Tiles in shared memory ----------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(matmul_tiled_kernel, .block_x = kTile, .block_y = kTile, .tile_m = kTile,
              .tile_n = kTile);
// NIBBLE-STUB: // How wide is a tile of int8 of which each row fills a sector of 32 bytes?
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_tiled_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_tiled_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ std::int8_t a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = threadIdx.y, column = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.y} * kTile + row;
  const std::int64_t j = std::int64_t{blockIdx.x} * kTile + column;
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0; p0 < k; p0 += kTile) {
    a_tile[row][column] = code_at(a, i, p0 + column, m, k);
    b_tile[row][column] = code_at(b, p0 + row, j, k, n);
    __syncthreads();  // nobody reads a tile before all of it is there
    for (int p = 0; p < kTile; ++p) sum += a_tile[row][p] * b_tile[p][column];
    __syncthreads();  // nobody loads the next before all have read this one
  }
  if (i < m && j < n) c[i * n + j] = sum;  // a thread without an output has helped to load
  // NIBBLE-STUB: // For every step along k: 1. load a tile of a and a tile of b, one code of each a
  // NIBBLE-STUB: // thread, zero beyond the edges  2. wait  3. add the tile's products  4. wait.
  // NIBBLE-STUB: // Who has to help with 1, 2 and 4, and who may do the last step: write c?
  // NIBBLE-END
}

// --- b transposed: a tile that is read down its columns ------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(matmul_transposed_kernel, .block_x = kTile, .block_y = kTile, .tile_m = kTile,
              .tile_n = kTile);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_transposed_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_transposed_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ std::int8_t a_tile[kTile][kTile], b_tile[kTile][kPadded];
  const int row = threadIdx.y, column = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.y} * kTile + row;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kTile;
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0; p0 < k; p0 += kTile) {
    a_tile[row][column] = code_at(a, i, p0 + column, m, k);
    // Loaded as it lies, along k. The thread that loads a code of row j is not the one that makes
    // column j of c.
    b_tile[row][column] = code_at(b_t, first_j + row, p0 + column, n, k);
    __syncthreads();
    for (int p = 0; p < kTile; ++p) sum += a_tile[row][p] * b_tile[column][p];
    __syncthreads();
  }
  const std::int64_t j = first_j + column;
  if (i < m && j < n) c[i * n + j] = sum;
  // NIBBLE-STUB: // Which code of b_t does a thread load, so that a warp reads neighbours, and which
  // NIBBLE-STUB: // row of the tile does it multiply with? In which banks do 32 such rows begin?
  // NIBBLE-END
}

// --- 4 x 4 outputs a thread ----------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kOutputs = 4;              // a thread has 4 rows and 4 columns,
constexpr int kSide = 16;                // a block 16 x 16 threads,
constexpr int kWide = kOutputs * kSide;  // and so 64 x 64 outputs
constexpr int kWarps = kSide * kSide / 32;

/// Rows first to first + 63 of x [rows,k], 32 codes from p0 on. A warp loads a row at a time.
__device__ void load(std::int8_t (&tile)[kWide][kPadded], const std::int8_t* x, std::int64_t first,
                     std::int64_t p0, std::int64_t rows, std::int64_t k) {
  const int thread = threadIdx.y * kSide + threadIdx.x;
  const int p = thread % 32;
  for (int row = thread / 32; row < kWide; row += kWarps) {
    tile[row][p] = code_at(x, first + row, p0 + p, rows, k);
  }
}

}  // namespace

NIBBLE_LAUNCH(matmul_register_kernel, .block_x = kSide, .block_y = kSide, .tile_m = kWide,
              .tile_n = kWide);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_register_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                          std::int32_t* c, std::int64_t m, std::int64_t n,
                                          std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ std::int8_t a_tile[kWide][kPadded], b_tile[kWide][kPadded];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kWide;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kWide;
  std::int32_t sums[kOutputs][kOutputs] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += kTile) {
    load(a_tile, a, first_i, p0, m, k);
    load(b_tile, b_t, first_j, p0, n, k);
    __syncthreads();
    for (int p = 0; p < kTile; ++p) {
      // Rows that are 16 apart: then the 16 columns of threads read 16 neighbours of the tile, and
      // write 16 neighbours of c.
      std::int8_t a_codes[kOutputs], b_codes[kOutputs];
      for (int r = 0; r < kOutputs; ++r) a_codes[r] = a_tile[y + r * kSide][p];
      for (int s = 0; s < kOutputs; ++s) b_codes[s] = b_tile[x + s * kSide][p];
      for (int r = 0; r < kOutputs; ++r) {
        for (int s = 0; s < kOutputs; ++s) sums[r][s] += a_codes[r] * b_codes[s];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < kOutputs; ++r) {
    for (int s = 0; s < kOutputs; ++s) {
      const std::int64_t i = first_i + y + r * kSide, j = first_j + x + s * kSide;
      if (i < m && j < n) c[i * n + j] = sums[r][s];
    }
  }
  // NIBBLE-STUB: // The tiles are larger now than the block: how does a warp load them row by row? Of
  // NIBBLE-STUB: // each p fetch a thread's codes once, then use each of them four times.
  // NIBBLE-END
}

}  // namespace nibble

// 1795428570.7084525
