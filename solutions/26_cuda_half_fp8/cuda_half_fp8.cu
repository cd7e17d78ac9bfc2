// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 26. Three kernels change formats as wide as memory allows; three
// multiply, and the formats differ in what a sum may hold.
// NIBBLE-STUB: // Lab 26. The contract is in cuda_half_fp8.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 26        (or leave ./nibble watch open)
// NIBBLE-END
#include "cuda_half_fp8.hpp"

#include <cuda_fp8.h>
#include <mma.h>

#include "nibble/device/mma.hpp"
#include "nibble/device/mma_fp8.hpp"

namespace wmma = nvcuda::wmma;

namespace nibble {

// --- int8 codes as halves ------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kWarp = 32;

/// The bits of two halves, the first in the lower half of the word.
__device__ unsigned word_of(__half2 pair) {
  const __half2_raw bits = pair;
  return bits.x | unsigned{bits.y} << 16;
}

/// Codes 2 i and 2 i + 1 of a word, as halves. Float products, which are rounded once: a scale that
/// was rounded to a half first would make all of its row wrong.
__device__ unsigned halves_of(int codes, int i, float scale) {
  const auto low = static_cast<signed char>(codes >> 16 * i);
  const auto high = static_cast<signed char>(codes >> (16 * i + 8));
  return word_of(__floats2half2_rn(scale * low, scale * high));
}

}  // namespace

NIBBLE_LAUNCH(dequantize_to_half_kernel, .block_x = kWarp, .block_y = 4, .tile_m = 4,
              .tile_n = 8 * kWarp);
// NIBBLE-STUB: // How many codes does a thread of yours turn into halves, and which threads share a row?
// NIBBLE-STUB: NIBBLE_LAUNCH(dequantize_to_half_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void dequantize_to_half_kernel(const std::int8_t* q, const float* scales, __half* h,
                                             std::int64_t rows, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t p = 8 * (std::int64_t{blockIdx.x} * kWarp + threadIdx.x);
  if (row >= rows || p >= k) return;
  const float scale = scales[row];
  const int2 codes = *reinterpret_cast<const int2*>(q + row * k + p);
  *reinterpret_cast<uint4*>(h + row * k + p) =
      make_uint4(halves_of(codes.x, 0, scale), halves_of(codes.x, 1, scale),
                 halves_of(codes.y, 0, scale), halves_of(codes.y, 1, scale));
  // NIBBLE-STUB: // Which 8 codes are this thread's? What is the type of the product that is rounded to a half?
  // NIBBLE-END
}

// --- Floats as nibbles ---------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

__device__ float largest_of(float4 x) {
  return fmaxf(fmaxf(fabsf(x.x), fabsf(x.y)), fmaxf(fabsf(x.z), fabsf(x.w)));
}

/// The largest of what `lanes` neighbouring lanes bring, a power of two. Other lanes of the warp
/// find theirs meanwhile.
__device__ float largest_of_lanes(float x, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
  }
  return x;
}

__device__ unsigned nibble_of(float x, float scale) {
  return static_cast<unsigned>(__float2int_rn(x / scale)) & 0xf;  // a sign would reach the others
}

}  // namespace

NIBBLE_LAUNCH(quantize_int4_kernel, .block_x = kWarp, .block_y = 4, .tile_m = 4,
              .tile_n = 4 * kWarp);
// NIBBLE-STUB: // How many groups does a warp have, when a lane has four floats?
// NIBBLE-STUB: NIBBLE_LAUNCH(quantize_int4_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void quantize_int4_kernel(const float* x, std::uint8_t* w4, float* scales,
                                        std::int64_t rows, std::int64_t k, int group_size) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t p = 4 * (std::int64_t{blockIdx.x} * kWarp + threadIdx.x);
  if (row >= rows || p >= k) return;  // whole groups leave: nobody asks them for anything
  const float4 four = *reinterpret_cast<const float4*>(x + row * k + p);
  const float amax = largest_of_lanes(largest_of(four), group_size / 4);
  const float scale = amax == 0 ? 1 : amax / 7;
  if (p % group_size == 0) scales[row * (k / group_size) + p / group_size] = scale;
  const unsigned codes = nibble_of(four.x, scale) | nibble_of(four.y, scale) << 4 |
                         nibble_of(four.z, scale) << 8 | nibble_of(four.w, scale) << 12;
  *reinterpret_cast<unsigned short*>(w4 + (row * k + p) / 2) = static_cast<unsigned short>(codes);
  // NIBBLE-STUB: // Which lanes share a group, and how do they learn its largest magnitude? Which of them
  // NIBBLE-STUB: // writes the scale? In which bits of its two bytes do the four codes of a lane lie?
  // NIBBLE-END
}

