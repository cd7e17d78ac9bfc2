// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 25. One product on tensor cores, three times; what changes is who
// knows which lane holds what, and how the operands get there.
// NIBBLE-STUB: // Lab 25. The contract is in cuda_tensor_core.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 25        (or leave ./nibble watch open)
// NIBBLE-END
#include "cuda_tensor_core.hpp"

#include <mma.h>

#include "nibble/device/cp_async.hpp"
#include "nibble/device/ldmatrix.hpp"
#include "nibble/device/mma.hpp"

namespace wmma = nvcuda::wmma;

namespace nibble {

// --- WMMA: tiles of 16 x 16 that know of no edges ------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kEdge = 16;                    // of a WMMA tile, in all three directions
constexpr int kAcross = 2;                   // a block is 2 x 2 warps,
constexpr int kBlockEdge = kAcross * kEdge;  // and makes 32 x 32 outputs
constexpr int kSector = 32;                  // codes of a row that are fetched together: two tiles

/// 32 rows of 32 codes, as two columns of tiles. In each the rows are 16 bytes apart, so that 8
/// of them fill all banks once; two rows of nothing put the second column into other banks than
/// the first.
struct alignas(32) Operand {
  std::int8_t columns[kSector / kEdge][kBlockEdge + 2][kEdge];
};

/// Sums on their way out. Rows are 24 words apart: WMMA stores 8 words of 4 rows in one pass. What
/// is then read, two whole rows, takes two.
struct alignas(32) Sums {
  std::int32_t rows[kEdge][kEdge + 8];
};

/// Rows first to first + 31 of x [rows,k], 32 codes from p0 on; zero outside. A warp loads a row at
/// a time, one sector.
__device__ void load(Operand& tile, const std::int8_t* x, std::int64_t first, std::int64_t p0,
                     std::int64_t rows, std::int64_t k) {
  const int lane = threadIdx.x;
  const std::int64_t p = p0 + lane;
  for (int row = threadIdx.y; row < kBlockEdge; row += kAcross * kAcross) {
    const bool inside = first + row < rows && p < k;
    tile.columns[lane / kEdge][row][lane % kEdge] = inside ? x[(first + row) * k + p] : 0;
  }
}

}  // namespace

NIBBLE_LAUNCH(matmul_wmma_kernel, .block_x = 32, .block_y = kAcross * kAcross, .tile_m = kBlockEdge,
              .tile_n = kBlockEdge);
// NIBBLE-STUB: // How many warps should a block have, and what part of c do they make?
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_wmma_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void matmul_wmma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ Operand a_tile, b_tile;
  __shared__ Sums c_tiles[kAcross * kAcross];
  const int warp = threadIdx.y;
  const int row = warp / kAcross * kEdge, column = warp % kAcross * kEdge;
  const std::int64_t block_i = std::int64_t{blockIdx.y} * kBlockEdge;
  const std::int64_t block_j = std::int64_t{blockIdx.x} * kBlockEdge;
  const std::int64_t i0 = block_i + row, j0 = block_j + column;
  const bool has_outputs = i0 < m && j0 < n;  // a whole warp has, or has none

  wmma::fragment<wmma::matrix_a, 16, 16, 16, std::int8_t, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, std::int8_t, wmma::col_major> b_part;
  wmma::fragment<wmma::accumulator, 16, 16, 16, std::int32_t> sums;
  wmma::fill_fragment(sums, 0);
  for (std::int64_t p0 = 0; p0 < k; p0 += kSector) {
    load(a_tile, a, block_i, p0, m, k);
    load(b_tile, b_t, block_j, p0, n, k);
    __syncthreads();  // a warp without outputs has helped to load, and waits with the others
    for (int part = 0; has_outputs && part < 2 && p0 + part * kEdge < k; ++part) {
      wmma::load_matrix_sync(a_part, &a_tile.columns[part][row][0], kEdge);
      wmma::load_matrix_sync(b_part, &b_tile.columns[part][column][0], kEdge);
      wmma::mma_sync(sums, a_part, b_part, sums);
    }
    __syncthreads();  // nobody loads the next tiles before all have read these
  }
  if (!has_outputs) return;

  Sums& c_tile = c_tiles[warp];
  wmma::store_matrix_sync(&c_tile.rows[0][0], sums, kEdge + 8, wmma::mem_row_major);
  __syncwarp();  // only this warp's lanes have written here, and only they read
  for (int place = threadIdx.x; place < kEdge * kEdge; place += 32) {
    const int r = place / kEdge, s = place % kEdge;
    if (i0 + r < m && j0 + s < n) c[(i0 + r) * n + j0 + s] = c_tile.rows[r][s];
  }
  // NIBBLE-STUB: // Sums start as zeros. For every step along k: load tiles that are zero outside of the
  // NIBBLE-STUB: // matrices, wait, multiply, wait. Then how do 16 x 16 sums get into c where only
  // NIBBLE-STUB: // some of them exist? Which warps have nothing to multiply, and what are they still for?
  // NIBBLE-END
}

