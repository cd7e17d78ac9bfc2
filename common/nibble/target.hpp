// Functions for a CPU that may not be this one: what stands between NIBBLE_BEGIN_… and NIBBLE_END
// is compiled for that set of instructions, in a file that as a whole runs anywhere. Call it only
// where cpu_has() says so.
//
//     NIBBLE_BEGIN_AVX512_VNNI
//     void row(const std::uint8_t* a, …) { … _mm512_dpbusd_epi32(…) … }     lambdas and templates too
//     NIBBLE_END
//
// An inline function from outside may be inlined inside (it needs less); never the other way round.
#pragma once

#define NIBBLE_PRAGMA(text) _Pragma(#text)

#if defined(__x86_64__) && defined(__clang__)
#define NIBBLE_TARGET(list) \
  NIBBLE_PRAGMA(clang attribute push(__attribute__((target(list))), apply_to = function))
#define NIBBLE_END NIBBLE_PRAGMA(clang attribute pop)
#elif defined(__x86_64__)
#define NIBBLE_TARGET(list) NIBBLE_PRAGMA(GCC push_options) NIBBLE_PRAGMA(GCC target(list))
#define NIBBLE_END NIBBLE_PRAGMA(GCC pop_options)
#endif

#if defined(__x86_64__)
#define NIBBLE_BEGIN_AVX2 NIBBLE_TARGET("avx2,fma")
#define NIBBLE_BEGIN_AVX_VNNI NIBBLE_TARGET("avx2,fma,avxvnni")
#define NIBBLE_BEGIN_AVX512_VNNI \
  NIBBLE_TARGET("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#define NIBBLE_BEGIN_AMX_INT8 \
  NIBBLE_TARGET("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,amx-tile,amx-int8")
#elif defined(__aarch64__) && !defined(__clang__)
#define NIBBLE_BEGIN_NEON_DOT \
  NIBBLE_PRAGMA(GCC push_options) NIBBLE_PRAGMA(GCC target("arch=armv8.2-a+dotprod"))
#define NIBBLE_END NIBBLE_PRAGMA(GCC pop_options)
#elif defined(__aarch64__)
#define NIBBLE_BEGIN_NEON_DOT \
  NIBBLE_PRAGMA(clang attribute push(__attribute__((target("dotprod"))), apply_to = function))
#define NIBBLE_END NIBBLE_PRAGMA(clang attribute pop)
#endif
