// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 27. Signs become bits by a vote of the warp; bits are multiplied by
// asking where they differ.
// NIBBLE-STUB: // Lab 27. The contract is in cuda_binary.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 27        (or leave ./nibble watch open)
// NIBBLE-END
#include "cuda_binary.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kLanes = 32;  // of a warp, and bits of a word
constexpr unsigned kAllLanes = 0xffffffffu;

/// What a warp finds in a piece of a row, 32 words long.
struct Piece {
  std::uint32_t word = 0;   ///< lane l has word l of the piece
  float magnitudes = 0.0f;  ///< the sum of those that this lane has read
};

/// The piece of a row that begins at column `first`.
__device__ Piece pack_piece(const float* row, std::int64_t first, std::int64_t cols, int lane) {
  Piece piece;
  for (int w = 0; w < kLanes; ++w) {
    const std::int64_t column = first + w * kLanes + lane;
    if (column - lane >= cols) break;  // all lanes leave, or none: they all vote
    // Beyond the row stands a 0: its bit is 0, and it adds nothing.
    const float x = column < cols ? row[column] : 0.0f;
    const std::uint32_t word = __ballot_sync(kAllLanes, x < 0.0f);
    if (lane == w) piece.word = word;
    piece.magnitudes += fabsf(x);
  }
  return piece;
}

__device__ std::int64_t word_count(std::int64_t cols) { return (cols + kLanes - 1) / kLanes; }

/// Ones where the last word of a row of k bits has bits of the row. By 32 nobody may shift, so
/// a word that is full has to come out as a shift by 0.
__device__ std::uint32_t tail_mask(std::int64_t k) { return ~0u >> (word_count(k) * kLanes - k); }

}  // namespace
// NIBBLE-END

// --- Signs to bits -------------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
// A warp makes 32 words of a row, then writes them at once.
NIBBLE_LAUNCH(pack_signs_kernel, .block_x = kLanes, .block_y = 8, .tile_m = 8, .tile_n = kLanes);
// NIBBLE-STUB: // How many words does a warp have to make before it may write whole sectors?
// NIBBLE-STUB: NIBBLE_LAUNCH(pack_signs_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void pack_signs_kernel(const float* x, std::uint32_t* bits, std::int64_t rows,
                                     std::int64_t cols) {
  // NIBBLE-BEGIN-SOLUTION
  const int lane = threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // a whole warp, so no lane is missing when the others vote
  const std::int64_t words = word_count(cols), first = std::int64_t{blockIdx.x} * kLanes;
  const Piece piece = pack_piece(x + row * cols, first * kLanes, cols, lane);
  if (first + lane < words) bits[row * words + first + lane] = piece.word;
  // NIBBLE-STUB: // 32 neighbours of a row are one vote of the warp, and give one word. Who answers where
  // NIBBLE-STUB: // the row has ended? Which lane keeps which word, until they are written together?
  // NIBBLE-END
}

// --- The product, words from global memory -------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
// A warp is 4 rows of 8 columns: 12 rows of words, where 1 row of 32 columns would need 33.
NIBBLE_LAUNCH(binary_matmul_kernel, .block_x = 8, .block_y = 32, .tile_m = 32, .tile_n = 8);
// NIBBLE-STUB: // Which 32 outputs of c share the most rows of a and of b_t?
// NIBBLE-STUB: NIBBLE_LAUNCH(binary_matmul_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void binary_matmul_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                        std::int32_t* c, std::int64_t m, std::int64_t n,
                                        std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t i = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= m || j >= n) return;
  const std::int64_t words = word_count(k);
  std::int32_t differing = 0;
  for (std::int64_t w = 0; w < words; ++w) {
    std::uint32_t differs = a[i * words + w] ^ b_t[j * words + w];
    if (w == words - 1) differs &= tail_mask(k);
    differing += __popc(differs);
  }
  c[i * n + j] = static_cast<std::int32_t>(k) - 2 * differing;
  // NIBBLE-STUB: // Count where the two rows differ, 32 columns at a time. What does that make the sum?
  // NIBBLE-STUB: // Which bits of which word must not be counted?
  // NIBBLE-END
}

