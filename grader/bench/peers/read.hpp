// Reads memory as fast as this CPU can, and does nothing with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nibble/cpu.hpp"
#include "nibble/target.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nibble::peers {

// Each loop reads the four quarters side by side: one stream alone is what a prefetcher is slow
// with.

inline void read_plain(std::span<const std::int8_t> bytes) {
  const std::size_t quarter = bytes.size() / 8 / 4;
  const auto* const word = reinterpret_cast<const std::uint64_t*>(bytes.data());
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  for (std::size_t i = 0; i < quarter; ++i) {
    a |= word[i];
    b |= word[quarter + i];
    c |= word[2 * quarter + i];
    d |= word[3 * quarter + i];
  }
  const std::uint64_t all = a | b | c | d;
  asm volatile("" : : "r"(all));
}

#if defined(__x86_64__)
NIBBLE_BEGIN_AVX2
inline void read_ymm(std::span<const std::int8_t> bytes) {
  const std::size_t quarter = bytes.size() / 32 / 4;
  const auto* const part = reinterpret_cast<const __m256i*>(bytes.data());
  __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
  for (std::size_t i = 0; i < quarter; ++i) {
    a = _mm256_or_si256(a, _mm256_loadu_si256(part + i));
    b = _mm256_or_si256(b, _mm256_loadu_si256(part + quarter + i));
    c = _mm256_or_si256(c, _mm256_loadu_si256(part + 2 * quarter + i));
    d = _mm256_or_si256(d, _mm256_loadu_si256(part + 3 * quarter + i));
  }
  const __m256i all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
  asm volatile("" : : "x"(all));
}
NIBBLE_END

NIBBLE_BEGIN_AVX512_VNNI
inline void read_zmm(std::span<const std::int8_t> bytes) {
  const std::size_t quarter = bytes.size() / 64 / 4;
  const auto* const part = reinterpret_cast<const __m512i*>(bytes.data());
  __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;
  for (std::size_t i = 0; i < quarter; ++i) {
    a = _mm512_or_si512(a, _mm512_loadu_si512(part + i));
    b = _mm512_or_si512(b, _mm512_loadu_si512(part + quarter + i));
    c = _mm512_or_si512(c, _mm512_loadu_si512(part + 2 * quarter + i));
    d = _mm512_or_si512(d, _mm512_loadu_si512(part + 3 * quarter + i));
  }
  const __m512i all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
  asm volatile("" : : "v"(all));
}
NIBBLE_END
#endif

inline void read_all(std::span<const std::int8_t> bytes) {
#if defined(__x86_64__)
  static const bool has_zmm = cpu_has(Isa::kAvx512Vnni), has_ymm = cpu_has(Isa::kAvx2);
  if (has_zmm) return read_zmm(bytes);
  if (has_ymm) return read_ymm(bytes);
#endif
  read_plain(bytes);
}

}  // namespace nibble::peers