// --- Floats as e4m3 ------------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(quantize_fp8_kernel, .block_x = kWarp, .block_y = 4, .tile_n = 4);
// NIBBLE-STUB: // How many threads look for the largest magnitude of a row?
// NIBBLE-STUB: NIBBLE_LAUNCH(quantize_fp8_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void quantize_fp8_kernel(const float* x, std::uint8_t* q, float* scales, float limit,
                                       std::int64_t rows, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float4* const of_row = reinterpret_cast<const float4*>(x + row * k);
  float amax = 0;
  for (std::int64_t i = threadIdx.x; i < k / 4; i += kWarp) {
    amax = fmaxf(amax, largest_of(of_row[i]));
  }
  amax = largest_of_lanes(amax, kWarp);
  const float scale = amax == 0 ? 1 : fminf(amax, limit) / 448;
  if (threadIdx.x == 0) scales[row] = scale;
  for (std::int64_t i = threadIdx.x; i < k / 4; i += kWarp) {
    const float4 four = of_row[i];
    // The type's own conversion saturates.
    const __nv_fp8x4_e4m3 codes(
        make_float4(four.x / scale, four.y / scale, four.z / scale, four.w / scale));
    *reinterpret_cast<unsigned*>(q + row * k + 4 * i) = codes.__x;
  }
  // NIBBLE-STUB: // First the largest magnitude of the row, which all lanes have to know; then the codes.
  // NIBBLE-STUB: // What does the conversion make of a number beyond 448?
  // NIBBLE-END
}

// --- Halves, with WMMA ---------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kEdge = 16;                    // of a WMMA tile, in all three directions
constexpr int kAcross = 2;                   // a block is 2 x 2 warps,
constexpr int kBlockEdge = kAcross * kEdge;  // and makes 32 x 32 outputs
constexpr int kStep = 32;                    // halves along k of a tile in shared memory

/// 32 rows of 32 halves, 16 bytes more apart than that: 8 rows begin in 8 groups of banks.
struct alignas(32) Operand {
  __half rows[kBlockEdge][kStep + 8];
};

struct alignas(32) Sums {
  float rows[kEdge][kEdge + 8];
};

/// Rows first to first + 31 of x [rows,k], 32 halves from p0 on; zero outside. Four neighbours
/// load a row, 16 bytes each.
__device__ void load(Operand& tile, const __half* x, std::int64_t first, std::int64_t p0,
                     std::int64_t rows, std::int64_t k) {
  const int thread = threadIdx.y * kWarp + threadIdx.x, row = thread / 4, piece = thread % 4 * 8;
  uint4 eight = make_uint4(0, 0, 0, 0);
  if (first + row < rows) {
    eight = *reinterpret_cast<const uint4*>(x + (first + row) * k + p0 + piece);
  }
  *reinterpret_cast<uint4*>(&tile.rows[row][piece]) = eight;
}

/// What becomes of a sum. NaN times 0 is NaN: with beta = 0 c is left alone.
__device__ void finish(const float* c, float* d, std::int64_t at, float alpha, float beta,
                       float sum) {
  d[at] = beta == 0 ? alpha * sum : alpha * sum + beta * c[at];
}

}  // namespace

NIBBLE_LAUNCH(gemm_half_kernel, .block_x = kWarp, .block_y = kAcross * kAcross,
              .tile_m = kBlockEdge, .tile_n = kBlockEdge);
// NIBBLE-STUB: // How many warps should a block have, and what part of d do they make?
// NIBBLE-STUB: NIBBLE_LAUNCH(gemm_half_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void gemm_half_kernel(const __half* a, const __half* b_t, const float* c, float* d,
                                    float alpha, float beta, std::int64_t m, std::int64_t n,
                                    std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ Operand a_tile, b_tile;
  __shared__ Sums d_tiles[kAcross * kAcross];
  const int warp = threadIdx.y;
  const int row = warp / kAcross * kEdge, column = warp % kAcross * kEdge;
  const std::int64_t block_i = std::int64_t{blockIdx.y} * kBlockEdge;
  const std::int64_t block_j = std::int64_t{blockIdx.x} * kBlockEdge;
  const std::int64_t i0 = block_i + row, j0 = block_j + column;
  const bool has_outputs = i0 < m && j0 < n;  // a whole warp has, or has none

  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b_part;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (std::int64_t p0 = 0; p0 < k; p0 += kStep) {
    load(a_tile, a, block_i, p0, m, k);
    load(b_tile, b_t, block_j, p0, n, k);
    __syncthreads();
    for (int p = 0; has_outputs && p < kStep; p += kEdge) {
      wmma::load_matrix_sync(a_part, &a_tile.rows[row][p], kStep + 8);
      wmma::load_matrix_sync(b_part, &b_tile.rows[column][p], kStep + 8);
      wmma::mma_sync(sums, a_part, b_part, sums);
    }
    __syncthreads();
  }
  if (!has_outputs) return;

  Sums& d_tile = d_tiles[warp];
  wmma::store_matrix_sync(&d_tile.rows[0][0], sums, kEdge + 8, wmma::mem_row_major);
  __syncwarp();
  for (int place = threadIdx.x; place < kEdge * kEdge; place += kWarp) {
    const int r = place / kEdge, s = place % kEdge;
    if (i0 + r < m && j0 + s < n) {
      finish(c, d, (i0 + r) * n + j0 + s, alpha, beta, d_tile.rows[r][s]);
    }
  }
  // NIBBLE-STUB: // Sums start as zeros, and are floats. For every step along k: load tiles, wait, multiply,
  // NIBBLE-STUB: // wait. Which warps have nothing to multiply, and what are they still for? When is c read?
  // NIBBLE-END
}

