// The same lab, unpacked early: nibbles become bytes when a tile is filled, and are only multiplied
// after that. A code is made by arithmetic, (nibble ^ 8) - 8,
// and a warp of the product by one row has two rows.
#include "cuda_int4.hpp"

namespace nibble {
namespace {

/// Nibble `i` of the packed row at `w4`; 0 from k on.
__device__ int code(const std::uint8_t* w4, std::int64_t i, std::int64_t k) {
  if (i >= k) return 0;
  const int nibble = i % 2 == 0 ? w4[i / 2] % 16 : w4[i / 2] / 16;
  return (nibble ^ 8) - 8;
}

/// Four of the codes in `word`, from bit `shift` on, as the bytes of another.
__device__ unsigned four_bytes(unsigned word, int shift) {
  unsigned bytes = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned nibble = word >> (shift + 4 * i) & 0xf;
    bytes |= (((nibble ^ 8) - 8) & 0xff) << (8 * i);
  }
  return bytes;
}

__device__ uint2 eight_bytes(unsigned word) {
  return make_uint2(four_bytes(word, 0), four_bytes(word, 16));
}

/// Takes the codes from `kept` on out of a word.
__device__ unsigned cut(unsigned word, std::int64_t kept) {
  for (int i = 0; i < 8; ++i) {
    if (i >= kept) word &= ~(0xfu << (4 * i));
  }
  return word;
}

}  // namespace

NIBBLE_LAUNCH(unpack_int4_kernel, .block_x = 64, .tile_n = 1024);

NIBBLE_KERNEL void unpack_int4_kernel(const std::uint8_t* w4, std::int8_t* q, std::int64_t n,
                                      std::int64_t k, std::int64_t pitch) {
  const std::int64_t row = blockIdx.y, piece = blockIdx.x * 64ll + threadIdx.x;
  if (row < n && piece < pitch / 8) {
    const uint2 in = reinterpret_cast<const uint2*>(w4 + row * pitch)[piece];
    const uint2 a = eight_bytes(cut(in.x, k - 16 * piece));
    const uint2 b = eight_bytes(cut(in.y, k - 16 * piece - 8));
    reinterpret_cast<uint4*>(q + 2 * row * pitch)[piece] = make_uint4(a.x, a.y, b.x, b.y);
  }
}

NIBBLE_LAUNCH(dequantize_int4_kernel, .block_x = 64, .tile_n = 256);

NIBBLE_KERNEL void dequantize_int4_kernel(const std::uint8_t* w4, const float* scales, float* w_hat,
                                          std::int64_t n, std::int64_t k, std::int64_t pitch,
                                          std::int64_t group_size) {
  const std::int64_t row = blockIdx.y, piece = blockIdx.x * 64ll + threadIdx.x;
  if (row >= n || piece >= pitch / 2) return;
  float4 out = {};
  if (4 * piece < k) {
    const unsigned in = reinterpret_cast<const std::uint16_t*>(w4 + row * pitch)[piece];
    const uchar2 pair = make_uchar2(in % 256, in / 256);
    const std::uint8_t bytes[2] = {pair.x, pair.y};
    const std::int64_t groups = (k - 1) / group_size + 1;
    const float scale = scales[row * groups + 4 * piece / group_size];
    const std::int64_t rest = k - 4 * piece;
    out.x = scale * static_cast<float>(code(bytes, 0, rest));
    out.y = scale * static_cast<float>(code(bytes, 1, rest));
    out.z = scale * static_cast<float>(code(bytes, 2, rest));
    out.w = scale * static_cast<float>(code(bytes, 3, rest));
  }
  reinterpret_cast<float4*>(w_hat + 2 * row * pitch)[piece] = out;
}

// Two rows a warp: what is fetched of x serves both.
NIBBLE_LAUNCH(gemv_int4_kernel, .block_x = 128, .tile_n = 8);

