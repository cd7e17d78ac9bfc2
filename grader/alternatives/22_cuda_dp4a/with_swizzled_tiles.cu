// The same lab without a pad: the words of a row change places, by a rule that depends on the row,
// so that a column of the tile lies in all banks. Two tiles of each operand,
// and one barrier a step.
#include "cuda_dp4a.hpp"

namespace nibble {
namespace {

constexpr int kWarp = 32;

/// A word whose codes from `left` on are cleared, whatever was in them.
__device__ int cut(int word, std::int64_t left) {
  if (left <= 0) return 0;
  const int unwanted = left < 4 ? 32 - 8 * static_cast<int>(left) : 0;
  return static_cast<int>(static_cast<unsigned>(word) << unwanted >> unwanted);
}

/// A vector of 16 codes of one row; all zero where the matrix has none.
__device__ int4 vector_at(const std::int8_t* x, std::int64_t row, std::int64_t p, std::int64_t rows,
                          std::int64_t k, std::int64_t pitch) {
  int4 v = make_int4(0, 0, 0, 0);
  if (row >= rows || p >= k) return v;
  v = reinterpret_cast<const int4*>(x)[(row * pitch + p) / 16];
  const std::int64_t left = k - p;
  return left >= 16 ? v
                    : make_int4(cut(v.x, left), cut(v.y, left - 4), cut(v.z, left - 8),
                                cut(v.w, left - 12));
}

}  // namespace

NIBBLE_LAUNCH(matmul_dp4a_naive_kernel, .block_x = 8, .block_y = 8, .tile_m = 8, .tile_n = 8);

NIBBLE_KERNEL void matmul_dp4a_naive_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  constexpr auto launch = matmul_dp4a_naive_kernel_launch;
  const std::int64_t i = std::int64_t{blockIdx.y} * launch.tile_m + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * launch.tile_n + threadIdx.x;
  if (i >= m) return;
  if (j >= n) return;
  std::int32_t sum = 0;
  for (std::int64_t p = 0; p < k; p += 16) {
    const int4 u = vector_at(a, i, p, m, k, pitch), v = vector_at(b_t, j, p, n, k, pitch);
    sum = __dp4a(u.x, v.x, sum);
    if (p + 4 < k) sum = __dp4a(u.y, v.y, sum);
    if (p + 8 < k) sum = __dp4a(u.z, v.z, sum);
    if (p + 12 < k) sum = __dp4a(u.w, v.w, sum);
  }
  c[i * n + j] = sum;
}

NIBBLE_LAUNCH(matmul_dp4a_tiled_kernel, .block_x = kWarp, .block_y = kWarp, .tile_m = kWarp,
              .tile_n = kWarp);

NIBBLE_KERNEL void matmul_dp4a_tiled_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            std::int32_t* c, std::int64_t m, std::int64_t n,
                                            std::int64_t k, std::int64_t pitch) {
  __shared__ int a_tiles[2][kWarp][kWarp], b_tiles[2][kWarp][kWarp];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t i = std::int64_t{blockIdx.y} * kWarp + y;
  const std::int64_t j0 = std::int64_t{blockIdx.x} * kWarp;
  std::int32_t sum = 0;
  for (std::int64_t p0 = 0, step = 0; p0 < k; p0 += 4 * kWarp, ++step) {
    auto& a_tile = a_tiles[step % 2];
    auto& b_tile = b_tiles[step % 2];
    const std::int64_t p = p0 + 4 * x, left = k - p;
    int a_word = 0, b_word = 0;
    if (i < m && left > 0) a_word = *reinterpret_cast<const int*>(a + i * pitch + p);
    if (j0 + y < n && left > 0) b_word = *reinterpret_cast<const int*>(b_t + (j0 + y) * pitch + p);
    a_tile[y][x] = a_word;
    b_tile[y][x ^ y] = cut(b_word, left);  // zeros in one operand are enough
    // Who is past this has finished the step before; nobody reads what is loaded next.
    __syncthreads();
    for (int w = 0; w < kWarp; ++w) sum = __dp4a(a_tile[y][w], b_tile[x][w ^ x], sum);
  }
  if (i < m && j0 + x < n) c[i * n + j0 + x] = sum;
}

namespace {

constexpr int kOutputs = 8, kSide = 16, kWide = kOutputs * kSide;
constexpr int kVectors = 4;  // of 16 codes: two sectors of a row a step

/// Where vector v of a row lies: rows that differ in their last three bits use different banks.
__device__ int place(int row, int v) { return v ^ (row / 2 % kVectors); }

__device__ void dot(std::int32_t& sum, const int4& u, const int4& v) {
  sum = __dp4a(u.w, v.w, __dp4a(u.z, v.z, __dp4a(u.y, v.y, __dp4a(u.x, v.x, sum))));
}

}  // namespace

NIBBLE_LAUNCH(matmul_dp4a_register_kernel, .block_x = kSide, .block_y = kSide, .tile_m = kWide,
              .tile_n = kWide);

NIBBLE_KERNEL void matmul_dp4a_register_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                               std::int32_t* c, std::int64_t m, std::int64_t n,
                                               std::int64_t k, std::int64_t pitch) {
  __shared__ int4 a_tile[kWide][kVectors], b_tile[kWide][kVectors];
  const int x = threadIdx.x, y = threadIdx.y, thread = y * kSide + x;
  const std::int64_t i0 = std::int64_t{blockIdx.y} * kWide, j0 = std::int64_t{blockIdx.x} * kWide;
  std::int32_t sums[kOutputs * kOutputs] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += 16 * kVectors) {
    if (p0 > 0) __syncthreads();
    for (int at = thread; at < kWide * kVectors; at += kSide * kSide) {
      const int row = at / kVectors, v = at % kVectors;
      const int4 of_a = vector_at(a, i0 + row, p0 + 16 * v, m, k, pitch);
      const int4 of_b = vector_at(b_t, j0 + row, p0 + 16 * v, n, k, pitch);
      a_tile[row][place(row, v)] = of_a;
      b_tile[row][place(row, v)] = of_b;
    }
    __syncthreads();
    for (int v = 0; v < kVectors; ++v) {
      int4 rows[kOutputs];
      for (int r = 0; r < kOutputs; ++r) {
        const int row = y + r * kSide;
        rows[r] = a_tile[row][place(row, v)];
      }
      for (int s = 0; s < kOutputs; ++s) {
        const int column = x + s * kSide;
        const int4 codes = b_tile[column][place(column, v)];
        for (int r = 0; r < kOutputs; ++r) dot(sums[r * kOutputs + s], rows[r], codes);
      }
    }
  }
  for (int at = 0; at < kOutputs * kOutputs; ++at) {
    const std::int64_t i = i0 + y + at / kOutputs * kSide, j = j0 + x + at % kOutputs * kSide;
    if (i < m && j < n) c[i * n + j] = sums[at];
  }
}

}  // namespace nibble
