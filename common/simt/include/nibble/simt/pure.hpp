// How arithmetic that stands in for one GPU instruction is marked.
#pragma once

/// A function of its arguments alone. A kernel's loads, stores and basic blocks are checked and
/// counted; what happens inside a single instruction of the GPU is neither. It throws nothing: the
/// caller would get basic blocks for the unwinding.
#if defined(__clang__)
#define NIBBLE_SIMT_PURE __attribute__((nothrow, no_sanitize("thread", "coverage", "undefined")))
#else
#define NIBBLE_SIMT_PURE \
  __attribute__((nothrow, no_sanitize("thread", "undefined"), no_sanitize_coverage))
#endif

/// A function that takes or returns a struct. It is always inlined: at -O0 g++ does not instrument
/// the load in f(memory) nor the store in memory = f() of a struct, and after inlining both happen
/// at the learner's own line.
#define NIBBLE_SIMT_INLINE __attribute__((nothrow, always_inline)) inline