NIBBLE_KERNEL void gemv_int4_kernel(const std::uint8_t* w4, const float* scales, const __half* x,
                                    float* y, std::int64_t n, std::int64_t k, std::int64_t pitch,
                                    std::int64_t group_size) {
  const unsigned lane = threadIdx.x % 32;
  const std::int64_t row = blockIdx.x * 8ll + threadIdx.x / 32 * 2;
  const std::int64_t groups = k > 0 ? (k - 1) / group_size + 1 : 0;
  float sums[2] = {};
  for (std::int64_t p = 8 * lane; p < k; p += 256) {
    const uint4 in = *reinterpret_cast<const uint4*>(x + p);
    const unsigned bits[4] = {in.x, in.y, in.z, in.w};
    float xs[8];
    for (int i = 0; i < 8; ++i) {
      const auto half = static_cast<unsigned short>(bits[i / 2] >> (i % 2 * 16));
      xs[i] = p + i < k ? __half2float(__ushort_as_half(half)) : 0.0f;
    }
    for (int r = 0; r < 2; ++r) {
      if (row + r >= n) break;
      const unsigned word = *reinterpret_cast<const unsigned*>(w4 + (row + r) * pitch + p / 2);
      const float scale = scales[(row + r) * groups + p / group_size];
      for (int i = 0; i < 8; ++i) {
        const int nibble = static_cast<int>(word >> (4 * i) & 0xf);
        sums[r] += scale * static_cast<float>((nibble ^ 8) - 8) * xs[i];
      }
    }
  }
  for (int r = 0; r < 2; ++r) {
    for (int lanes = 1; lanes < 32; lanes *= 2) {
      sums[r] += __shfl_xor_sync(0xffffffff, sums[r], lanes);
    }
    if (lane == 0 && row + r < n) y[row + r] = sums[r];
  }
}

NIBBLE_LAUNCH(matmul_int4_kernel, .block_x = 256, .tile_m = 64, .tile_n = 64);

NIBBLE_KERNEL void matmul_int4_kernel(const std::int8_t* a, const float* a_scales,
                                      const std::uint8_t* w4, const float* scales_t, float* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k,
                                      std::int64_t pitch, std::int64_t group_size) {
  __shared__ uint2 a_tile[64][9], w_tile[64][9];
  __shared__ float group_scales[64];
  const unsigned thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const std::int64_t i0 = blockIdx.y * 64ll, j0 = blockIdx.x * 64ll;
  int acc[4][4] = {};
  float sums[4][4] = {};
  for (std::int64_t p0 = 0; p0 < k; p0 += 64) {
    __syncthreads();  // the step before is done with the tiles
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned row = 32 * half + thread / 32 + thread % 32 / 8 * 8, column = thread % 8;
      const std::int64_t p = p0 + 8 * column;
      a_tile[row][column] = w_tile[row][column] = make_uint2(0, 0);
      if (p >= k) continue;
      if (i0 + row < m) {
        a_tile[row][column] = *reinterpret_cast<const uint2*>(a + (i0 + row) * 2 * pitch + p);
      }
      if (j0 + row < n) {
        const auto word = *reinterpret_cast<const unsigned*>(w4 + (j0 + row) * pitch + p / 2);
        w_tile[row][column] = eight_bytes(cut(word, k - p));
      }
    }
    const bool starts_group = p0 % group_size == 0;
    if (starts_group && thread < 64 && j0 + thread < n) {
      group_scales[thread] = scales_t[p0 / group_size * n + j0 + thread];
    } else if (starts_group && thread < 64) {
      group_scales[thread] = 0;
    }
    __syncthreads();
    for (int w = 0; w < 8; ++w) {
      for (int r = 0; r < 4; ++r) {
        const uint2 left = a_tile[4 * y + r][w];
        for (int s = 0; s < 4; ++s) {
          const uint2 right = w_tile[x + 16 * s][w];
          acc[r][s] = __dp4a(static_cast<int>(left.x), static_cast<int>(right.x), acc[r][s]);
          acc[r][s] = __dp4a(static_cast<int>(left.y), static_cast<int>(right.y), acc[r][s]);
        }
      }
    }
    const bool group_goes_on = (p0 / 64 + 1) % (group_size / 64) != 0 && p0 + 64 < k;
    if (group_goes_on) continue;
    for (int s = 0; s < 4; ++s) {
      const float scale = group_scales[x + 16 * s];
      for (int r = 0; r < 4; ++r) {
        sums[r][s] += static_cast<float>(acc[r][s]) * scale;
        acc[r][s] = 0;
      }
    }
  }
  for (int r = 0; r < 4; ++r) {
    const std::int64_t i = i0 + 4 * y + r;
    for (int s = 0; s < 4; ++s) {
      const std::int64_t j = j0 + x + 16 * s;
      if (i < m && j < n) c[i * n + j] = sums[r][s] * a_scales[i];
    }
  }
}

}  // namespace nibble