// --- mma.sync: words in the places that the instruction fixes ------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kRows = 16, kColumns = 8, kDepth = 32;  // of one product
constexpr int kWarps = 4;                             // side by side: they share their rows of a

/// A lane's place in all fragments.
struct Lane {
  int g = threadIdx.x % 32 / 4;
  int t = threadIdx.x % 4;
};

/// Codes p to p + 3 of a row of x [rows,k]; zeros below its last row.
__device__ unsigned word_at(const std::int8_t* x, std::int64_t row, std::int64_t p,
                            std::int64_t rows, std::int64_t k) {
  return row < rows ? *reinterpret_cast<const unsigned*>(x + row * k + p) : 0u;
}

/// c[i,j] and c[i,j+1], as far as they exist. j is even: if n is too, they share 8 aligned bytes.
__device__ void store_pair(std::int32_t* c, std::int64_t i, std::int64_t j, std::int64_t m,
                           std::int64_t n, std::int32_t left, std::int32_t right) {
  if (i >= m || j >= n) return;
  std::int32_t* const to = c + i * n + j;
  if (n % 2 == 0) {
    *reinterpret_cast<int2*>(to) = make_int2(left, right);
  } else {
    to[0] = left;
    if (j + 1 < n) to[1] = right;
  }
}

/// The 16 x 8 sums of a warp, whose first is c[i0,j0].
__device__ void store(std::int32_t* c, std::int64_t i0, std::int64_t j0, std::int64_t m,
                      std::int64_t n, const std::int32_t (&sums)[4]) {
  const auto [g, t] = Lane{};
  store_pair(c, i0 + g, j0 + 2 * t, m, n, sums[0], sums[1]);
  store_pair(c, i0 + g + 8, j0 + 2 * t, m, n, sums[2], sums[3]);
}

}  // namespace

NIBBLE_LAUNCH(matmul_mma_kernel, .block_x = 32, .block_y = kWarps, .tile_m = kRows,
              .tile_n = kWarps * kColumns);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_mma_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void matmul_mma_kernel(const std::int8_t* a, const std::int8_t* b_t, std::int32_t* c,
                                     std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  const auto [g, t] = Lane{};
  const std::int64_t i0 = std::int64_t{blockIdx.y} * kRows;
  const std::int64_t j0 = (std::int64_t{blockIdx.x} * kWarps + threadIdx.y) * kColumns;
  if (j0 >= n) return;  // all lanes of the warp, or none: a product needs all 32
  std::int32_t sums[4] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += kDepth) {
    unsigned a_words[4], b_words[2];
    for (int r = 0; r < 4; ++r) {  // down first, then along k
      a_words[r] = word_at(a, i0 + g + r % 2 * 8, p0 + r / 2 * 16 + 4 * t, m, k);
    }
    for (int r = 0; r < 2; ++r) b_words[r] = word_at(b_t, j0 + g, p0 + r * 16 + 4 * t, n, k);
    mma_m16n8k32(sums, a_words, b_words, sums);
  }
  store(c, i0, j0, m, n, sums);
  // NIBBLE-STUB: // Which g and t is this lane? Fetch its four words of a and two of b_t, zeros for rows
  // NIBBLE-STUB: // that do not exist, and multiply. Which of c's elements are in its four sums?
  // NIBBLE-STUB: // May a lane whose row does not exist stay away from the product?
  // NIBBLE-END
}

// --- Tiles by cp_async, fragments by ldmatrix ----------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kSide = 64;                // outputs of a block: 64 x 64,
constexpr int kHalf = 32;                // 32 x 32 for each of its 4 warps
constexpr int kStep = 64;                // codes along k of a tile,
constexpr int kPiece = 16;               // which come and go in pieces of 16 bytes
constexpr int kPieces = kStep / kPiece;  // of a row
constexpr int kThreads = 128;

