// How engine code in headers is marked, and arithmetic that stands in for one GPU instruction.
#pragma once

/// For engine code that has to live in a header: not instrumented, so neither checked nor counted.
/// g++ 11 cannot leave basic blocks out: it counts those of this code, too.
#if defined(__clang__)
#define NIBBLE_SIMT_QUIET __attribute__((no_sanitize("thread", "coverage", "undefined")))
#elif __has_attribute(no_sanitize_coverage)
#define NIBBLE_SIMT_QUIET __attribute__((no_sanitize("thread", "undefined"), no_sanitize_coverage))
#else
#define NIBBLE_SIMT_QUIET __attribute__((no_sanitize("thread", "undefined")))
#endif

/// A function of its arguments alone. A kernel's loads, stores and basic blocks are checked and
/// counted; what happens inside a single instruction of the GPU is neither. It throws nothing: the
/// caller would get basic blocks for the unwinding.
#define NIBBLE_SIMT_PURE __attribute__((nothrow)) NIBBLE_SIMT_QUIET

/// A function that takes or returns a struct. It is always inlined: at -O0 g++ does not instrument
/// the load in f(memory) nor the store in memory = f() of a struct, and after inlining both happen
/// at the learner's own line.
#define NIBBLE_SIMT_INLINE __attribute__((nothrow, always_inline)) inline