// --- The product, through tiles ------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kTile = 32;                          // rows of a tile, and words of each
constexpr int kWarps = 8, kRows = kTile / kWarps;  // a thread makes 4 rows of one column of c

/// Word w of a row of k bits; 0 beyond every edge, the tail too.
__device__ std::uint32_t word_at(const std::uint32_t* bits, std::int64_t row, std::int64_t w,
                                 std::int64_t rows, std::int64_t k) {
  const std::int64_t words = word_count(k);
  if (row >= rows || w >= words) return 0;
  const std::uint32_t word = bits[row * words + w];
  return w == words - 1 ? word & tail_mask(k) : word;
}

}  // namespace

NIBBLE_LAUNCH(binary_matmul_tiled_kernel, .block_x = kTile, .block_y = kWarps, .tile_m = kTile,
              .tile_n = kTile);
// NIBBLE-STUB: NIBBLE_LAUNCH(binary_matmul_tiled_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void binary_matmul_tiled_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                              std::int32_t* c, std::int64_t m, std::int64_t n,
                                              std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  // The tile of b_t is read down its columns: rows of 33 words begin in 32 different banks. That
  // of a is read along its rows, one word for all lanes.
  __shared__ std::uint32_t a_tile[kTile][kTile], b_tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kTile;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kTile;
  const std::int64_t words = word_count(k);
  std::int32_t differing[kRows] = {};
  for (std::int64_t w0 = 0; w0 < words; w0 += kTile) {
    for (int row = y; row < kTile; row += kWarps) {
      a_tile[row][x] = word_at(a, first_i + row, w0 + x, m, k);
      b_tile[row][x] = word_at(b_t, first_j + row, w0 + x, n, k);
    }
    __syncthreads();  // nobody reads a tile before all of it is there
    const int used = words - w0 < kTile ? static_cast<int>(words - w0) : kTile;
    for (int w = 0; w < used; ++w) {
      const std::uint32_t column = b_tile[x][w];  // fetched once, used for 4 rows
      for (int r = 0; r < kRows; ++r) differing[r] += __popc(a_tile[y + r * kWarps][w] ^ column);
    }
    __syncthreads();  // nobody loads the next before all have read this one
  }
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t i = first_i + y + r * kWarps, j = first_j + x;
    if (i < m && j < n) c[i * n + j] = static_cast<std::int32_t>(k) - 2 * differing[r];
  }
  // NIBBLE-STUB: // For every step along k: 1. load a tile of words of a and one of b_t, 0 beyond the
  // NIBBLE-STUB: // edges and in the tail  2. wait  3. count where they differ  4. wait.
  // NIBBLE-STUB: // In which banks do 32 rows of the tile of b_t begin?
  // NIBBLE-END
}

// --- What a sign stands for ----------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(binarize_rows_kernel, .block_x = kLanes, .block_y = 8, .tile_n = 8);
// NIBBLE-STUB: // One warp a row: how many rows is that a block?
// NIBBLE-STUB: NIBBLE_LAUNCH(binarize_rows_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void binarize_rows_kernel(const float* w, std::uint32_t* bits, float* alpha,
                                        std::int64_t rows, std::int64_t cols) {
  // NIBBLE-BEGIN-SOLUTION
  const int lane = threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const std::int64_t words = word_count(cols);
  float sum = 0.0f;
  for (std::int64_t first = 0; first < words; first += kLanes) {
    const Piece piece = pack_piece(w + row * cols, first * kLanes, cols, lane);
    if (first + lane < words) bits[row * words + first + lane] = piece.word;
    sum += piece.magnitudes;
  }
  // Out of the loop all lanes come together again. Each exchange joins two halves.
  for (int apart = kLanes / 2; apart > 0; apart /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, apart);
  }
  if (lane == 0) alpha[row] = sum / static_cast<float>(cols);
  // NIBBLE-STUB: // Each lane meets every 32nd column: it has a bit of each word, and a sum of its own.
  // NIBBLE-STUB: // How do 32 sums become one in five exchanges? Who writes it?
  // NIBBLE-END
}

}  // namespace nibble
