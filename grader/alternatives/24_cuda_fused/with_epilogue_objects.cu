// The same lab with one product, and an epilogue that it is given: an object that holds what
// belongs to four neighbouring channels, and stores four sums.
// Products of codes are made one by one.
#include "cuda_fused.hpp"

namespace nibble {
namespace {

constexpr int kWarps = 8;
constexpr int kTall = 16;    // rows of an epilogue thread
constexpr int kTile = 64;    // rows and columns of c that a product block makes
constexpr int kLength = 32;  // codes of a row in a tile
constexpr int kPitch = kLength + 4;

template <class T>
struct alignas(4 * sizeof(T)) Quad {
  T of[4];
};
using Sums = Quad<std::int32_t>;

/// Columns j, j + apart, j + 2 * apart and j + 3 * apart of a row of n, as far as they exist.
struct Columns {
  std::int64_t n, j;
  int apart = 1;

  __device__ bool whole() const { return n % 4 == 0; }

  template <class T>
  __device__ void fetch(Quad<T>& quad, const T* row) const {
    if (whole()) {
      if (j < n) quad = *reinterpret_cast<const Quad<T>*>(row + j);
    } else {
      for (int e = 0; e < 4; ++e) {
        if (j + e * apart < n) quad.of[e] = row[j + e * apart];
      }
    }
  }

  template <class T>
  __device__ void store(T* row, const Quad<T>& quad) const {
    if (whole()) {
      *reinterpret_cast<Quad<T>*>(row + j) = quad;
    } else {
      for (int e = 0; e < 4; ++e) {
        if (j + e * apart < n) row[j + e * apart] = quad.of[e];
      }
    }
  }
};

/// What scale_bias_relu does.
struct ToReals {
  Columns columns;
  float* c;
  Quad<float> scale{}, bias{};

  __device__ ToReals(Columns which, float a_scale, const float* b_scales, const float* biases,
                     float* result)
      : columns(which), c(result) {
    columns.fetch(scale, b_scales);
    columns.fetch(bias, biases);
    for (float& s : scale.of) s *= a_scale;
  }

  __device__ void operator()(std::int64_t i, const Sums& acc) const {
    Quad<float> v;
    for (int e = 0; e < 4; ++e) {
      v.of[e] = bias.of[e] + scale.of[e] * acc.of[e];
      if (v.of[e] <= 0) v.of[e] = 0;
    }
    columns.store(c + i * columns.n, v);
  }
};

/// What requantize does.
struct ToCodes {
  Columns columns;
  std::int8_t* c;
  int zero_point;
  Quad<float> ratio{};
  Sums bias{};

  __device__ ToCodes(Columns which, const float* ratios, const std::int32_t* biases,
                     std::int8_t* result, int zero)
      : columns(which), c(result), zero_point(zero) {
    columns.fetch(ratio, ratios);
    columns.fetch(bias, biases);
  }

  __device__ int code(std::int32_t acc, int e) const {
    const std::int64_t wide = std::int64_t{acc} + bias.of[e];
    const auto narrow = static_cast<std::int32_t>(wide);
    const std::int32_t sum = narrow == wide ? narrow : wide < 0 ? INT32_MIN : INT32_MAX;
    const float v = __fmul_rn(__int2float_rn(sum), ratio.of[e]);
    if (v <= 0) return zero_point;
    if (v >= 256) return 127;
    return min(127, __float2int_rn(v) + zero_point);
  }

  __device__ void operator()(std::int64_t i, const Sums& acc) const {
    Quad<std::int8_t> codes;
    for (int e = 0; e < 4; ++e) codes.of[e] = static_cast<std::int8_t>(code(acc.of[e], e));
    columns.store(c + i * columns.n, codes);
  }
};

// --- Without a product ---------------------------------------------------------------------------

__device__ Columns columns_of_lane(std::int64_t n) {
  const std::int64_t tile = blockIdx.x * 128ll;
  if (n % 4 == 0) return {n, tile + 4 * threadIdx.x};
  return {n, tile + threadIdx.x, 32};
}

template <class Epilogue>
__device__ void finish_rows(const std::int32_t* acc, std::int64_t m, const Epilogue& epilogue) {
  const std::int64_t first = (std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y) * kTall;
  for (std::int64_t i = first; i < m && i < first + kTall; ++i) {
    Sums sums{};
    epilogue.columns.fetch(sums, acc + i * epilogue.columns.n);
    epilogue(i, sums);
  }
}

// --- With a product ------------------------------------------------------------------------------

using Tile = std::int8_t[kTile][kPitch];

// Lane l of warp w has columns 4 (l % 16) to + 3 of rows 8 w + l / 16, and 2, 4 and 6 further down.
__device__ int row_of(int r) {
  return static_cast<int>(8 * threadIdx.y + 2 * r + threadIdx.x / 16);
}
__device__ int column() { return static_cast<int>(4 * (threadIdx.x % 16)); }
__device__ Columns columns_of_thread(std::int64_t n) {
  return {n, blockIdx.x * std::int64_t{kTile} + column()};
}

/// 8 lanes fetch the 32 codes of a row.
__device__ void fill(Tile& tile, const std::int8_t* x, std::int64_t first, std::int64_t rows,
                     std::int64_t p0, std::int64_t k) {
  const int p = threadIdx.x % 8 * 4;
  for (int row = 4 * threadIdx.y + threadIdx.x / 8; row < kTile; row += 4 * kWarps) {
    char4 codes = make_char4(0, 0, 0, 0);
    if (first + row < rows && p0 + p < k) {
      codes = *reinterpret_cast<const char4*>(x + (first + row) * k + p0 + p);
    }
    *reinterpret_cast<char4*>(&tile[row][p]) = codes;
  }
}

template <class Epilogue>
__device__ void multiply(const std::int8_t* a, const std::int8_t* b_t, std::int64_t m,
                         std::int64_t n, std::int64_t k, const Epilogue& epilogue) {
  __shared__ alignas(4) Tile a_tile;
  __shared__ alignas(4) Tile b_tile;
  const std::int64_t first_i = blockIdx.y * std::int64_t{kTile};
  Sums sums[4] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += kLength) {
    fill(a_tile, a, first_i, m, p0, k);
    fill(b_tile, b_t, blockIdx.x * std::int64_t{kTile}, n, p0, k);
    __syncthreads();
    for (int p = 0; p < kLength; p += 4) {
      for (int e = 0; e < 4; ++e) {
        const char4 b = *reinterpret_cast<const char4*>(&b_tile[column() + e][p]);
        for (int r = 0; r < 4; ++r) {
          const char4 row = *reinterpret_cast<const char4*>(&a_tile[row_of(r)][p]);
          sums[r].of[e] += row.x * b.x + row.y * b.y + row.z * b.z + row.w * b.w;
        }
      }
    }
    __syncthreads();
  }
  if (epilogue.columns.j >= n) return;
  for (int r = 0; r < 4; ++r) {
    if (first_i + row_of(r) < m) epilogue(first_i + row_of(r), sums[r]);
  }
}

}  // namespace

