// The same lab with flat blocks and words: what belongs to a channel waits in shared memory, and
// codes leave the product through shared memory too, as whole rows.
#include "cuda_fused.hpp"

namespace nibble {
namespace {

constexpr int kTile = 64;           // rows and columns of c that a product block makes
constexpr int kThreads = 256;       // of a product block: 16 x 16 of them multiply
constexpr int kWords = 8;           // 32 codes of a row
constexpr int kPitch = kWords + 1;  // words from row to row: odd, so that 32 rows begin in 32 banks
constexpr int kTall = 16;           // rows of an epilogue thread
constexpr int kCodePitch = 64 + 4;  // codes from row to row of a tile of c

__device__ float positive(float v) {
  if (v < 0) v = 0;
  return v;
}

__device__ int code(std::int32_t acc, float ratio, std::int32_t bias, int zero_point) {
  const long long sum = max(-2147483648ll, min(2147483647ll, static_cast<long long>(acc) + bias));
  const float steps = rintf(static_cast<float>(static_cast<std::int32_t>(sum)) * ratio);
  return zero_point + static_cast<int>(fmaxf(0.0f, fminf(steps, 127.0f - zero_point)));
}

__device__ void load(int (*tile)[kPitch], const std::int8_t* x, std::int64_t first, std::int64_t p0,
                     std::int64_t rows, std::int64_t k) {
  const int word = threadIdx.x % kWords;  // 8 lanes fetch the sector of a row
  for (int row = threadIdx.x / kWords; row < kTile; row += kThreads / kWords) {
    int codes = 0;
    if (first + row < rows && p0 + 4 * word < k) {
      codes = *reinterpret_cast<const int*>(x + (first + row) * k + p0 + 4 * word);
    }
    tile[row][word] = codes;
  }
}

/// Rows y + 16 r, columns x + 16 s of the block's tile.
struct Square {
  std::int32_t sums[4][4] = {};

