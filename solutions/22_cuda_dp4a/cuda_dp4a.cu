// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 22. Four products an instruction; what changes is how many of them
// a word serves once it has been fetched.
// NIBBLE-STUB: // Lab 22. The contract is in cuda_dp4a.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 22        (or leave ./nibble watch open)
// NIBBLE-END
#include "cuda_dp4a.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

/// The four codes at `codes` as a word. Their address is a multiple of 4:
/// rows begin at multiples of 16.
__device__ int word_at(const std::int8_t* codes) { return *reinterpret_cast<const int*>(codes); }

/// The lower `count` codes of a word, and zeros for the others: what is behind the end of a row is
/// not zero by itself. In one of two operands that is enough; in tiles it is done to both.
__device__ int first_codes(int word, std::int64_t count) {
  if (count >= 4) return word;
  return count > 0 ? word & ((1 << (8 * count)) - 1) : 0;
}

}  // namespace
// NIBBLE-END

// --- One output a thread, words from global memory -----------------------------------------------

// NIBBLE-BEGIN-SOLUTION
// block_x is 8: a warp makes 4 rows of 8 columns, and fetches from 12 rows of its operands, not
// from 33. Eight sums are a sector of c.
NIBBLE_LAUNCH(matmul_dp4a_naive_kernel, .block_x = 8, .block_y = 16, .tile_m = 16, .tile_n = 8);
// NIBBLE-STUB: // What shape should a warp's 32 outputs have, when a word of either operand is a sector?
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_dp4a_naive_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_dp4a_naive_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t i = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= m || j >= n) return;
  const std::int8_t *a_row = a + i * pitch, *b_row = b_t + j * pitch;
  const std::int64_t whole = k / 4 * 4;  // codes in whole words
  std::int32_t sum = 0;
  for (std::int64_t p = 0; p < whole; p += 4) {
    sum = __dp4a(word_at(a_row + p), word_at(b_row + p), sum);
  }
  if (whole < k) {
    sum = __dp4a(first_codes(word_at(a_row + whole), k - whole), word_at(b_row + whole), sum);
  }
  c[i * n + j] = sum;
  // NIBBLE-STUB: // Which two rows does this thread need, and where do they begin? How many whole words
  // NIBBLE-STUB: // have they, and what is in the word after those?
  // NIBBLE-END
}

// --- Tiles of words ------------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

/// A tile has 32 rows of 32 words: a row of it is fetched, and stored, by one warp.
constexpr int kTile = 32;

/// The word of `row` at p, 0 where there is none.
__device__ int inside_or_zero(const std::int8_t* x, std::int64_t row, std::int64_t p,
                              std::int64_t rows, std::int64_t k, std::int64_t pitch) {
  return row < rows && p < k ? first_codes(word_at(x + row * pitch + p), k - p) : 0;
}

}  // namespace

NIBBLE_LAUNCH(matmul_dp4a_tiled_kernel, .block_x = kTile, .block_y = kTile, .tile_m = kTile,
              .tile_n = kTile);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_dp4a_tiled_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_dp4a_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  // NIBBLE-BEGIN-SOLUTION
  // Row x of b_tile begins in bank x. Its stores need no pad: a warp stores to one row.
  __shared__ int a_tile[kTile][kTile], b_tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kTile;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kTile;
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0; p0 < k; p0 += 4 * kTile) {
    const std::int64_t p = p0 + 4 * x;
    a_tile[y][x] = inside_or_zero(a, first_i + y, p, m, k, pitch);
    b_tile[y][x] = inside_or_zero(b_t, first_j + y, p, n, k, pitch);
    __syncthreads();
    for (int w = 0; w < kTile; ++w) sum = __dp4a(a_tile[y][w], b_tile[x][w], sum);
    __syncthreads();
  }
  const std::int64_t i = first_i + y, j = first_j + x;
  if (i < m && j < n) c[i * n + j] = sum;
  // NIBBLE-STUB: // A thread loads one word of each tile, not one code. Which of them, so that a warp
  // NIBBLE-STUB: // fetches neighbours? In which banks does it put them, and from which does it take
  // NIBBLE-STUB: // what it multiplies? What are the codes from k on?
  // NIBBLE-END
}

