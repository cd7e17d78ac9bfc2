// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 24. Two epilogues, each once by itself and once where the sums are
// made.
// NIBBLE-STUB: // Lab 24. The contract is in cuda_fused.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 24        (or leave ./nibble watch open)
// NIBBLE-END
#include "cuda_fused.hpp"

namespace nibble {
namespace {

// NIBBLE-BEGIN-SOLUTION
/// An output as a real number. Not fmaxf(v, 0): that answers 0 to a NaN, which is not less than 0.
__device__ float real_of(std::int32_t acc, float scale, float bias) {
  const float v = static_cast<float>(acc) * scale + bias;
  return v < 0.0f ? 0.0f : v;
}

/// acc + bias needs 33 bits.
__device__ std::int32_t saturating_sum(std::int32_t acc, std::int32_t bias) {
  const std::int64_t sum = std::int64_t{acc} + bias;
  return static_cast<std::int32_t>(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

/// An output as a code. __float2int_rn rounds half to even, and takes what is too large to the end
/// of int32: so the clamp comes before the zero point is added, which could carry it beyond.
__device__ std::int8_t code_of(std::int32_t acc, float ratio, std::int32_t bias,
                               std::int32_t zero_point) {
  const int steps = __float2int_rn(static_cast<float>(saturating_sum(acc, bias)) * ratio);
  return static_cast<std::int8_t>(zero_point + max(0, min(steps, 127 - zero_point)));
}

/// Four neighbours of a row.
__device__ char4 codes_of(int4 acc, float4 ratios, int4 bias, std::int32_t zero_point) {
  return make_char4(
      code_of(acc.x, ratios.x, bias.x, zero_point), code_of(acc.y, ratios.y, bias.y, zero_point),
      code_of(acc.z, ratios.z, bias.z, zero_point), code_of(acc.w, ratios.w, bias.w, zero_point));
}

/// The vector that begins at x: for pointers that are a multiple of its size.
template <class Vector, class T>
__device__ Vector vector_at(const T* x) {
  return *reinterpret_cast<const Vector*>(x);
}

constexpr int kWarp = 32;
constexpr int kWarps = 8;  // of a block: each takes every eighth row of a tile
constexpr int kRows = 16;  // of a thread: so often it uses what it has fetched of a channel
// NIBBLE-STUB: // What several kernels need can stand here, as __device__ functions: both epilogues do.
// NIBBLE-END

}  // namespace

// --- Sums to real numbers ------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(scale_bias_relu_kernel, .block_x = kWarp, .block_y = kWarps, .tile_m = kWarps * kRows,
              .tile_n = kWarp);
// NIBBLE-STUB: // How many rows should a thread make, when its scale and its bias are those of a column?
// NIBBLE-STUB: NIBBLE_LAUNCH(scale_bias_relu_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void scale_bias_relu_kernel(const std::int32_t* acc, float a_scale,
                                          const float* b_scales, const float* bias, float* c,
                                          std::int64_t m, std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t j = std::int64_t{blockIdx.x} * kWarp + threadIdx.x;
  if (j >= n) return;
  const float scale = a_scale * b_scales[j], real_bias = bias[j];  // for all rows of this thread
  const std::int64_t first = std::int64_t{blockIdx.y} * kWarps * kRows + threadIdx.y;
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t i = first + r * kWarps;
    if (i < m) c[i * n + j] = real_of(acc[i * n + j], scale, real_bias);
  }
  // NIBBLE-STUB: // TODO(lab24): fetch what belongs to the channel; then go down its column. Which index
  // NIBBLE-STUB: // changes from lane to lane, which from row to row? What does a NaN become?
  // NIBBLE-END
}

// --- Sums to codes -------------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(requantize_kernel, .block_x = kWarp, .block_y = kWarps, .tile_m = kWarps * kRows,
              .tile_n = 4 * kWarp);
// NIBBLE-STUB: // How many columns are four codes a thread, for a warp?
// NIBBLE-STUB: NIBBLE_LAUNCH(requantize_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void requantize_kernel(const std::int32_t* acc, const float* ratios,
                                     const std::int32_t* bias, std::int8_t* c,
                                     std::int32_t zero_point, std::int64_t m, std::int64_t n) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t tile = std::int64_t{blockIdx.x} * (4 * kWarp);
  const std::int64_t first = std::int64_t{blockIdx.y} * kWarps * kRows + threadIdx.y;

  if (n % 4 == 0) {  // every row of acc begins where an int4 may, and of c where a char4 may
    const std::int64_t j = tile + 4 * threadIdx.x;
    if (j >= n) return;
    const float4 four_ratios = vector_at<float4>(ratios + j);
    const int4 four_biases = vector_at<int4>(bias + j);
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = first + r * kWarps;
      if (i >= m) return;
      const char4 codes =
          codes_of(vector_at<int4>(acc + i * n + j), four_ratios, four_biases, zero_point);
      *reinterpret_cast<char4*>(c + i * n + j) = codes;
    }
    return;
  }
  // The same 128 columns in four steps: neighbours in the warp stay neighbours in memory.
  for (std::int64_t j = tile + threadIdx.x; j < n && j < tile + 4 * kWarp; j += kWarp) {
    const float ratio = ratios[j];
    const std::int32_t integer_bias = bias[j];
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = first + r * kWarps;
      if (i < m) c[i * n + j] = code_of(acc[i * n + j], ratio, integer_bias, zero_point);
    }
  }
  // NIBBLE-STUB: // TODO(lab24): four neighbours at once, where n allows it. In which order do rounding,
  // NIBBLE-STUB: // zero point and clamp come, and which of them could overflow?
  // NIBBLE-END
}

