// The CPU's own half precision conversions, for comparison: F16C on x86-64,
// always there on aarch64.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nibble::simt {

#if defined(__x86_64__)

/// Asked by way of AVX2, which never comes without F16C: clang 14 has no name for the latter.
inline bool cpu_converts_halves() { return __builtin_cpu_supports("avx2") != 0; }

__attribute__((target("avx2,f16c"))) inline std::uint32_t half_by_cpu(float x) {
  return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
}
__attribute__((target("avx2,f16c"))) inline float float_by_cpu(std::uint32_t code) {
  return _cvtsh_ss(static_cast<std::uint16_t>(code));
}

#elif defined(__aarch64__)

inline bool cpu_converts_halves() { return true; }
inline std::uint32_t half_by_cpu(float x) {
  return std::bit_cast<std::uint16_t>(static_cast<__fp16>(x));
}
inline float float_by_cpu(std::uint32_t code) {
  return static_cast<float>(std::bit_cast<__fp16>(static_cast<std::uint16_t>(code)));
}

#else

inline bool cpu_converts_halves() { return false; }
inline std::uint32_t half_by_cpu(float) { return 0; }
inline float float_by_cpu(std::uint32_t) { return 0; }

#endif

}  // namespace nibble::simt
