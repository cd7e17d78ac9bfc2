// The same lab without a division for each element: one reciprocal a thread, and a correction that
// makes every quotient what a division would have given. The clamp is one of floats.
#include "cuda_quantize.hpp"

namespace nibble {
namespace {

constexpr int kWarp = 32;

/// x / scale, rounded as a division rounds. `inverse` is 1 / scale.
///
///     rough = x * inverse               off by a unit or two in the last place
///     rest  = x - rough * scale         an FMA has no rounding in between: exact
///     rough + rest * inverse            rounded once
__device__ float quotient(float x, float scale, float inverse) {
  const float rough = x * inverse;
  // Far outside of int8 nothing needs to be exact; and infinity - infinity would be a NaN.
  if (!(fabsf(rough) < 1024.0f)) return rough;
  // The rest is 2^-24 of x or so. Of a tiny x that is less than any float.
  if (scale < 0x1p-100f) return x / scale;
  const float rest = fmaf(-rough, scale, x);
  return fmaf(rest, inverse, rough);
}

__device__ std::int8_t code_of(float x, float scale, float inverse) {
  const float rounded = rintf(quotient(x, scale, inverse));
  if (isnan(rounded)) return 0;
  return static_cast<std::int8_t>(fminf(fmaxf(rounded, -128.0f), 127.0f));
}

__device__ char4 codes_of(float4 x, float scale, float inverse) {
  return make_char4(code_of(x.x, scale, inverse), code_of(x.y, scale, inverse),
                    code_of(x.z, scale, inverse), code_of(x.w, scale, inverse));
}

}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 128, .tile_n = 128);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * 128 + threadIdx.x;
  if (i >= n) return;
  q[i] = code_of(x[i], scale, 1.0f / scale);
}

NIBBLE_LAUNCH(quantize_vectorized_kernel, .block_x = 128, .tile_n = 512);

// Whole vectors first; then each of the first few threads takes one of the elements that are left.
NIBBLE_KERNEL void quantize_vectorized_kernel(const float* x, std::int8_t* q, float scale,
                                              std::int64_t n) {
  const float inverse = 1.0f / scale;
  const std::int64_t vector = static_cast<std::int64_t>(blockIdx.x) * 128 + threadIdx.x;
  const std::int64_t vectors = n / 4;
  if (vector < vectors) {
    const auto* in = reinterpret_cast<const float4*>(x);
    reinterpret_cast<char4*>(q)[vector] = codes_of(in[vector], scale, inverse);
  }
  const std::int64_t left = 4 * vectors + vector;
  if (left < n) q[left] = code_of(x[left], scale, inverse);
}

NIBBLE_LAUNCH(quantize_half_kernel, .block_x = 128, .tile_n = 1024);

NIBBLE_KERNEL void quantize_half_kernel(const __half* x, std::int8_t* q, float scale,
                                        std::int64_t n) {
  struct alignas(16) Halves {
    __half at[8];
  };
  struct alignas(8) Codes {
    std::int8_t at[8];
  };
  const float inverse = 1.0f / scale;
  const std::int64_t vector = static_cast<std::int64_t>(blockIdx.x) * 128 + threadIdx.x;
  const std::int64_t vectors = n / 8;
  if (vector < vectors) {
    const Halves halves = reinterpret_cast<const Halves*>(x)[vector];
    Codes codes;
    for (int i = 0; i < 8; ++i) codes.at[i] = code_of(__half2float(halves.at[i]), scale, inverse);
    reinterpret_cast<Codes*>(q)[vector] = codes;
  }
  const std::int64_t left = 8 * vectors + vector;
  if (left < n) q[left] = code_of(__half2float(x[left]), scale, inverse);
}

NIBBLE_LAUNCH(dequantize_kernel, .block_x = 4 * kWarp, .tile_m = 4, .tile_n = 4 * kWarp);

// Four warps, four rows. One lane reads the scale and hands it to the others.
NIBBLE_KERNEL void dequantize_kernel(const std::int8_t* q, const float* scales, float* x_hat,
                                     std::int64_t rows, std::int64_t cols) {
  const unsigned lane = threadIdx.x % kWarp;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.y) * 4 + threadIdx.x / kWarp;
  if (i >= rows) return;  // a whole warp: nobody is missed below
  float scale = 0.0f;
  if (lane == 0) scale = scales[i];
  scale = __shfl_sync(0xffffffff, scale, 0);

  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * (4 * kWarp);
  const std::int64_t end = begin + 4 * kWarp < cols ? begin + 4 * kWarp : cols;
  const std::int64_t row = i * cols;
  if (cols % 4 != 0) {
    for (std::int64_t j = begin + lane; j < end; j += kWarp) x_hat[row + j] = scale * q[row + j];
  } else if (const std::int64_t j = begin + 4 * lane; j < end) {
    const char4 codes = reinterpret_cast<const char4*>(q + row)[j / 4];
    float4 reals;
    reals.x = scale * static_cast<float>(codes.x);
    reals.y = scale * static_cast<float>(codes.y);
    reals.z = scale * static_cast<float>(codes.z);
    reals.w = scale * static_cast<float>(codes.w);
    reinterpret_cast<float4*>(x_hat + row)[j / 4] = reals;
  }
}

}  // namespace nibble
