// The same lab, counting what agrees: XNOR in the word's own sense. Blocks are flat, a thread has
// one index, shared memory is one piece cut by hand,
// and a warp's words meet in shared memory as well.
#include "cuda_binary.hpp"

namespace nibble {
namespace {

constexpr unsigned kWarp = 32, kEveryone = ~0u;

/// Ones where word w of a row of k bits has bits of the row.
__device__ unsigned mask_of(std::int64_t w, std::int64_t k) {
  const std::int64_t left = k - w * 32;
  if (left >= 32) return ~0u;
  return left > 0 ? (1u << left) - 1u : 0u;
}

/// Bits, not comparisons: the sign bit of what is neither 0 nor a NaN.
__device__ bool is_minus(float x) {
  const unsigned bits = __float_as_uint(x), magnitude = bits & 0x7fffffffu;
  return bits >> 31 != 0 && magnitude != 0 && magnitude <= 0x7f800000u;
}

__device__ int agreements(unsigned x, unsigned y, unsigned mask) { return __popc(~(x ^ y) & mask); }

}  // namespace

// A block makes 128 words of one row: a warp 32 of them.
NIBBLE_LAUNCH(pack_signs_kernel, .block_x = 128, .tile_n = 128);

NIBBLE_KERNEL void pack_signs_kernel(const float* x, std::uint32_t* bits, std::int64_t rows,
                                     std::int64_t cols) {
  __shared__ unsigned made[128];
  const std::int64_t row = blockIdx.y, words = (cols + 31) / 32;
  const std::int64_t first = std::int64_t{blockIdx.x} * 128;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  for (unsigned at = warp * kWarp; at < warp * kWarp + kWarp; ++at) {
    const std::int64_t column = (first + at) * 32 + lane;
    bool minus = false;
    if (row < rows && column < cols) minus = is_minus(x[row * cols + column]);
    const unsigned word = __ballot_sync(kEveryone, minus);
    if (lane == 0) made[at] = word;
  }
  __syncwarp();
  if (first + threadIdx.x < words) bits[row * words + first + threadIdx.x] = made[threadIdx.x];
}

// 256 threads, 8 warps: each 4 rows of 8 columns, one below the other.
NIBBLE_LAUNCH(binary_matmul_kernel, .block_x = 256, .tile_m = 32, .tile_n = 8);

NIBBLE_KERNEL void binary_matmul_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                        std::int32_t* c, std::int64_t m, std::int64_t n,
                                        std::int64_t k) {
  const std::int64_t i = std::int64_t{blockIdx.y} * 32 + threadIdx.x / 8;
  const std::int64_t j = std::int64_t{blockIdx.x} * 8 + threadIdx.x % 8;
  const std::int64_t words = (k + 31) / 32;
  if (i < m && j < n) {
    const std::uint32_t* left = a + i * words;
    const std::uint32_t* right = b_t + j * words;
    std::int32_t agreeing = 0;
    for (std::int64_t w = 0; w < words; ++w)
      agreeing += agreements(left[w], right[w], mask_of(w, k));
    c[i * n + j] = 2 * agreeing - static_cast<std::int32_t>(k);
  }
}

constexpr unsigned kPitch = kWarp + 1;  // words from row to row of a tile

NIBBLE_LAUNCH(binary_matmul_tiled_kernel, .block_x = 1024, .tile_m = 32, .tile_n = 32,
              .shared_bytes = 2 * kWarp * kPitch * 4);

NIBBLE_KERNEL void binary_matmul_tiled_kernel(const std::uint32_t* a, const std::uint32_t* b_t,
                                              std::int32_t* c, std::int64_t m, std::int64_t n,
                                              std::int64_t k) {
  extern __shared__ unsigned tiles[];
  unsigned* const a_tile = tiles;
  unsigned* const b_tile = tiles + kWarp * kPitch;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const std::int64_t first_i = blockIdx.y * 32ll, first_j = blockIdx.x * 32ll;
  const std::int64_t words = (k + 31) / 32;
  std::int32_t agreeing = 0;
  for (std::int64_t w0 = 0; w0 < words; w0 += 32) {
    const std::int64_t w = w0 + lane, i = first_i + warp, j = first_j + warp;
    a_tile[warp * kPitch + lane] = i < m && w < words ? a[i * words + w] : 0;
    b_tile[warp * kPitch + lane] = j < n && w < words ? b_t[j * words + w] : 0;
    __syncthreads();
    for (unsigned v = 0; v < kWarp && w0 + v < words; ++v) {
      agreeing +=
          agreements(a_tile[warp * kPitch + v], b_tile[lane * kPitch + v], mask_of(w0 + v, k));
    }
    __syncthreads();
  }
  const std::int64_t i = first_i + warp, j = first_j + lane;
  if (i < m && j < n) c[i * n + j] = 2 * agreeing - static_cast<std::int32_t>(k);
}

NIBBLE_LAUNCH(binarize_rows_kernel, .block_x = 128, .tile_n = 4);

NIBBLE_KERNEL void binarize_rows_kernel(const float* w, std::uint32_t* bits, float* alpha,
                                        std::int64_t rows, std::int64_t cols) {
  const unsigned lane = threadIdx.x % kWarp;
  const std::int64_t row = blockIdx.x * 4ll + threadIdx.x / kWarp, words = (cols + 31) / 32;
  if (row >= rows) return;
  float sum = 0;
  unsigned kept = 0;
  for (std::int64_t at = 0; at < words; ++at) {
    const std::int64_t column = at * 32 + lane;
    bool minus = false;
    if (column < cols) {
      const float x = w[row * cols + column];
      minus = is_minus(x);
      sum += fabsf(x);
    }
    const unsigned word = __ballot_sync(kEveryone, minus);
    if (at % 32 == lane) kept = word;
    // Every 32nd word, and at the end, the lanes write what they have.
    const std::int64_t from = at / 32 * 32;
    if ((at % 32 == 31 || at + 1 == words) && from + lane <= at)
      bits[row * words + from + lane] = kept;
    __syncwarp();
  }
  for (unsigned half = 16; half > 0; half /= 2) sum += __shfl_down_sync(kEveryone, sum, half);
  if (lane == 0) alpha[row] = sum / static_cast<float>(cols);
}

}  // namespace nibble