// --- The product, and real numbers ---------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kOutputs = 4;              // a thread has 4 rows and 4 columns,
constexpr int kSide = 16;                // a block 16 x 16 threads,
constexpr int kWide = kOutputs * kSide;  // and so 64 x 64 outputs
constexpr int kLoaders = kSide * kSide / 2;

/// 32 codes of a row, a sector, are two pieces of 16. With the pad a row is three, and 3 is odd: 8
/// rows begin in 8 different quadruples of banks.
constexpr int kPieces = 2;
using Tile = int4[kWide][kPieces + 1];
using Sums = std::int32_t[kOutputs][kOutputs];

/// Thread x always reads rows x, x + 16, x + 32 and x + 48 of the tile of b_t: 16 neighbours at
/// a time, without a conflict. Which columns of c those are was decided when they were put there.
enum class Columns { kApart, kTogether };

__device__ int column_at(int row_of_tile, Columns columns) {
  if (columns == Columns::kApart) return row_of_tile;             // x, x + 16, x + 32, x + 48
  return kOutputs * (row_of_tile % kSide) + row_of_tile / kSide;  // 4x, 4x + 1, 4x + 2, 4x + 3
}

/// sum + the 16 products of two pieces.
__device__ std::int32_t dot(int4 a, int4 b, std::int32_t sum) {
  sum = __dp4a(a.x, b.x, sum);
  sum = __dp4a(a.y, b.y, sum);
  sum = __dp4a(a.z, b.z, sum);
  return __dp4a(a.w, b.w, sum);
}

/// What the codes of this thread's rows of a, and of its columns of c, add up to.
struct CodeSums {
  std::int32_t row[kOutputs], column[kOutputs];
};

/// The sum of 16 codes, four at a time: a product with ones.
__device__ std::int32_t add_up(int4 codes, std::int32_t sum) {
  constexpr int kOnes = 0x01010101;
  return dot(codes, make_int4(kOnes, kOnes, kOnes, kOnes), sum);
}

/// The 16 sums of this thread, which stay in its registers; `added` where somebody asks for it.
__device__ void multiply(Sums& sums, Columns columns, const std::int8_t* a, const std::int8_t* b_t,
                         std::int64_t m, std::int64_t n, std::int64_t k,
                         CodeSums* added = nullptr) {
  __shared__ Tile a_tile, b_tile;
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kWide;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kWide;

  // Half of the threads load a, half b_t, one piece each. A warp takes both pieces of 16 rows, and
  // so whole sectors; lanes 0 to 15 the first of each, so that 8 lanes store to 8 rows.
  const int thread = y * kSide + x;
  const bool loads_a = thread < kLoaders;
  const int row = thread % kLoaders / kWarp * 16 + thread % 16;
  const int piece = thread % kWarp / 16;
  const std::int64_t source = loads_a ? first_i + row : first_j + column_at(row, columns);
  const bool exists = source < (loads_a ? m : n);
  const std::int8_t* const codes = (loads_a ? a : b_t) + source * k + 16 * piece;
  int4& target = loads_a ? a_tile[row][piece] : b_tile[row][piece];

  for (std::int64_t p0 = 0; p0 < k; p0 += 16 * kPieces) {
    int4 words = make_int4(0, 0, 0, 0);
    if (exists && p0 + 16 * piece < k) words = vector_at<int4>(codes + p0);
    target = words;
    __syncthreads();
    for (int q = 0; q < kPieces; ++q) {
      int4 b_words[kOutputs];
      for (int s = 0; s < kOutputs; ++s) {
        b_words[s] = b_tile[x + s * kSide][q];
        if (added != nullptr) added->column[s] = add_up(b_words[s], added->column[s]);
      }
      for (int r = 0; r < kOutputs; ++r) {
        const int4 a_words = a_tile[y + r * kSide][q];
        if (added != nullptr) added->row[r] = add_up(a_words, added->row[r]);
        for (int s = 0; s < kOutputs; ++s) sums[r][s] = dot(a_words, b_words[s], sums[r][s]);
      }
    }
    __syncthreads();
  }
}

}  // namespace

