// Qualifiers, built-in variables and vector types: what a .cu file says without a call.
#pragma once

#include <math.h>  // isnan, abs, fmin for floats without std::, as a .cu file says them

#include <cstddef>
#include <cstdint>
#include <memory>  // before __noinline__ becomes a macro: it says that word itself

#include "nibble/pure.hpp"

#define NIBBLE_SIMT 1  // a .cu file can ask whether the engine, not a GPU, will run it

#define __global__ __attribute__((noinline))
// Always inlined where accesses are watched: at -O0 no compiler instruments the struct of `memory
// = f()` and `f(memory)` always, and a learner's function may take or return a float4 as ours do.
// Lambdas get the same from the rewriter.
#if defined(__clang__)
#if __has_feature(thread_sanitizer)
#pragma clang diagnostic ignored "-Wignored-attributes"
#define __device__ __attribute__((always_inline))
#define NIBBLE_SIMT_LAMBDA_FIRST __attribute__((always_inline))
#endif
#elif defined(__SANITIZE_THREAD__)
#pragma GCC diagnostic ignored "-Wattributes"
#define __device__ __attribute__((always_inline))
#define NIBBLE_SIMT_LAMBDA_LAST __attribute__((always_inline))
#endif
#ifndef __device__
#define __device__
#endif
#ifndef NIBBLE_SIMT_LAMBDA_FIRST
#define NIBBLE_SIMT_LAMBDA_FIRST
#endif
#ifndef NIBBLE_SIMT_LAMBDA_LAST
#define NIBBLE_SIMT_LAMBDA_LAST
#endif
#define NIBBLE_SIMT_RECURSIVE  // instead of __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) alignas(n)
#define __builtin_align__(n) alignas(n)

// What a kernel promises is neither computed nor relied upon.
#define __builtin_assume(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#define __assume(condition) __builtin_assume(condition)

/// The line of the .cu file that called the function this stands in.
#define NIBBLE_SIMT_PC __builtin_return_address(0)

/// Never inlined either, so that NIBBLE_SIMT_PC names the learner's line.
#define NIBBLE_SIMT_UNSEEN NIBBLE_SIMT_QUIET __attribute__((noinline))

namespace nibble::simt {
/// One number in braces becomes a vector, as of an aggregate; one without them does not.
template <class T>
struct InBraces {
  __attribute__((always_inline)) constexpr InBraces(T number) : value(number) {}
  T value;
};
}  // namespace nibble::simt

// Those of two and four have constructors, so that `memory[i] = float4{a, b, c, d}` is one store,
// of the whole: of an aggregate, g++ would store four members.
// CUDA has `typedef struct int4 int4`: declared likewise, a kernel called int4 compiles nowhere, as
// it must. The makers are always inlined: at -O0 g++ does not instrument the store of
// `memory = function_returning_a_struct()`.
// clang-format off
#define NIBBLE_SIMT_MADE __attribute__((always_inline)) constexpr
#define NIBBLE_SIMT_MAKER(NAME) __attribute__((always_inline)) inline NAME make_##NAME
#define NIBBLE_SIMT_VECTORS(T, NAME)                                                      \
  struct NAME##1 { T x; };                                                                \
  struct alignas(sizeof(T) * 2) NAME##2 {                                                 \
    T x, y;                                                                               \
    NAME##2() = default;                                                                  \
    NIBBLE_SIMT_MADE NAME##2(nibble::simt::InBraces<T> x_) : x(x_.value), y() {}          \
    NIBBLE_SIMT_MADE NAME##2(T x_, T y_) : x(x_), y(y_) {}                                \
  };                                                                                      \
  struct NAME##3 { T x, y, z; };                                                          \
  struct alignas(sizeof(T) * 4 > 16 ? 16 : sizeof(T) * 4) NAME##4 {                       \
    T x, y, z, w;                                                                         \
    NAME##4() = default;                                                                  \
    NIBBLE_SIMT_MADE NAME##4(nibble::simt::InBraces<T> x_)                                \
        : x(x_.value), y(), z(), w() {}                                                   \
    NIBBLE_SIMT_MADE NAME##4(T x_, T y_, T z_ = 0, T w_ = 0)                              \
        : x(x_), y(y_), z(z_), w(w_) {}                                                   \
  };                                                                                      \
  typedef struct NAME##1 NAME##1; typedef struct NAME##2 NAME##2;                         \
  typedef struct NAME##3 NAME##3; typedef struct NAME##4 NAME##4;                         \
  NIBBLE_SIMT_MAKER(NAME##1)(T x) { return {x}; }                                         \
  NIBBLE_SIMT_MAKER(NAME##2)(T x, T y) { return {x, y}; }                                 \
  NIBBLE_SIMT_MAKER(NAME##3)(T x, T y, T z) { return {x, y, z}; }                         \
  NIBBLE_SIMT_MAKER(NAME##4)(T x, T y, T z, T w) { return {x, y, z, w}; }
NIBBLE_SIMT_VECTORS(signed char, char)
NIBBLE_SIMT_VECTORS(unsigned char, uchar)
NIBBLE_SIMT_VECTORS(short, short)
NIBBLE_SIMT_VECTORS(unsigned short, ushort)
NIBBLE_SIMT_VECTORS(int, int)
NIBBLE_SIMT_VECTORS(unsigned, uint)
NIBBLE_SIMT_VECTORS(long, long)
NIBBLE_SIMT_VECTORS(unsigned long, ulong)
NIBBLE_SIMT_VECTORS(long long, longlong)
NIBBLE_SIMT_VECTORS(unsigned long long, ulonglong)
NIBBLE_SIMT_VECTORS(float, float)
NIBBLE_SIMT_VECTORS(double, double)
#undef NIBBLE_SIMT_VECTORS
#undef NIBBLE_SIMT_MAKER
#undef NIBBLE_SIMT_MADE
// clang-format on

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// Constants here, variables in the engine: g++ does not instrument loads of a constant without a
// constructor (so blockDim is no dim3, but becomes one). clang++ instruments loads of any constant
// struct, but leaves alone what claims to be a profile's counter.
#if defined(__clang__)
#define NIBBLE_SIMT_BUILT_IN const __attribute__((section("__llvm_prf_cnts")))
#else
#define NIBBLE_SIMT_BUILT_IN const
#endif
#ifdef NIBBLE_SIMT_ENGINE
#undef NIBBLE_SIMT_BUILT_IN
#define NIBBLE_SIMT_BUILT_IN
#endif
extern NIBBLE_SIMT_BUILT_IN uint3 threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;