  __device__ void multiply(const std::int8_t* a, const std::int8_t* b_t, std::int64_t m,
                           std::int64_t n, std::int64_t k) {
    __shared__ int a_tile[kTile][kPitch];
    __shared__ int b_tile[kTile][kPitch];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    for (std::int64_t p0 = 0; p0 < k; p0 += 4 * kWords) {
      __syncthreads();
      load(a_tile, a, blockIdx.y * std::int64_t{kTile}, p0, m, k);
      load(b_tile, b_t, blockIdx.x * std::int64_t{kTile}, p0, n, k);
      __syncthreads();
      for (int w = 0; w < kWords; ++w) {
        for (int r = 0; r < 4; ++r) {
          const int row = a_tile[y + 16 * r][w];
          for (int s = 0; s < 4; ++s) {
            sums[r][s] = __dp4a(row, b_tile[x + 16 * s][w], sums[r][s]);
          }
        }
      }
    }
  }
};

/// The tile's part of what belongs to the channels.
template <class T>
__device__ void stage(T (&tile)[kTile], const T* channels, std::int64_t n) {
  const std::int64_t j = blockIdx.x * std::int64_t{kTile} + threadIdx.x;
  if (threadIdx.x < kTile) tile[threadIdx.x] = j < n ? channels[j] : T{};
}

}  // namespace

NIBBLE_LAUNCH(scale_bias_relu_kernel, .block_x = 128, .tile_m = kTall, .tile_n = 128);

NIBBLE_KERNEL void scale_bias_relu_kernel(const std::int32_t* acc, float a_scale,
                                          const float* b_scales, const float* bias, float* c,
                                          std::int64_t m, std::int64_t n) {
  const std::int64_t j = blockIdx.x * 128ll + threadIdx.x;
  if (j < n) {
    const float scale = a_scale * b_scales[j];
    const float shift = bias[j];
    std::int64_t i = blockIdx.y * std::int64_t{kTall};
    const std::int64_t end = min(static_cast<long long>(m), static_cast<long long>(i) + kTall);
    for (; i < end; ++i)
      c[i * n + j] = positive(__fmaf_rn(__int2float_rn(acc[i * n + j]), scale, shift));
  }
}

NIBBLE_LAUNCH(requantize_kernel, .block_x = 64, .tile_m = kTall, .tile_n = 256);

NIBBLE_KERNEL void requantize_kernel(const std::int32_t* acc, const float* ratios,
                                     const std::int32_t* bias, std::int8_t* c,
                                     std::int32_t zero_point, std::int64_t m, std::int64_t n) {
  const std::int64_t first = blockIdx.y * std::int64_t{kTall};
  const std::int64_t tile = blockIdx.x * 256ll;
  if (n % 4 != 0) {
    for (int step = 0; step < 4; ++step) {
      const std::int64_t j = tile + 64 * step + threadIdx.x;
      if (j >= n) break;
      const float ratio = ratios[j];
      const std::int32_t shift = bias[j];
      for (std::int64_t i = first; i < m && i < first + kTall; ++i) {
        c[i * n + j] = static_cast<std::int8_t>(code(acc[i * n + j], ratio, shift, zero_point));
      }
    }
    return;
  }
  const std::int64_t j = tile + 4 * threadIdx.x;
  if (j >= n) return;
  const float4 ratio = *reinterpret_cast<const float4*>(ratios + j);
  const int4 shift = *reinterpret_cast<const int4*>(bias + j);
  for (std::int64_t i = first; i < m && i < first + kTall; ++i) {
    const int4 sums = *reinterpret_cast<const int4*>(acc + i * n + j);
    unsigned word = code(sums.x, ratio.x, shift.x, zero_point) & 0xff;
    word |= (code(sums.y, ratio.y, shift.y, zero_point) & 0xff) << 8;
    word |= (code(sums.z, ratio.z, shift.z, zero_point) & 0xff) << 16;
    word |= (code(sums.w, ratio.w, shift.w, zero_point) & 0xffu) << 24;
    *reinterpret_cast<unsigned*>(c + i * n + j) = word;
  }
}

NIBBLE_LAUNCH(matmul_fused_kernel, .block_x = kThreads, .tile_m = kTile, .tile_n = kTile);

NIBBLE_KERNEL void matmul_fused_kernel(const std::int8_t* a, const std::int8_t* b_t, float a_scale,
                                       const float* b_scales, const float* bias, float* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  __shared__ float scale[kTile], shift[kTile];
  stage(scale, b_scales, n);
  stage(shift, bias, n);
  Square square;
  square.multiply(a, b_t, m, n, k);
  __syncthreads();  // with k = 0 there has been no other
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int r = 0; r < 4; ++r) {
    const std::int64_t i = blockIdx.y * std::int64_t{kTile} + y + 16 * r;
    for (int s = 0; s < 4; ++s) {
      const int column = x + 16 * s;
      const std::int64_t j = blockIdx.x * std::int64_t{kTile} + column;
      const float v =
          static_cast<float>(square.sums[r][s]) * (a_scale * scale[column]) + shift[column];
      if (i < m && j < n) c[i * n + j] = positive(v);
    }
  }
}

NIBBLE_LAUNCH(matmul_requantized_kernel, .block_x = kThreads, .tile_m = kTile, .tile_n = kTile);

