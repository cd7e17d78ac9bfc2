// What the contracts of the CUDA labs include first: all of lab.hpp, and how a kernel is declared,
// described and called.
//
// A contract declares each kernel as CUDA people write it, with bare pointers and sizes, and beside
// it the call that the kit makes, with spans:
//
//     NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale,
//                                        std::int64_t n);
//
//     inline void quantize(std::span<const float> x, std::span<std::int8_t> q, float scale) {
//       NIBBLE_RUN(quantize_kernel, (Work{.n = std::ssize(x)}), x, q, scale, std::ssize(x));
//     }
//
// A span becomes device memory of its own: aligned to 256 bytes, fenced, copied in when it is const
// and copied back when it is not. The rest is passed as it is.
//
// For every kernel of every lab:
//     - All threads of a block come to each of its barriers, or as many as a barrier with a count
//       is for. One that has returned is missed.
//     - No thread waits in a loop for what another one writes.
//     - Two threads that use the same word, one of them to write, have a barrier between them: a
//       race is a mistake, whatever came of it.
//     - A request is a load or a store as it is written. `const float4 v = p[i];` is one; p[i].x
//       and p[i].y are two, although a compiler may join them.
//     - Points are for values, and for what a contract counts or rules out, on sizes whose edges
//       matter little. How threads share the work otherwise (one element a thread, one warp a row)
//       is how the published solution does it, and yours to choose.
#pragma once

#include "nibble/lab.hpp"
#include "nibble/launch.hpp"
#include "nibble/matmul_shape.hpp"

#if defined(NIBBLE_SIMT)
#include "nibble/simt.hpp"
#endif
#if defined(__CUDACC__) || defined(NIBBLE_SIMT)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#else
struct __half;         // NOLINT(bugprone-reserved-identifier): CUDA's names
struct __nv_bfloat16;  // NOLINT(bugprone-reserved-identifier)
#endif

// Only the process that runs kernels says what a call does (runner/device.hpp); for all who merely
// read the contract it is a declaration.
#ifndef NIBBLE_RUN
#define NIBBLE_RUN(kernel, work, ...) ::nibble::not_run_here(__VA_ARGS__)
namespace nibble {
template <class... Arguments>
void not_run_here(const Arguments&...) {}
}  // namespace nibble
#endif