// --- bfloat16, with mma.sync ---------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kRows = 16, kColumns = 8;  // of one product; its rows are 32 bytes, 8 words, along k
constexpr int kWarps = 4;                // side by side: they share their rows of a

/// The tile of a warp, and a lane's place in all fragments.
struct Tile {
  std::int64_t i0 = std::int64_t{blockIdx.y} * kRows;
  std::int64_t j0 = (std::int64_t{blockIdx.x} * kWarps + threadIdx.y) * kColumns;
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
};

/// A matrix as its rows' words, of whatever is in them.
struct Words {
  const unsigned* words;
  std::int64_t rows, pitch;  ///< pitch: words of a row

  __device__ unsigned at(std::int64_t row, std::int64_t word) const {
    return row < rows ? words[row * pitch + word] : 0;
  }
};

/// A lane's words of a and b_t for the product that begins at `word` along k.
struct Fragments {
  unsigned a[4], b[2];

  __device__ Fragments(const Words& a_rows, const Words& b_rows, const Tile& tile,
                       std::int64_t word) {
    for (int r = 0; r < 4; ++r) {  // down first, then along k
      a[r] = a_rows.at(tile.i0 + tile.g + r % 2 * 8, word + r / 2 * 4 + tile.t);
    }
    for (int r = 0; r < 2; ++r) b[r] = b_rows.at(tile.j0 + tile.g, word + r * 4 + tile.t);
  }
};

}  // namespace

NIBBLE_LAUNCH(gemm_bfloat16_kernel, .block_x = kWarp, .block_y = kWarps, .tile_m = kRows,
              .tile_n = kWarps * kColumns);
// NIBBLE-STUB: NIBBLE_LAUNCH(gemm_bfloat16_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void gemm_bfloat16_kernel(const __nv_bfloat16* a, const __nv_bfloat16* b_t,
                                        const float* c, float* d, float alpha, float beta,
                                        std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  const Tile tile;
  if (tile.j0 >= n) return;  // all lanes of the warp, or none: a product needs all 32
  const Words a_rows{reinterpret_cast<const unsigned*>(a), m, k / 2};
  const Words b_rows{reinterpret_cast<const unsigned*>(b_t), n, k / 2};
  float sums[4] = {};
  for (std::int64_t word = 0; word < k / 2; word += 8) {
    const Fragments of(a_rows, b_rows, tile, word);
    mma_m16n8k16_bf16(sums, of.a, of.b, sums);
  }
  for (int e = 0; e < 4; ++e) {
    const std::int64_t i = tile.i0 + tile.g + e / 2 * 8, j = tile.j0 + 2 * tile.t + e % 2;
    if (i < m && j < n) finish(c, d, i * n + j, alpha, beta, sums[e]);
  }
  // NIBBLE-STUB: // Which g and t is this lane? Fetch its four words of a and two of b_t, zeros for rows
  // NIBBLE-STUB: // that do not exist, and multiply. Which of d's elements are in its four sums?
  // NIBBLE-END
}

// --- e4m3, in two levels -------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(gemm_fp8_kernel, .block_x = kWarp, .block_y = kWarps, .tile_m = kRows,
              .tile_n = kWarps * kColumns);
// NIBBLE-STUB: NIBBLE_LAUNCH(gemm_fp8_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void gemm_fp8_kernel(const std::uint8_t* a, const std::uint8_t* b_t,
                                   const float* a_scales, const float* b_scales, float* d,
                                   std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  constexpr int kPart = 128 / 4;  // words along k whose products tensor cores add up
  const Tile tile;
  if (tile.j0 >= n) return;
  const Words a_rows{reinterpret_cast<const unsigned*>(a), m, k / 4};
  const Words b_rows{reinterpret_cast<const unsigned*>(b_t), n, k / 4};
  float sums[4] = {};
  for (std::int64_t first = 0; first < k / 4; first += kPart) {
    float parts[4] = {};
    for (std::int64_t word = first; word < min(first + kPart, k / 4); word += 8) {
      const Fragments of(a_rows, b_rows, tile, word);
      mma_m16n8k32_e4m3(parts, of.a, of.b, parts);
    }
    for (int e = 0; e < 4; ++e) sums[e] += parts[e];
  }
  for (int e = 0; e < 4; ++e) {
    const std::int64_t i = tile.i0 + tile.g + e / 2 * 8, j = tile.j0 + 2 * tile.t + e % 2;
    if (i < m && j < n) d[i * n + j] = a_scales[i] * b_scales[j] * sums[e];
  }
  // NIBBLE-STUB: // The words of the kernel above, with four codes each. Where does a partial sum begin, and
  // NIBBLE-STUB: // where does it go? Which scale belongs to a row of d, which to a column?
  // NIBBLE-END
}

}  // namespace nibble
