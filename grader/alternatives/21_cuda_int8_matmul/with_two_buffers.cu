// The same lab with two tiles of each operand: while one is multiplied the other is loaded, and one
// barrier a step is enough. The last kernel takes four codes of its tiles at a time, as a word.
#include "cuda_int8_matmul.hpp"

namespace nibble {
namespace {

constexpr int kTile = 32;
constexpr int kWord = 4;  // codes

/// Codes of `kRows` rows of a matrix, 32 columns of each; every row begins in another bank.
template <int kRows>
struct Tile {
  alignas(kWord) std::int8_t codes[kRows][kTile + kWord];

  /// From x [rows,columns], beginning at (row0, column0). A warp takes a row at a time.
  __device__ void load(const std::int8_t* x, std::int64_t row0, std::int64_t column0,
                       std::int64_t rows, std::int64_t columns) {
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    const int warps = static_cast<int>(blockDim.x * blockDim.y) / kTile;
    const std::int64_t column = column0 + thread % kTile;
    for (int row = thread / kTile; row < kRows; row += warps) {
      const bool inside = row0 + row < rows && column < columns;
      codes[row][thread % kTile] = inside ? x[(row0 + row) * columns + column] : std::int8_t{0};
    }
  }

  __device__ char4 word(int row, int p) const {
    return *reinterpret_cast<const char4*>(&codes[row][p]);
  }
};

__device__ std::int32_t dot(char4 a, char4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

}  // namespace

NIBBLE_LAUNCH(matmul_naive_kernel, .block_x = 64, .block_y = 4, .tile_m = 4, .tile_n = 64);

NIBBLE_KERNEL void matmul_naive_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr auto launch = matmul_naive_kernel_launch;
  const std::int64_t i = std::int64_t{blockIdx.y} * launch.tile_m + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * launch.tile_n + threadIdx.x;
  if (i >= m) return;
  if (j >= n) return;
  c[i * n + j] = [&] {
    std::int32_t sum = 0;
    for (std::int64_t p = k; p-- > 0;) sum += a[i * k + p] * b[p * n + j];
    return sum;
  }();
}

NIBBLE_LAUNCH(matmul_tiled_kernel, .block_x = 32, .block_y = 32, .tile_m = 32, .tile_n = 32);

NIBBLE_KERNEL void matmul_tiled_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  __shared__ Tile<kTile> a_tiles[2], b_tiles[2];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t i0 = std::int64_t{blockIdx.y} * kTile, j0 = std::int64_t{blockIdx.x} * kTile;
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0, step = 0; p0 < k; p0 += kTile, ++step) {
    Tile<kTile>&a_tile = a_tiles[step % 2], &b_tile = b_tiles[step % 2];
    a_tile.load(a, i0, p0, m, k);
    b_tile.load(b, p0, j0, k, n);
    // Who is past this barrier has finished the step before; the tiles of the one before that,
    // which are loaded next, are read by nobody.
    __syncthreads();
    for (int p = 0; p < kTile; ++p) sum += a_tile.codes[y][p] * b_tile.codes[p][x];
  }
  if (i0 + y < m && j0 + x < n) c[(i0 + y) * n + j0 + x] = sum;
}

NIBBLE_LAUNCH(matmul_transposed_kernel, .block_x = 32, .block_y = 32, .tile_m = 32, .tile_n = 32);

NIBBLE_KERNEL void matmul_transposed_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k) {
  __shared__ Tile<kTile> a_tiles[2], b_tiles[2];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t i0 = std::int64_t{blockIdx.y} * kTile, j0 = std::int64_t{blockIdx.x} * kTile;
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0, step = 0; p0 < k; p0 += kTile, ++step) {
    Tile<kTile>&a_tile = a_tiles[step % 2], &b_tile = b_tiles[step % 2];
    a_tile.load(a, i0, p0, m, k);
    b_tile.load(b_t, j0, p0, n, k);
    __syncthreads();
    for (int p = 0; p < kTile; p += kWord) sum += dot(a_tile.word(y, p), b_tile.word(x, p));
  }
  if (i0 + y < m && j0 + x < n) c[(i0 + y) * n + j0 + x] = sum;
}

NIBBLE_LAUNCH(matmul_register_kernel, .block_x = 16, .block_y = 16, .tile_m = 64, .tile_n = 64);

NIBBLE_KERNEL void matmul_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                          std::int32_t* c, std::int64_t m, std::int64_t n,
                                          std::int64_t k) {
  __shared__ Tile<64> a_tile, b_tile;
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t i0 = std::int64_t{blockIdx.y} * 64, j0 = std::int64_t{blockIdx.x} * 64;
  std::int32_t sums[16] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += kTile) {
    if (p0 > 0) __syncthreads();
    a_tile.load(a, i0, p0, m, k);
    b_tile.load(b_t, j0, p0, n, k);
    __syncthreads();
    for (int p = 0; p < kTile; p += kWord) {
      char4 columns[4];
      for (int s = 0; s < 4; ++s) columns[s] = b_tile.word(x + 16 * s, p);
      for (int r = 0; r < 4; ++r) {
        const char4 row = a_tile.word(y + 16 * r, p);
        for (int s = 0; s < 4; ++s) sums[4 * r + s] += dot(row, columns[s]);
      }
    }
  }
  for (int at = 0; at < 16; ++at) {
    const std::int64_t i = i0 + y + 16 * (at / 4), j = j0 + x + 16 * (at % 4);
    if (i < m && j < n) c[i * n + j] = sums[at];
  }
}

}  // namespace nibble