NIBBLE_LAUNCH(matmul_fused_kernel, .block_x = kSide, .block_y = kSide, .tile_m = kWide,
              .tile_n = kWide);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_fused_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void matmul_fused_kernel(const std::int8_t* a, const std::int8_t* b_t, float a_scale,
                                       const float* b_scales, const float* bias, float* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  Sums sums = {};
  multiply(sums, Columns::kApart, a, b_t, m, n, k);
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kWide + threadIdx.y;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kWide + threadIdx.x;
  for (int s = 0; s < kOutputs; ++s) {
    const std::int64_t j = first_j + s * kSide;
    if (j >= n) return;  // there is no barrier below
    const float scale = a_scale * b_scales[j], real_bias = bias[j];
    for (int r = 0; r < kOutputs; ++r) {
      const std::int64_t i = first_i + r * kSide;
      if (i < m) c[i * n + j] = real_of(sums[r][s], scale, real_bias);
    }
  }
  // NIBBLE-STUB: // TODO(lab24): 1. the product, in registers, as in lab 22  2. what scale_bias_relu does to
  // NIBBLE-STUB: // each sum  3. the only thing that is written. What is fetched once for several rows?
  // NIBBLE-END
}

// --- The product, and codes ----------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(matmul_requantized_kernel, .block_x = kSide, .block_y = kSide, .tile_m = kWide,
              .tile_n = kWide);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_requantized_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void matmul_requantized_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                             const float* ratios, const std::int32_t* bias,
                                             std::int8_t* c, std::int32_t zero_point,
                                             std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  Sums sums = {};
  multiply(sums, Columns::kTogether, a, b_t, m, n, k);
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kWide + threadIdx.y;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kWide + kOutputs * threadIdx.x;
  if (first_j >= n) return;

  if (n % 4 == 0) {
    const float4 four_ratios = vector_at<float4>(ratios + first_j);
    const int4 four_biases = vector_at<int4>(bias + first_j);
    for (int r = 0; r < kOutputs; ++r) {
      const std::int64_t i = first_i + r * kSide;
      if (i >= m) return;
      const int4 acc = make_int4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
      const char4 codes = codes_of(acc, four_ratios, four_biases, zero_point);
      *reinterpret_cast<char4*>(c + i * n + first_j) = codes;
    }
    return;
  }
  for (int s = 0; s < kOutputs; ++s) {
    const std::int64_t j = first_j + s;
    if (j >= n) return;
    const float ratio = ratios[j];
    const std::int32_t integer_bias = bias[j];
    for (int r = 0; r < kOutputs; ++r) {
      const std::int64_t i = first_i + r * kSide;
      if (i < m) c[i * n + j] = code_of(sums[r][s], ratio, integer_bias, zero_point);
    }
  }
  // NIBBLE-STUB: // TODO(lab24): the same product, the other epilogue. Which four columns should a thread
  // NIBBLE-STUB: // have, so that its codes are a word of c? In which banks are their rows of b_t then?
  // NIBBLE-END
}

// --- The product of codes with zero points -------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
NIBBLE_LAUNCH(matmul_asymmetric_kernel, .block_x = kSide, .block_y = kSide, .tile_m = kWide,
              .tile_n = kWide);
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_asymmetric_kernel, .block_x = 32);
// NIBBLE-END

NIBBLE_KERNEL void matmul_asymmetric_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            float a_scale, std::int32_t a_zero_point,
                                            const float* b_scales,
                                            const std::int32_t* b_zero_points, float* c,
                                            std::int64_t m, std::int64_t n, std::int64_t k) {
  // NIBBLE-BEGIN-SOLUTION
  Sums sums = {};
  CodeSums added = {};
  multiply(sums, Columns::kApart, a, b_t, m, n, k, &added);
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kWide + threadIdx.y;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kWide + threadIdx.x;
  const std::int32_t taken_of_a = static_cast<std::int32_t>(k) * a_zero_point;
  for (int s = 0; s < kOutputs; ++s) {
    const std::int64_t j = first_j + s * kSide;
    if (j >= n) return;  // there is no barrier below
    const float scale = a_scale * b_scales[j];
    const std::int32_t b_zero_point = b_zero_points[j];
    const std::int32_t of_column = a_zero_point * added.column[s];
    for (int r = 0; r < kOutputs; ++r) {
      const std::int64_t i = first_i + r * kSide;
      const std::int32_t of_row = b_zero_point * (added.row[r] - taken_of_a);
      if (i < m) c[i * n + j] = static_cast<float>(sums[r][s] - of_column - of_row) * scale;
    }
  }
  // NIBBLE-STUB: // TODO(lab24): the product, and beside it the sums of a thread's rows and columns: which
  // NIBBLE-STUB: // words does it hold anyway, and what does __dp4a with four ones do to one of them?
  // NIBBLE-END
}

}  // namespace nibble
