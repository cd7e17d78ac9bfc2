// The same lab with types of its own: structs by value through pointers to functions, a union,
// bit-fields, locals that are aligned widely and indexed by what is known at run time alone.
#include "cuda_quantize.hpp"

namespace nibble {
namespace {

struct Sample {
  float value;
};

/// 24 bytes: too many for two registers.
struct Job {
  Sample sample;
  float scale;
  long long low, high;
};

struct Code {
  int value : 8;
  unsigned is_clamped : 1;
};

union Word {
  unsigned whole;
  signed char codes[4];
};

struct alignas(16) Halves {
  __half value[8];
};

struct alignas(32) Eight {
  float value[8];
};

__device__ int limited(Job job) {
  return static_cast<int>(
      max(job.low,
          min(job.high, static_cast<long long>(__float2int_rn(job.sample.value / job.scale)))));
}

__device__ Code code_of(Sample sample, float scale) {
  int (*const limit)(Job) = limited;
  const int code = limit(Job{sample, scale, -128, 127});
  Code result = {code, code == 127 || code == -128};
  return result;
}

/// Which function, is known to the switch alone.
__device__ Code (*chosen(int way))(Sample, float) {
  switch (way) {
    case 0:
    case 1:
      return code_of;
    case 2:
      return [](Sample sample, float scale) { return code_of(sample, scale); };
    case 3:
      return +[](Sample sample, float scale) { return code_of({sample.value}, scale); };
    default:
      return nullptr;
  }
}

__device__ std::int64_t first_of(int count) {
  return count * (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
}

}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  Code (*const code)(Sample, float) = chosen(static_cast<int>(blockIdx.x % 4));
  const std::int64_t i = first_of(1);
  if (i < n)
    q[i] = static_cast<std::int8_t>(code(reinterpret_cast<const Sample*>(x)[i], scale).value);
}

NIBBLE_LAUNCH(quantize_vectorized_kernel, .block_x = 256, .tile_n = 4 * 256);

NIBBLE_KERNEL void quantize_vectorized_kernel(const float* x, std::int8_t* q, float scale,
                                              std::int64_t n) {
  const std::int64_t i = first_of(4);
  if (i + 4 <= n) {
    struct Take {
      __device__ float4 operator()(float4 four) const { return four; }
    };
    const float4 four = Take{}(*reinterpret_cast<const float4*>(x + i));
    const float values[4] = {four.x, four.y, four.z, four.w};
    Word word = {};
    for (int k = 0; k < 4; ++k) {
      const int at = (k + static_cast<int>(threadIdx.x)) % 4;
      word.codes[at] = static_cast<signed char>(code_of({values[at]}, scale).value);
    }
    *reinterpret_cast<Word*>(q + i) = word;
    return;
  }
  for (std::int64_t j = i; j < n; ++j)
    q[j] = static_cast<std::int8_t>(code_of({x[j]}, scale).value);
}

NIBBLE_LAUNCH(quantize_half_kernel, .block_x = 256, .tile_n = 8 * 256);

NIBBLE_KERNEL void quantize_half_kernel(const __half* x, std::int8_t* q, float scale,
                                        std::int64_t n) {
  const std::int64_t i = first_of(8);
  if (i + 8 <= n) {
    const Halves halves = *reinterpret_cast<const Halves*>(x + i);
    Eight eight;
    for (int k = 0; k < 8; ++k) eight.value[k] = __half2float(halves.value[k]);
    long long packed = 0;
    signed char codes[8];
    for (int k = 0; k < 8; ++k) {
      codes[k] = static_cast<signed char>(chosen(k % 4)(Sample{eight.value[k]}, scale).value);
      packed |= static_cast<long long>(static_cast<unsigned char>(codes[k])) << 8 * k;
    }
    *reinterpret_cast<long long*>(q + i) = packed;
    return;
  }
  for (std::int64_t j = i; j < n; ++j) {
    q[j] = static_cast<std::int8_t>(code_of({__half2float(x[j])}, scale).value);
  }
}
NIBBLE_LAUNCH(dequantize_kernel, .block_x = 32, .block_y = 8, .tile_m = 8, .tile_n = 4 * 32);

NIBBLE_KERNEL void dequantize_kernel(const std::int8_t* q, const float* scales, float* x_hat,
                                     std::int64_t rows, std::int64_t cols) {
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float scale = scales[row];  // 32 threads, one address: one sector
  const std::int8_t* q_row = q + row * cols;
  float* x_row = x_hat + row * cols;
  const std::int64_t tile = std::int64_t{blockIdx.x} * dequantize_kernel_launch.tile_n;

  if (cols % 4 == 0) {  // every row starts where a float4 may start
    const std::int64_t j = tile + 4 * threadIdx.x;
    if (j >= cols) return;
    const char4 four = *reinterpret_cast<const char4*>(q_row + j);
    *reinterpret_cast<float4*>(x_row + j) =
        make_float4(scale * four.x, scale * four.y, scale * four.z, scale * four.w);
    return;
  }
  // The same 128 columns in four steps: neighbours in the warp stay neighbours in memory.
  for (int step = 0; step < 4; ++step) {
    const std::int64_t j = tile + 32 * step + threadIdx.x;
    if (j < cols) x_row[j] = scale * q_row[j];
  }
}

}  // namespace nibble
