// The same lab with tiles that are turned: [word][row] where the solution has [row][word].
// Neighbouring lanes then multiply neighbouring words, and a vector of 16 bytes is four rows.
// The pad is for the stores.
#include "cuda_dp4a.hpp"

namespace nibble {
namespace {

/// A matrix of words in global memory. Behind k, and below the last row, it is 0.
struct Words {
  const std::int8_t* codes;
  std::int64_t rows, k, pitch;

  __device__ int at(std::int64_t row, std::int64_t word) const {
    const std::int64_t left = k - 4 * word;
    if (row >= rows || left <= 0) return 0;
    const char4 four = reinterpret_cast<const char4*>(codes + row * pitch)[word];
    const unsigned mask = left < 4 ? 0xFFFFFFFFu >> (32 - 8 * left) : 0xFFFFFFFFu;
    const unsigned bits = static_cast<unsigned char>(four.x) |
                          static_cast<unsigned char>(four.y) << 8 |
                          static_cast<unsigned char>(four.z) << 16 |
                          static_cast<unsigned>(static_cast<unsigned char>(four.w)) << 24;
    return static_cast<int>(bits & mask);
  }
};

}  // namespace

// Threads in one line; a warp makes 4 rows of 8 columns all the same.
NIBBLE_LAUNCH(matmul_dp4a_naive_kernel, .block_x = 64, .tile_m = 8, .tile_n = 8);

NIBBLE_KERNEL void matmul_dp4a_naive_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  const std::int64_t i = blockIdx.y * 8ll + threadIdx.x / 8;
  const std::int64_t j = blockIdx.x * 8ll + threadIdx.x % 8;
  if (i < m && j < n) {
    const Words left{a, m, k, pitch}, right{b_t, n, k, pitch};
    std::int32_t sum = 0;
    for (std::int64_t word = (k + 3) / 4; word-- > 0;) {
      sum = __dp4a(left.at(i, word), right.at(j, word), sum);
    }
    c[i * n + j] = sum;
  }
}

// Steps of 8 words, a sector of a row: half of the warps load.
constexpr int kTile = 32, kWords = 8, kTurned = kTile + 4;

NIBBLE_LAUNCH(matmul_dp4a_tiled_kernel, .block_x = kTile * kTile, .tile_m = kTile, .tile_n = kTile);

NIBBLE_KERNEL void matmul_dp4a_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  // Four rows of 8 words, stored 36 words apart: 32 lanes, 32 banks.
  __shared__ int tiles[2][kWords][kTurned];
  const int thread = threadIdx.x;
  const int which = thread / (kTile * kWords);  // operand that this thread loads; 2 and 3: none
  const int row = thread / kWords % kTile, word = thread % kWords;
  const std::int64_t i0 = blockIdx.y * std::int64_t{kTile}, j0 = blockIdx.x * std::int64_t{kTile};
  const Words words = which == 0 ? Words{a, m, k, pitch} : Words{b_t, n, k, pitch};
  std::int32_t sum = 0;
  for (std::int64_t first = 0; 4 * first < k; first += kWords) {
    __syncthreads();
    if (which < 2) {
      const int loaded = words.at((which == 0 ? i0 : j0) + row, first + word);
      tiles[which][word][row] = loaded;
    }
    __syncthreads();
    for (int w = 0; w < kWords; ++w) {
      sum = __dp4a(tiles[0][w][thread / kTile], tiles[1][w][thread % kTile], sum);
    }
  }
  const std::int64_t i = i0 + thread / kTile, j = j0 + thread % kTile;
  if (i < m && j < n) c[i * n + j] = sum;
}

// 8 rows and columns as two fours that are 64 apart: four neighbours are one load of 16 bytes.
constexpr int kWide = 128, kPitch = kWide + 4;

NIBBLE_LAUNCH(matmul_dp4a_register_kernel, .block_x = 256, .tile_m = kWide, .tile_n = kWide,
              .shared_bytes = 2 * kWords * kPitch * sizeof(int));

NIBBLE_KERNEL void matmul_dp4a_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                               std::int32_t* c, std::int64_t m, std::int64_t n,
                                               std::int64_t k, std::int64_t pitch) {
  extern __shared__ int tiles[];  // [operand][word][row]
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const std::int64_t i0 = blockIdx.y * std::int64_t{kWide}, j0 = blockIdx.x * std::int64_t{kWide};
  const Words operands[2] = {{a, m, k, pitch}, {b_t, n, k, pitch}};
  std::int32_t sums[8][8] = {};
  for (std::int64_t first = 0; 4 * first < k; first += kWords) {
    for (int which = 0; which < 2; ++which) {
      for (int row = thread / kWords; row < kWide; row += 32) {
        const int word = thread % kWords;
        const int loaded = operands[which].at((which == 0 ? i0 : j0) + row, first + word);
        tiles[(which * kWords + word) * kPitch + row] = loaded;
      }
    }
    __syncthreads();
    for (int w = 0; w < kWords; ++w) {
      int rows[8], columns[8];
      for (int half = 0; half < 2; ++half) {
        const int4 four_rows = *reinterpret_cast<int4*>(&tiles[w * kPitch + 64 * half + 4 * y]);
        const int4 four_columns =
            *reinterpret_cast<int4*>(&tiles[(kWords + w) * kPitch + 64 * half + 4 * x]);
        rows[4 * half] = four_rows.x, rows[4 * half + 1] = four_rows.y;
        rows[4 * half + 2] = four_rows.z, rows[4 * half + 3] = four_rows.w;
        columns[4 * half] = four_columns.x, columns[4 * half + 1] = four_columns.y;
        columns[4 * half + 2] = four_columns.z, columns[4 * half + 3] = four_columns.w;
      }
      for (int r = 0; r < 8; ++r) {
        for (int s = 0; s < 8; ++s) sums[r][s] = __dp4a(rows[r], columns[s], sums[r][s]);
      }
    }
    __syncthreads();
  }
  // A row of c is written 16 bytes a thread where it begins at a multiple of 16.
  for (int r = 0; r < 8; ++r) {
    const std::int64_t i = i0 + 64 * (r / 4) + 4 * y + r % 4;
    if (i >= m) continue;
    for (int half = 0; half < 2; ++half) {
      const std::int64_t j = j0 + 64 * half + 4 * x;
      const int* const four = &sums[r][4 * half];
      if (n % 4 == 0 && j < n) {
        const int4 vector = make_int4(four[0], four[1], four[2], four[3]);
        *reinterpret_cast<int4*>(c + i * n + j) = vector;
        continue;
      }
      for (int s = 0; s < 4; ++s) {
        if (j + s < n) c[i * n + j + s] = four[s];
      }
    }
  }
}

}  // namespace nibble
