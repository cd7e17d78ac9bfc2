// In plain C++, and with AVX2 and AVX-512 VNNI: one tile of a product of integers.
#include "formats/integer_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/operands.hpp"
#include "nibble/half.hpp"
#include "nibble/target.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nibble::formats {
namespace {

// --- Plain C++ ----------------------------------------------------------------------------------

using Sums = std::array<std::int32_t, kPanel>;

void multiply_int8(const IntegerTile& tile) {
  Sums sums{};
  const auto* const w = reinterpret_cast<const std::int8_t*>(tile.codes);
  for (std::size_t p = 0; p < tile.k; p += 4) {
    for (std::size_t c = 0; c < kPanel; ++c) {
      for (std::size_t q = 0; q < 4; ++q) sums[c] += tile.x[p + q] * w[p * kPanel + 4 * c + q];
    }
  }
  for (std::size_t c = 0; c < kPanel; ++c) {
    tile.y[c] = static_cast<float>(sums[c]) * (tile.x_scales[0] * tile.scales[c]);
  }
}

void multiply_int4(const IntegerTile& tile) {
  std::array<float, kPanel> y{};
  for (std::size_t g = 0; g < tile.k / kGroup; ++g) {
    Sums sums;
    sums.fill(-8 * tile.group_sums[g]);
    for (std::size_t p = g * kGroup; p < (g + 1) * kGroup; p += 8) {
      const std::uint8_t* const line = tile.codes + p * kPanel / 2;
      for (std::size_t c = 0; c < kPanel; ++c) {
        for (std::size_t q = 0; q < 4; ++q) {
          sums[c] += tile.x[p + q] * (line[4 * c + q] & 15);
          sums[c] += tile.x[p + q + 4] * (line[4 * c + q] >> 4);
        }
      }
    }
    const std::uint16_t* const scales = tile.group_scales + g * kPanel;
    for (std::size_t c = 0; c < kPanel; ++c) {
      y[c] += static_cast<float>(sums[c]) * float_from_half(scales[c]);
    }
  }
  for (std::size_t c = 0; c < kPanel; ++c) tile.y[c] = y[c] * tile.x_scales[0];
}

constexpr std::array<MultiplyIntegers, 1> kPlainInt8 = {multiply_int8};
constexpr std::array<MultiplyIntegers, 1> kPlainInt4 = {multiply_int4};

// --- AVX2 ---------------------------------------------------------------------------------------

#if defined(__x86_64__)

/// Four codes of one row, for every output alike.
std::int32_t four_codes(const std::int8_t* x) {
  std::int32_t four = 0;
  std::memcpy(&four, x, sizeof four);
  return four;
}

NIBBLE_TARGET("avx2,fma,f16c")
// vpmaddubsw adds two products in 16 bits and saturates: 2 * 127 * 127 fits, and so does 2 * 15 *
// 127. Its first operand is unsigned.
__m256i add_dots(__m256i sums, __m256i u8, __m256i s8) {
  const __m256i pairs = _mm256_maddubs_epi16(u8, s8);
  return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

// |x| * (w with the sign of x): both in -127 .. 127, so that every sign can be turned.
template <int kRows>
void multiply_int8_avx2(const IntegerTile& tile) {
  __m256i sums[kRows][2];
  for (auto& row : sums) row[0] = row[1] = _mm256_setzero_si256();
  for (std::size_t p = 0; p < tile.k; p += 4) {
    const auto* const line = reinterpret_cast<const __m256i*>(tile.codes + p * kPanel);
    const __m256i w[2] = {_mm256_loadu_si256(line), _mm256_loadu_si256(line + 1)};
    for (std::size_t r = 0; r < kRows; ++r) {
      const __m256i x = _mm256_set1_epi32(four_codes(tile.x + r * tile.k + p));
      const __m256i size = _mm256_abs_epi8(x);
      sums[r][0] = add_dots(sums[r][0], size, _mm256_sign_epi8(w[0], x));
      sums[r][1] = add_dots(sums[r][1], size, _mm256_sign_epi8(w[1], x));
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    const __m256 x_scale = _mm256_set1_ps(tile.x_scales[r]);
    for (std::size_t half = 0; half < 2; ++half) {
      const __m256 scale = _mm256_mul_ps(x_scale, _mm256_loadu_ps(tile.scales + 8 * half));
      _mm256_storeu_ps(tile.y + r * tile.stride + 8 * half,
                       _mm256_mul_ps(_mm256_cvtepi32_ps(sums[r][half]), scale));
    }
  }
}

// A nibble is code + 8: what that adds to a group's sum is 8 times the sum of its activations.
template <int kRows>
void multiply_int4_avx2(const IntegerTile& tile) {
  const __m256i low = _mm256_set1_epi8(15);
  const std::size_t groups = tile.k / kGroup;
  __m256 y[kRows][2];
  for (auto& row : y) row[0] = row[1] = _mm256_setzero_ps();
  for (std::size_t g = 0; g < groups; ++g) {
    __m256i sums[kRows][2];
    for (std::size_t r = 0; r < kRows; ++r) {
      sums[r][0] = sums[r][1] = _mm256_set1_epi32(-8 * tile.group_sums[r * groups + g]);
    }
    for (std::size_t p = g * kGroup; p < (g + 1) * kGroup; p += 8) {
      const auto* const line = reinterpret_cast<const __m256i*>(tile.codes + p * kPanel / 2);
      for (std::size_t half = 0; half < 2; ++half) {
        const __m256i codes = _mm256_loadu_si256(line + half);
        const __m256i w0 = _mm256_and_si256(codes, low);
        const __m256i w1 = _mm256_and_si256(_mm256_srli_epi16(codes, 4), low);
        for (std::size_t r = 0; r < kRows; ++r) {
          const std::int8_t* const x = tile.x + r * tile.k + p;
          sums[r][half] = add_dots(sums[r][half], w0, _mm256_set1_epi32(four_codes(x)));
          sums[r][half] = add_dots(sums[r][half], w1, _mm256_set1_epi32(four_codes(x + 4)));
        }
      }
    }
    for (std::size_t half = 0; half < 2; ++half) {
      const auto* const at = tile.group_scales + g * kPanel + 8 * half;
      const __m256 scale = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
      for (std::size_t r = 0; r < kRows; ++r) {
        y[r][half] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums[r][half]), scale, y[r][half]);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    const __m256 x_scale = _mm256_set1_ps(tile.x_scales[r]);
    _mm256_storeu_ps(tile.y + r * tile.stride, _mm256_mul_ps(y[r][0], x_scale));
    _mm256_storeu_ps(tile.y + r * tile.stride + 8, _mm256_mul_ps(y[r][1], x_scale));
  }
}

constexpr std::array<MultiplyIntegers, 4> kAvx2Int8 = {
    multiply_int8_avx2<1>, multiply_int8_avx2<2>, multiply_int8_avx2<3>, multiply_int8_avx2<4>};
constexpr std::array<MultiplyIntegers, 4> kAvx2Int4 = {
    multiply_int4_avx2<1>, multiply_int4_avx2<2>, multiply_int4_avx2<3>, multiply_int4_avx2<4>};
NIBBLE_END

#endif

}  // namespace

IntegerKernels integer_kernels(Isa isa) {
#if defined(__x86_64__)
  if (isa != Isa::kScalar) return {kAvx2Int8, kAvx2Int4};
#endif
  (void)isa;
  return {kPlainInt8, kPlainInt4};
}

}  // namespace nibble::formats