// --- 8 x 8 outputs a thread ----------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kOutputs = 8;              // a thread has 8 rows and 8 columns,
constexpr int kSide = 16;                // a block 16 x 16 threads,
constexpr int kWide = kOutputs * kSide;  // and so 128 x 128 outputs

/// A tile holds 32 codes of a row, a sector, as two pieces of 16 bytes. With the pad a row is three
/// pieces, and 3 is odd: 8 rows begin in 8 different quadruples of banks.
constexpr int kPieces = 2;
using Tile = int4[kWide][kPieces + 1];

/// Rows first to first + 127 of x, codes p0 to p0 + 31. A warp takes 16 rows, a thread one piece.
/// Lanes 0 to 15 take the first piece of each row: so 8 lanes that store together store to 8 rows,
/// and all 32 fetch whole sectors.
__device__ void load(Tile& tile, const std::int8_t* x, std::int64_t first, std::int64_t p0,
                     std::int64_t rows, std::int64_t k, std::int64_t pitch) {
  const int thread = threadIdx.y * kSide + threadIdx.x;
  const int row = thread / 32 * 16 + thread % 16;
  const int piece = thread % 32 / 16;
  const std::int64_t p = p0 + 16 * piece;
  int4 words = make_int4(0, 0, 0, 0);
  if (first + row < rows && p < k) {
    words = *reinterpret_cast<const int4*>(x + (first + row) * pitch + p);
    words.x = first_codes(words.x, k - p);
    words.y = first_codes(words.y, k - p - 4);
    words.z = first_codes(words.z, k - p - 8);
    words.w = first_codes(words.w, k - p - 12);
  }
  tile[row][piece] = words;
}

/// sum + the 16 products of two pieces.
__device__ std::int32_t dot(int4 x, int4 y, std::int32_t sum) {
  sum = __dp4a(x.x, y.x, sum);
  sum = __dp4a(x.y, y.y, sum);
  sum = __dp4a(x.z, y.z, sum);
  return __dp4a(x.w, y.w, sum);
}

}  // namespace

NIBBLE_LAUNCH(matmul_dp4a_register_kernel, .block_x = kSide, .block_y = kSide, .tile_m = kWide,
              .tile_n = kWide);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_dp4a_register_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_dp4a_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                               std::int32_t* c, std::int64_t m, std::int64_t n,
                                               std::int64_t k, std::int64_t pitch) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ Tile a_tile, b_tile;
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kWide;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kWide;
  std::int32_t sums[kOutputs][kOutputs] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += 16 * kPieces) {
    load(a_tile, a, first_i, p0, m, k, pitch);
    load(b_tile, b_t, first_j, p0, n, k, pitch);
    __syncthreads();
    for (int piece = 0; piece < kPieces; ++piece) {
      // Eight pieces of b_t wait in 32 registers; of a one at a time is enough.
      int4 b_words[kOutputs];
      for (int s = 0; s < kOutputs; ++s) b_words[s] = b_tile[x + s * kSide][piece];
      for (int r = 0; r < kOutputs; ++r) {
        const int4 a_words = a_tile[y + r * kSide][piece];
        for (int s = 0; s < kOutputs; ++s) sums[r][s] = dot(a_words, b_words[s], sums[r][s]);
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
  // NIBBLE-STUB: // 16 bytes a thread, from global memory and from the tiles. Which 8 lanes store, or
  // NIBBLE-STUB: // load, at the same time, and in which banks do their 16 bytes begin? How often is a
  // NIBBLE-STUB: // piece used once it is in registers?
  // NIBBLE-END
}

}  // namespace nibble
