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

/// Four sums at a time, so that no load waits for one before it.
inline void read_plain(std::span<const std::int8_t> bytes) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(bytes.data());
  const std::size_t count = bytes.size() / 8 / 4 * 4;
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  for (std::size_t i = 0; i < count; i += 4) {
    a |= words[i];
    b |= words[i + 1];
    c |= words[i + 2];
    d |= words[i + 3];
  }
  const std::uint64_t all = a | b | c | d;
  asm volatile("" : : "r"(all));
}

#if defined(__x86_64__)
NIBBLE_BEGIN_AVX2
inline void read_ymm(std::span<const std::int8_t> bytes) {
  __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
  const auto* line = reinterpret_cast<const __m256i*>(bytes.data());
  for (std::size_t i = 0; i + 4 <= bytes.size() / 32; i += 4) {
    a = _mm256_or_si256(a, _mm256_loadu_si256(line + i));
    b = _mm256_or_si256(b, _mm256_loadu_si256(line + i + 1));
    c = _mm256_or_si256(c, _mm256_loadu_si256(line + i + 2));
    d = _mm256_or_si256(d, _mm256_loadu_si256(line + i + 3));
  }
  const __m256i all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
  asm volatile("" : : "x"(all));
}
NIBBLE_END

NIBBLE_BEGIN_AVX512_VNNI
inline void read_zmm(std::span<const std::int8_t> bytes) {
  __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;
  const auto* line = reinterpret_cast<const __m512i*>(bytes.data());
  for (std::size_t i = 0; i + 4 <= bytes.size() / 64; i += 4) {
    a = _mm512_or_si512(a, _mm512_loadu_si512(line + i));
    b = _mm512_or_si512(b, _mm512_loadu_si512(line + i + 1));
    c = _mm512_or_si512(c, _mm512_loadu_si512(line + i + 2));
    d = _mm512_or_si512(d, _mm512_loadu_si512(line + i + 3));
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