/// 64 rows of 64 codes. Two rows fill the banks; so every second row its pieces move to other
/// places:
///
///     place       0  1  2  3                 8 rows, and piece 1 of each in another group of banks
///     rows 0, 1   0 [1] 2  3
///     rows 2, 3  [1] 0  3  2                 lane l of a warp copies piece l % 4 of row l / 4: 8 lanes
///     rows 4, 5   2  3  0 [1]                fill two rows, in whatever order
///     rows 6, 7   3  2 [1] 0
struct alignas(128) Tile {
  std::int8_t codes[kSide][kStep];

  __device__ std::int8_t* piece(int row, int q) {
    return &codes[row][(q ^ row / 2 % kPieces) * kPiece];
  }
};

/// Orders rows first to first + 63 of x [rows,k], 64 codes from p0 on.
/// What is outside becomes zeros.
__device__ void order(Tile& tile, const std::int8_t* x, std::int64_t first, std::int64_t p0,
                      std::int64_t rows, std::int64_t k) {
  for (int place = threadIdx.x; place < kSide * kPieces; place += kThreads) {
    const int row = place / kPieces, q = place % kPieces;
    const std::int64_t p = p0 + q * kPiece;
    const bool inside = first + row < rows && p < k;
    cp_async<16>(tile.piece(row, q), inside ? x + (first + row) * k + p : x, inside ? kPiece : 0);
  }
}

/// Adds 32 x 32 x 64 products: rows of a from `row` on, rows of b_t from `column` on.
__device__ void multiply(std::int32_t (&sums)[2][4][4], Tile& a_tile, Tile& b_tile, int row,
                         int column) {
  const int lane = threadIdx.x % 32;
  for (int q = 0; q < kPieces; q += 2) {
    unsigned a_words[2][4], b_words[2][4];
    for (int r = 0; r < 2; ++r) {
      // Lanes 0 to 15 name the rows of a[0] and a[1], the others those of a[2] and a[3].
      ldmatrix(a_words[r], a_tile.piece(row + 16 * r + lane % 16, q + lane / 16));
      // Here 8 lanes name b[0], 8 b[1], and then the same for the next 8 columns.
      ldmatrix(b_words[r],
               b_tile.piece(column + 16 * r + lane / 16 * 8 + lane % 8, q + lane / 8 % 2));
    }
    for (int r = 0; r < 2; ++r) {
      for (int s = 0; s < 4; ++s) {
        const unsigned* const words = &b_words[s / 2][s % 2 * 2];
        const unsigned b_pair[2] = {words[0], words[1]};
        mma_m16n8k32(sums[r][s], a_words[r], b_pair, sums[r][s]);
      }
    }
  }
}

}  // namespace

NIBBLE_LAUNCH(matmul_mma_tiled_kernel, .block_x = kThreads, .tile_m = kSide, .tile_n = kSide);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_mma_tiled_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void matmul_mma_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                           std::int32_t* c, std::int64_t m, std::int64_t n,
                                           std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ Tile a_tiles[2], b_tiles[2];
  const int warp = threadIdx.x / 32, row = warp / 2 * kHalf, column = warp % 2 * kHalf;
  const std::int64_t i0 = std::int64_t{blockIdx.y} * kSide, j0 = std::int64_t{blockIdx.x} * kSide;
  std::int32_t sums[2][4][4] = {};
  const auto order_step = [&](std::int64_t p0) {
    const int turn = p0 / kStep % 2;
    order(a_tiles[turn], a, i0, p0, m, k);
    order(b_tiles[turn], b_t, j0, p0, n, k);
    cp_async_commit();
  };
  if (k > 0) order_step(0);
  for (std::int64_t p0 = 0; p0 < k; p0 += kStep) {
    cp_async_wait<0>();  // this thread's copies are there,
    __syncthreads();     // and now everybody's; and all are done with the tiles of the step before,
    if (p0 + kStep < k) order_step(p0 + kStep);  // into which the next step's may come
    const int turn = p0 / kStep % 2;
    multiply(sums, a_tiles[turn], b_tiles[turn], row, column);
  }
  // Unrolled, so that sums are indexed by constants only: registers have no addresses.
#pragma unroll
  for (int r = 0; r < 2; ++r) {
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      store(c, i0 + row + 16 * r, j0 + column + 8 * s, m, n, sums[r][s]);
    }
  }
  // NIBBLE-STUB: // Order the first tiles. For every step along k: wait for what was ordered, let everybody
  // NIBBLE-STUB: // know, order the next tiles, multiply these. What does each of the two tiles of an
  // NIBBLE-STUB: // operand hold meanwhile, and where in it does piece q of a row lie?
  // NIBBLE-END
}

}  // namespace nibble
