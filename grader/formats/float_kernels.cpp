// In plain C++ and with AVX2: how codes become float32, and one tile of the product.
#include "formats/float_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "formats/codes.hpp"
#include "formats/operands.hpp"
#include "nibble/target.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nibble::formats {
namespace {

/// So many sets of sums, which do not wait for each other: an addition takes four cycles, and two
/// begin in each.
constexpr std::size_t sets_of(int rows) { return rows == 1 ? 4 : rows < 4 ? 2 : 1; }

// --- Plain C++ ----------------------------------------------------------------------------------

/// Code i of an array.
template <class T>
T code_at(const std::byte* codes, std::size_t i) {
  T code;
  std::memcpy(&code, codes + i * sizeof code, sizeof code);
  return code;
}

/// The values of all codes of a format: a conversion by the bits would take longer than a product.
std::vector<float> table_of(NumberFormat format, float factor) {
  std::vector<float> values(std::size_t{1} << bits_of(format));
  for (std::uint32_t code = 0; code < values.size(); ++code) {
    values[code] = value_of(format, code) * factor;
  }
  return values;
}

float plain_fp32(const std::byte* codes, std::size_t i) { return code_at<float>(codes, i); }

float plain_fp16(const std::byte* codes, std::size_t i) {
  static const std::vector<float> values = table_of(NumberFormat::kFp16, 1);
  return values[code_at<std::uint16_t>(codes, i)];
}

float plain_bf16(const std::byte* codes, std::size_t i) {
  return std::bit_cast<float>(std::uint32_t{code_at<std::uint16_t>(codes, i)} << 16);
}

float plain_fp8(const std::byte* codes, std::size_t i) {
  static const std::vector<float> values = table_of(NumberFormat::kFp8, 1 / kFp8Factor);
  return values[code_at<std::uint8_t>(codes, i)];
}

template <auto kLoad>
void plain_widen(const std::byte* codes, float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = kLoad(codes, i);
}

template <auto kLoad>
void plain_multiply(const FloatTile& tile) {
  std::array<float, kPanel> sums{};
  for (std::size_t p = 0; p < tile.depth; ++p) {
    const float x = tile.x[p];
    for (std::size_t c = 0; c < kPanel; ++c) sums[c] += x * kLoad(tile.w, p * kPanel + c);
  }
  for (std::size_t c = 0; c < kPanel; ++c) tile.y[c] += sums[c];
}

template <auto kLoad>
FloatKernels plain_kernels() {
  static constexpr std::array<MultiplyFloats, 1> kMultiply = {plain_multiply<kLoad>};
  return {plain_widen<kLoad>, kMultiply};
}

FloatKernels plain_kernels_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFp16:
      return plain_kernels<plain_fp16>();
    case NumberFormat::kBf16:
      return plain_kernels<plain_bf16>();
    case NumberFormat::kFp8:
      return plain_kernels<plain_fp8>();
    default:
      return plain_kernels<plain_fp32>();
  }
}

// --- AVX2 ---------------------------------------------------------------------------------------

#if defined(__x86_64__)

NIBBLE_TARGET("avx2,fma,f16c")
// Codes i .. i + 7 as float32.
struct LoadFp32 {
  static __m256 load(const std::byte* codes, std::size_t i) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(codes) + i);
  }
};

struct LoadFp16 {
  static __m256 load(const std::byte* codes, std::size_t i) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + 2 * i)));
  }
};

struct LoadBf16 {
  static __m256 load(const std::byte* codes, std::size_t i) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + 2 * i));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
};

// s eeee mmm  ->  s 0eeee mmm0000000: the sign is spread over the bit behind it, and cut there.
struct LoadFp8 {
  static __m256 load(const std::byte* codes, std::size_t i) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + i));
    const __m128i spread = _mm_slli_epi16(_mm_cvtepi8_epi16(bytes), 7);
    return _mm256_cvtph_ps(_mm_and_si128(spread, _mm_set1_epi16(std::int16_t{-0x4080})));
  }
};

template <class Load>
void widen(const std::byte* codes, float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 8) _mm256_storeu_ps(x + i, Load::load(codes, i));
}

// A loop written out: sums stay in registers where the compiler sees each by its name. It has to be
// told, or it stops half-way in a long file, and the product takes four times as long.
#define NIBBLE_INLINED __attribute__((always_inline))

template <std::size_t kCount, class Body>
NIBBLE_INLINED inline void times(const Body& body) {
  [&]<std::size_t... i>(std::index_sequence<i...>) NIBBLE_INLINED { (body(i), ...); }
  (std::make_index_sequence<kCount>{});
}

template <class Load, int kRows>
void multiply(const FloatTile& tile) {
  constexpr std::size_t kSets = sets_of(kRows);
  const FloatTile t = tile;
  __m256 sums[kSets][kRows][2] = {};
  for (std::size_t p = 0; p < t.depth; p += kSets) {
    times<kSets>([&](std::size_t set) NIBBLE_INLINED {
      const __m256 w0 = Load::load(t.w, (p + set) * kPanel);
      const __m256 w1 = Load::load(t.w, (p + set) * kPanel + 8);
      times<kRows>([&](std::size_t r) NIBBLE_INLINED {
        const __m256 x = _mm256_broadcast_ss(t.x + r * t.depth + p + set);
        sums[set][r][0] = _mm256_fmadd_ps(x, w0, sums[set][r][0]);
        sums[set][r][1] = _mm256_fmadd_ps(x, w1, sums[set][r][1]);
      });
    });
  }
  times<kSets>([&](std::size_t set) NIBBLE_INLINED {
    times<kRows>([&](std::size_t r) NIBBLE_INLINED {
      float* const y = t.y + r * t.stride;
      _mm256_storeu_ps(y, _mm256_add_ps(_mm256_loadu_ps(y), sums[set][r][0]));
      _mm256_storeu_ps(y + 8, _mm256_add_ps(_mm256_loadu_ps(y + 8), sums[set][r][1]));
    });
  });
}
NIBBLE_END

template <class Load>
FloatKernels wide_kernels() {
  static constexpr std::array<MultiplyFloats, 6> kMultiply = {multiply<Load, 1>, multiply<Load, 2>,
                                                              multiply<Load, 3>, multiply<Load, 4>,
                                                              multiply<Load, 5>, multiply<Load, 6>};
  return {widen<Load>, kMultiply};
}

FloatKernels wide_kernels_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFp16:
      return wide_kernels<LoadFp16>();
    case NumberFormat::kBf16:
      return wide_kernels<LoadBf16>();
    case NumberFormat::kFp8:
      return wide_kernels<LoadFp8>();
    default:
      return wide_kernels<LoadFp32>();
  }
}

#endif

}  // namespace

FloatKernels float_kernels(Isa isa, NumberFormat format) {
#if defined(__x86_64__)
  if (isa != Isa::kScalar) return wide_kernels_of(format);
#endif
  (void)isa;
  return plain_kernels_of(format);
}

}  // namespace nibble::formats