NIBBLE_KERNEL void matmul_requantized_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                             const float* ratios, const std::int32_t* bias,
                                             std::int8_t* c, std::int32_t zero_point,
                                             std::int64_t m, std::int64_t n, std::int64_t k) {
  __shared__ float ratio[kTile];
  __shared__ std::int32_t shift[kTile];
  __shared__ alignas(4) std::int8_t codes[kTile * kCodePitch];
  stage(ratio, ratios, n);
  stage(shift, bias, n);
  Square square;
  square.multiply(a, b_t, m, n, k);
  __syncthreads();
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int r = 0; r < 4; ++r) {
    for (int s = 0; s < 4; ++s) {
      const int column = x + 16 * s;
      codes[(y + 16 * r) * kCodePitch + column] = static_cast<std::int8_t>(
          code(square.sums[r][s], ratio[column], shift[column], zero_point));
    }
  }
  __syncthreads();
  const std::int64_t first_i = blockIdx.y * std::int64_t{kTile};
  const std::int64_t first_j = blockIdx.x * std::int64_t{kTile};
  if (n % 4 == 0) {
    for (int r = 0; r < 4; ++r) {
      const std::int64_t i = first_i + y + 16 * r, j = first_j + 4 * x;
      if (i >= m || j >= n) continue;
      *reinterpret_cast<int*>(c + i * n + j) =
          *reinterpret_cast<const int*>(codes + (y + 16 * r) * kCodePitch + 4 * x);
    }
    return;
  }
  for (int at = threadIdx.x; at < kTile * kTile; at += kThreads) {
    const std::int64_t i = first_i + at / kTile, j = first_j + at % kTile;
    if (i < m && j < n) c[i * n + j] = codes[at / kTile * kCodePitch + at % kTile];
  }
}

/// The codes of the block's rows of x, added up by one thread a row, as they pass through a tile.
__device__ std::int32_t sum_of_row(const int (*tile)[kPitch], int row, std::int32_t sum) {
  for (int w = 0; w < kWords; ++w) sum = __dp4a(tile[row][w], 0x01010101, sum);
  return sum;
}

NIBBLE_LAUNCH(matmul_asymmetric_kernel, .block_x = kThreads, .tile_m = kTile, .tile_n = kTile);

NIBBLE_KERNEL void matmul_asymmetric_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            float a_scale, std::int32_t a_zero_point,
                                            const float* b_scales,
                                            const std::int32_t* b_zero_points, float* c,
                                            std::int64_t m, std::int64_t n, std::int64_t k) {
  __shared__ int a_tile[kTile][kPitch];
  __shared__ int b_tile[kTile][kPitch];
  __shared__ std::int32_t rows[kTile], columns[kTile], zero[kTile];
  __shared__ float scale[kTile];
  stage(scale, b_scales, n);
  stage(zero, b_zero_points, n);
  const int x = threadIdx.x % 16, y = threadIdx.x / 16, own = threadIdx.x % kTile;
  std::int32_t sums[4][4] = {}, added = 0;
  for (std::int64_t p0 = 0; p0 < k; p0 += 4 * kWords) {
    __syncthreads();
    load(a_tile, a, blockIdx.y * std::int64_t{kTile}, p0, m, k);
    load(b_tile, b_t, blockIdx.x * std::int64_t{kTile}, p0, n, k);
    __syncthreads();
    if (threadIdx.x < 2 * kTile) {  // whole warps: two add up rows of a, two of b_t
      added = sum_of_row(threadIdx.x < kTile ? a_tile : b_tile, own, added);
    }
    for (int w = 0; w < kWords; ++w) {
      for (int r = 0; r < 4; ++r) {
        for (int s = 0; s < 4; ++s) {
          sums[r][s] = __dp4a(a_tile[y + 16 * r][w], b_tile[x + 16 * s][w], sums[r][s]);
        }
      }
    }
  }
  if (threadIdx.x < kTile) rows[own] = added - static_cast<std::int32_t>(k) * a_zero_point;
  if (threadIdx.x >= kTile && threadIdx.x < 2 * kTile) columns[own] = added;
  __syncthreads();
  for (int r = 0; r < 4; ++r) {
    const std::int64_t i = blockIdx.y * std::int64_t{kTile} + y + 16 * r;
    for (int s = 0; s < 4; ++s) {
      const int column = x + 16 * s;
      const std::int64_t j = blockIdx.x * std::int64_t{kTile} + column;
      const int acc = sums[r][s] - a_zero_point * columns[column] - zero[column] * rows[y + 16 * r];
      if (i < m && j < n) c[i * n + j] = __int2float_rn(acc) * (a_scale * scale[column]);
    }
  }
}

}  // namespace nibble