NIBBLE_LAUNCH(scale_bias_relu_kernel, .block_x = 32, .block_y = 4, .tile_m = 4 * kTall,
              .tile_n = 128);

NIBBLE_KERNEL void scale_bias_relu_kernel(const std::int32_t* acc, float a_scale,
                                          const float* b_scales, const float* bias, float* c,
                                          std::int64_t m, std::int64_t n) {
  const Columns columns = columns_of_lane(n);
  if (columns.j < n) finish_rows(acc, m, ToReals(columns, a_scale, b_scales, bias, c));
}

NIBBLE_LAUNCH(requantize_kernel, .block_x = 32, .block_y = 4, .tile_m = 4 * kTall, .tile_n = 128);

NIBBLE_KERNEL void requantize_kernel(const std::int32_t* acc, const float* ratios,
                                     const std::int32_t* bias, std::int8_t* c,
                                     std::int32_t zero_point, std::int64_t m, std::int64_t n) {
  const Columns columns = columns_of_lane(n);
  if (columns.j < n) finish_rows(acc, m, ToCodes(columns, ratios, bias, c, zero_point));
}

NIBBLE_LAUNCH(matmul_fused_kernel, .block_x = 32, .block_y = kWarps, .tile_m = kTile,
              .tile_n = kTile);

NIBBLE_KERNEL void matmul_fused_kernel(const std::int8_t* a, const std::int8_t* b_t, float a_scale,
                                       const float* b_scales, const float* bias, float* c,
                                       std::int64_t m, std::int64_t n, std::int64_t k) {
  multiply(a, b_t, m, n, k, ToReals(columns_of_thread(n), a_scale, b_scales, bias, c));
}

NIBBLE_LAUNCH(matmul_requantized_kernel, .block_x = 32, .block_y = kWarps, .tile_m = kTile,
              .tile_n = kTile);

NIBBLE_KERNEL void matmul_requantized_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                             const float* ratios, const std::int32_t* bias,
                                             std::int8_t* c, std::int32_t zero_point,
                                             std::int64_t m, std::int64_t n, std::int64_t k) {
  multiply(a, b_t, m, n, k, ToCodes(columns_of_thread(n), ratios, bias, c, zero_point));
}

NIBBLE_LAUNCH(matmul_asymmetric_kernel, .block_x = 32, .block_y = kWarps, .tile_m = kTile,
              .tile_n = kTile);

/// Zero points are taken off one by one, and k is left early: what lies behind it is no 0.
NIBBLE_KERNEL void matmul_asymmetric_kernel(const std::int8_t* a, const std::int8_t* b_t,
                                            float a_scale, std::int32_t a_zero_point,
                                            const float* b_scales,
                                            const std::int32_t* b_zero_points, float* c,
                                            std::int64_t m, std::int64_t n, std::int64_t k) {
  __shared__ alignas(4) Tile a_tile;
  __shared__ alignas(4) Tile b_tile;
  const Columns columns = columns_of_thread(n);
  const std::int64_t first_i = blockIdx.y * std::int64_t{kTile};
  Sums zero{}, sums[4] = {};
  columns.fetch(zero, b_zero_points);
  for (std::int64_t p0 = 0; p0 < k; p0 += kLength) {
    fill(a_tile, a, first_i, m, p0, k);
    fill(b_tile, b_t, blockIdx.x * std::int64_t{kTile}, n, p0, k);
    __syncthreads();
    for (int p = 0; p < kLength && p0 + p < k; ++p) {
      for (int e = 0; e < 4; ++e) {
        const int real_b = b_tile[column() + e][p] - zero.of[e];
        for (int r = 0; r < 4; ++r) sums[r].of[e] += (a_tile[row_of(r)][p] - a_zero_point) * real_b;
      }
    }
    __syncthreads();
  }
  if (columns.j >= n) return;
  Quad<float> scale{};
  columns.fetch(scale, b_scales);
  for (int r = 0; r < 4; ++r) {
    if (first_i + row_of(r) >= m) continue;
    Quad<float> v;
    for (int e = 0; e < 4; ++e) v.of[e] = scale.of[e] * a_scale * sums[r].of[e];
    columns.store(c + (first_i + row_of(r)) * n, v);
  }
}

}  // namespace nibble
