// The same lab with floats made by hand: a nibble put into the low bits of 1024.0 (a half) or of
// 2^23 (a float) makes a number that is larger by the nibble, and a subtraction leaves the code. A
// block of the product has 8 warps, one above the other, and two tiles that take turns.
#include "cuda_int4.hpp"

namespace nibble {
namespace {

constexpr unsigned kEights = 0x08080808, kLow = 0x0f0f0f0f;

/// Keeps codes 0 to kept - 1 of a word.
__device__ unsigned keep(unsigned word, std::int64_t kept) {
  const int bits = static_cast<int>(4 * max(0ll, min(8ll, static_cast<long long>(kept))));
  return static_cast<unsigned>((std::uint64_t{word} << 32 << (32 - bits)) >> 32 >> (32 - bits));
}

/// Codes 0, 2, 4, 6, and codes 1, 3, 5, 7.
__device__ uint2 even_odd(unsigned word) {
  return make_uint2(__vsub4((word & kLow) ^ kEights, kEights),
                    __vsub4((word >> 4 & kLow) ^ kEights, kEights));
}

__device__ uint2 in_order(unsigned word) {
  const uint2 codes = even_odd(word);
  return make_uint2(__byte_perm(codes.x, codes.y, 0x5140), __byte_perm(codes.x, codes.y, 0x7362));
}

/// 2^23 + (nibble ^ 8) is the bits of 2^23 with the nibble in their low end.
__device__ float code_as_float(unsigned codes, int i) {
  const unsigned biased = (codes >> (4 * i) & 0xf) ^ 8;
  return __uint_as_float(0x4b000000 | biased) - 8388616.0f;
}

/// Codes i and i + 4 of a word, by halves first and second.
__device__ float two_products(unsigned word, int i, unsigned first, unsigned second, int low,
                              int high) {
  const unsigned biased = ((word >> (4 * i) & 0x000f000f) ^ 0x00080008) | 0x64006400;
  const float even = __half2float(__ushort_as_half(biased & 0xffff)) - 1032.0f;
  const float odd = __half2float(__ushort_as_half(biased >> 16)) - 1032.0f;
  const float x = __half2float(__ushort_as_half(first >> (16 * low) & 0xffff));
  const float z = __half2float(__ushort_as_half(second >> (16 * high) & 0xffff));
  return even * x + odd * z;
}

/// What is left of two halves when the first `kept` of them are there.
__device__ unsigned keep_halves(unsigned pair, std::int64_t kept) {
  return kept >= 2 ? pair : kept == 1 ? pair & 0xffff : 0;
}

}  // namespace

NIBBLE_LAUNCH(unpack_int4_kernel, .block_x = 32, .block_y = 4, .tile_m = 4, .tile_n = 512);

NIBBLE_KERNEL void unpack_int4_kernel(const std::uint8_t* w4, std::int8_t* q, std::int64_t n,
                                      std::int64_t k, std::int64_t pitch) {
  const std::int64_t i = blockIdx.y * 4ll + threadIdx.y, b = blockIdx.x * 256ll + threadIdx.x * 8;
  if (i >= n || b >= pitch) return;
  const std::int64_t byte = i * pitch + b;
  const uint2 packed = *reinterpret_cast<const uint2*>(w4 + byte);
  const uint2 first = in_order(keep(packed.x, k - 2 * b));
  const uint2 second = in_order(keep(packed.y, k - 2 * b - 8));
  *reinterpret_cast<uint4*>(q + 2 * byte) = make_uint4(first.x, first.y, second.x, second.y);
}

NIBBLE_LAUNCH(dequantize_int4_kernel, .block_x = 32, .block_y = 4, .tile_m = 4, .tile_n = 128);

NIBBLE_KERNEL void dequantize_int4_kernel(const std::uint8_t* w4, const float* scales, float* w_hat,
                                          std::int64_t n, std::int64_t k, std::int64_t pitch,
                                          std::int64_t group_size) {
  const std::int64_t i = blockIdx.y * 4ll + threadIdx.y, b = blockIdx.x * 64ll + threadIdx.x * 2;
  if (i >= n || b >= pitch) return;
  const std::int64_t byte = i * pitch + b;
  float scale = 0;
  if (2 * b < k) scale = scales[i * ((k + group_size - 1) / group_size) + 2 * b / group_size];
  const unsigned codes = keep(*reinterpret_cast<const unsigned short*>(w4 + byte), k - 2 * b);
  *reinterpret_cast<float4*>(w_hat + 2 * byte) =
      make_float4(scale * code_as_float(codes, 0), scale * code_as_float(codes, 1),
                  scale * code_as_float(codes, 2), scale * code_as_float(codes, 3));
}

NIBBLE_LAUNCH(gemv_int4_kernel, .block_x = 32, .tile_n = 1);

NIBBLE_KERNEL void gemv_int4_kernel(const std::uint8_t* w4, const float* scales, const __half* x,
                                    float* y, std::int64_t n, std::int64_t k, std::int64_t pitch,
                                    std::int64_t group_size) {
  const std::int64_t row = blockIdx.x;
  if (row >= n) return;
  const unsigned* words = reinterpret_cast<const unsigned*>(w4 + row * pitch);
  const uint4* halves = reinterpret_cast<const uint4*>(x);
  const float* scale = scales + row * ((k + group_size - 1) / group_size);
  float sum = 0;
  for (std::int64_t w = threadIdx.x; 8 * w < k; w += 32) {
    const std::int64_t kept = k - 8 * w;
    const unsigned word = words[w];
    uint4 h = halves[w];
    h = make_uint4(keep_halves(h.x, kept), keep_halves(h.y, kept - 2), keep_halves(h.z, kept - 4),
                   keep_halves(h.w, kept - 6));
    float part = two_products(word, 0, h.x, h.z, 0, 0);
    part += two_products(word, 1, h.x, h.z, 1, 1);
    part += two_products(word, 2, h.y, h.w, 0, 0);
    part += two_products(word, 3, h.y, h.w, 1, 1);
    sum = fmaf(scale[8 * w / group_size], part, sum);
  }
  for (int distance = 1; distance < 32; distance *= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x == 0) y[row] = sum;
}

NIBBLE_LAUNCH(matmul_int4_kernel, .block_x = 32, .block_y = 8, .tile_m = 64, .tile_n = 64);

NIBBLE_KERNEL void matmul_int4_kernel(const std::int8_t* a, const float* a_scales,
                                      const std::uint8_t* w4, const float* scales_t, float* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k,
                                      std::int64_t pitch, std::int64_t group_size) {
  __shared__ uint2 a_tiles[2][64][9];
  __shared__ unsigned w_tiles[2][64][9];
  __shared__ float scale_tiles[2][64];
  const int lane = threadIdx.x, warp = threadIdx.y, piece = lane % 8;
  const std::int64_t i0 = blockIdx.y * 64ll, j0 = blockIdx.x * 64ll;
  int acc[8][2] = {};
  float sums[8][2] = {};
  int turn = 0;
  for (std::int64_t p0 = 0; p0 < k; p0 += 64, turn = 1 - turn) {
    const std::int64_t p = p0 + 8 * piece;
    for (int row = warp + lane / 8 * 8; row < 64; row += 32) {
      uint2 codes{};
      unsigned word = 0;
      if (p < k && i0 + row < m) {
        codes = *reinterpret_cast<const uint2*>(a + 2 * (i0 + row) * pitch + p);
      }
      if (p < k && j0 + row < n) {
        word = keep(*reinterpret_cast<const unsigned*>(w4 + (j0 + row) * pitch + p / 2), k - p);
      }
      a_tiles[turn][row][piece] =
          make_uint2(__byte_perm(codes.x, codes.y, 0x6420), __byte_perm(codes.x, codes.y, 0x7531));
      w_tiles[turn][row][piece] = word;
    }
    if (warp < 2) {
      const std::int64_t j = j0 + warp * 32 + lane;
      scale_tiles[turn][warp * 32 + lane] = j < n ? scales_t[p0 / group_size * n + j] : 0.0f;
    }
    __syncthreads();  // the next step loads the other tiles, and the one after it waits here
    for (int w = 0; w < 8; ++w) {
      const uint2 left = even_odd(w_tiles[turn][lane][w]);
      const uint2 right = even_odd(w_tiles[turn][lane + 32][w]);
      for (int r = 0; r < 8; ++r) {
        const uint2 codes = a_tiles[turn][8 * warp + r][w];
        const int even = static_cast<int>(codes.x), odd = static_cast<int>(codes.y);
        acc[r][0] = __dp4a(odd, static_cast<int>(left.y),
                           __dp4a(even, static_cast<int>(left.x), acc[r][0]));
        acc[r][1] = __dp4a(odd, static_cast<int>(right.y),
                           __dp4a(even, static_cast<int>(right.x), acc[r][1]));
      }
    }
    if (p0 + 64 < k && (p0 + 64) % group_size != 0) continue;
    for (int r = 0; r < 8; ++r) {
      for (int s = 0; s < 2; ++s) {
        sums[r][s] =
            fmaf(static_cast<float>(acc[r][s]), scale_tiles[turn][32 * s + lane], sums[r][s]);
        acc[r][s] = 0;
      }
    }
  }
  for (int r = 0; r < 8; ++r) {
    const std::int64_t i = i0 + 8 * warp + r;
    for (int s = 0; s < 2; ++s) {
      const std::int64_t j = j0 + 32 * s + lane;
      if (i < m && j < n) c[i * n + j] = sums[r][s] * a_scales[i];
    }
  }
}

}  // namespace nibble
