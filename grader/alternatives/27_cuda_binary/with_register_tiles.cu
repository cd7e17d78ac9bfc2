// The same lab with larger tiles: 64 x 64 outputs a block, 4 x 4 a thread, steps of 16 words, and
// words that are stored turned around, so that no pad is needed to read neighbours.
#include "cuda_binary.hpp"

namespace nibble {
namespace {

constexpr unsigned kAll = 0xffffffffu;

/// A row-major matrix of bits, whose tails read as 0, and everything beyond it too.
struct BitMatrix {
  const std::uint32_t* bits;
  std::int64_t rows, cols;

  __device__ std::int64_t words() const { return cols / 32 + (cols % 32 != 0); }
  __device__ std::uint32_t at(std::int64_t row, std::int64_t word) const {
    if (row >= rows || word >= words()) return 0;
    const std::uint32_t found = bits[row * words() + word];
    const int left = static_cast<int>(cols % 32);
    const bool whole = left == 0 || word + 1 < words();
    return whole ? found : found & ((1u << left) - 1u);
  }
};

/// The word that a warp makes of 32 columns from `first` on: 0 where there are none.
__device__ std::uint32_t vote(const float* row, std::int64_t first, std::int64_t cols) {
  const std::int64_t column = first + threadIdx.x;
  const bool inside = column < cols;
  return __ballot_sync(kAll, inside && row[column] < 0.0f);
}

}  // namespace

NIBBLE_LAUNCH(pack_signs_kernel, .block_x = 32, .block_y = 4, .tile_m = 4, .tile_n = 32);

NIBBLE_KERNEL void pack_signs_kernel(const float* x, std::uint32_t* bits, std::int64_t rows,
                                     std::int64_t cols) {
  const std::int64_t row = blockIdx.y * 4ll + threadIdx.y;
  const std::int64_t mine = blockIdx.x * 32ll + threadIdx.x;
  if (row >= rows) return;
  std::uint32_t own = 0;
  for (int turn = 0; turn < 32; ++turn) {
    const std::uint32_t word = vote(x + row * cols, (blockIdx.x * 32ll + turn) * 32, cols);
    own = turn == static_cast<int>(threadIdx.x) ? word : own;
  }
  const std::int64_t words = (cols + 31) / 32;
  if (mine < words) bits[row * words + mine] = own;
}

// A warp's 8 rows of 4 columns need as many sectors as 4 rows of 8.
NIBBLE_LAUNCH(binary_matmul_kernel, .block_x = 4, .block_y = 32, .tile_m = 32, .tile_n = 4);

NIBBLE_KERNEL void binary_matmul_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                        std::int32_t* c, std::int64_t m, std::int64_t n,
                                        std::int64_t k) {
  const std::int64_t i = blockIdx.y * 32ll + threadIdx.y, j = blockIdx.x * 4ll + threadIdx.x;
  if (i >= m) return;
  if (j >= n) return;
  const BitMatrix left{a, m, k}, right{b_t, n, k};
  std::int64_t sum = k;
  for (std::int64_t w = left.words(); w-- > 0;) sum -= 2 * __popc(left.at(i, w) ^ right.at(j, w));
  c[i * n + j] = static_cast<std::int32_t>(sum);
}

namespace {

constexpr int kSide = 64, kSteps = 16, kShare = 4;

/// 64 rows, 16 words of each: word v of row r at [v][r].
struct Tile {
  std::uint32_t words[kSteps][kSide + 2];

  /// A half warp takes 16 neighbours of a row. Rows of 66 words send them to 16 banks, and the
  /// other half warp, a row further down, to the 16 between.
  __device__ void load(const BitMatrix& from, std::int64_t row0, std::int64_t w0) {
    const int thread = static_cast<int>(threadIdx.y * 16 + threadIdx.x);
    for (int row = thread / kSteps; row < kSide; row += 256 / kSteps) {
      words[thread % kSteps][row] = from.at(row0 + row, w0 + thread % kSteps);
    }
  }
};

}  // namespace

NIBBLE_LAUNCH(binary_matmul_tiled_kernel, .block_x = 16, .block_y = 16, .tile_m = 64, .tile_n = 64);

NIBBLE_KERNEL void binary_matmul_tiled_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                              std::int32_t* c, std::int64_t m, std::int64_t n,
                                              std::int64_t k) {
  __shared__ Tile a_tile, b_tile;
  const BitMatrix left{a, m, k}, right{b_t, n, k};
  const std::int64_t i0 = blockIdx.y * std::int64_t{kSide}, j0 = blockIdx.x * std::int64_t{kSide};
  const int x = threadIdx.x, y = threadIdx.y;
  int differing[kShare][kShare] = {};
  for (std::int64_t w0 = 0; w0 < left.words(); w0 += kSteps) {
    if (w0 > 0) __syncthreads();
    a_tile.load(left, i0, w0);
    b_tile.load(right, j0, w0);
    __syncthreads();
    for (int v = 0; v < kSteps; ++v) {
      std::uint32_t columns[kShare];
      for (int s = 0; s < kShare; ++s) columns[s] = b_tile.words[v][x + 16 * s];
      for (int r = 0; r < kShare; ++r) {
        const std::uint32_t row = a_tile.words[v][y + 16 * r];
        for (int s = 0; s < kShare; ++s) differing[r][s] += __popc(row ^ columns[s]);
      }
    }
  }
  for (int r = 0; r < kShare; ++r) {
    for (int s = 0; s < kShare; ++s) {
      const std::int64_t i = i0 + y + 16 * r, j = j0 + x + 16 * s;
      if (i < m && j < n) c[i * n + j] = static_cast<std::int32_t>(k - 2ll * differing[r][s]);
    }
  }
}

// A block of one warp makes one row.
NIBBLE_LAUNCH(binarize_rows_kernel, .block_x = 32, .tile_n = 1);

NIBBLE_KERNEL void binarize_rows_kernel(const float* w, std::uint32_t* bits, float* alpha,
                                        std::int64_t rows, std::int64_t cols) {
  const std::int64_t r = blockIdx.x, words = (cols + 31) / 32;
  if (r >= rows) return;
  const float* const row = w + r * cols;
  float sum = 0.0f;
  for (std::int64_t from = 0; from < words; from += 32) {
    std::uint32_t own = 0;
    for (int turn = 0; turn < 32 && from + turn < words; ++turn) {
      const std::int64_t column = (from + turn) * 32 + threadIdx.x;
      const float value = column < cols ? row[column] : -0.0f;
      const std::uint32_t word = __ballot_sync(kAll, value < 0.0f);
      if (turn == static_cast<int>(threadIdx.x)) own = word;
      sum += value < 0.0f ? -value : value;
    }
    if (from + threadIdx.x < words) bits[r * words + from + threadIdx.x] = own;
  }
  for (int apart = 1; apart < 32; apart *= 2) sum += __shfl_xor_sync(kAll, sum, apart);
  if (threadIdx.x == 0) alpha[r] = sum / static_cast<float>(cols);
}

}  // namespace nibble
