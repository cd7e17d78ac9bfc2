// Lab 18: the host's side of CUDA: memory, copies, launches, errors, streams. This header is
// the contract: read it, implement its functions in cuda_host.cu, leave it be (the grader compiles
// your file against its own copy). The kernels are written already; they stand in your file.
//
//     host memory                       device memory
//     x [ . . . . ]  -- cudaMemcpy -->  x [ . . . . ]        host code cannot read or write what lies on
//                                            | kernel        the right, kernels not what lies on the left
//     q [ . . . . ]  <-- cudaMemcpy --  q [ . . . . ]
//
// Every function returns the error of the CUDA call that failed: a cudaError_t as an int, and 0,
// which is cudaSuccess, when none has. A launch fails like any other call,
// but tells it to cudaGetLastError() alone.
//
//   - Each call is looked at before the next one takes memory or orders work: after an error,
//     nothing more is begun, and what had been taken is given back.
//   - Nothing is left behind on the way out, whichever way it is: memory, pinned memory,
//     streams, events.
//   - The work is done on the device, and is over when the function returns.
//   - What cudaFree and the like say may be passed over; so may an error that stays with
//     cudaGetLastError: the next call of a function begins without one.
//
// Where a function returns an error, its outputs may hold anything. Sizes are 64-bit.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

// --- One stream: the default ---------------------------------------------------------------------

/// Copies x to the device, there to a second buffer, and from that one back.
///
///     y[i] = x[i]
///
///     x  --host to device-->  [ first ]  --device to device-->  [ second ]  --device to host-->  y
///
/// An empty x: 0, and nothing is done.
///
/// Requires: y has as many elements as x.
int copy_through_device(std::span<const float> x, std::span<float> y);

/// Quantizes on the device with one scale, by quantize_kernel, in blocks of block_size threads.
///
///     q[i] = clamp(round(x[i] / scale))                 to [-128, 127]; ties to even
///
/// As many blocks as n elements need, and no more: the last one may be partly idle.
///
///     n = 10, block_size = 4      |0 1 2 3|4 5 6 7|8 9 . .|
///
/// An empty x: 0, and nothing is launched: a grid of 0 blocks is an error. A block_size that
/// the device refuses (more than 1024): the launch's error.
///
/// Requires: q has as many elements as x; scale normal and > 0; block_size >= 1.
int quantize_on_device(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       int block_size);

/// Counts on the device, by count_kernel, how often each code occurs. The kernel adds to what is in
/// counts, and memory from cudaMalloc holds anything.
///
///     counts[c + 128] = how many of q are c             c = -128 ... 127
///
/// An empty q: 256 zeros, which may come from the host.
///
/// Requires: counts has 256 elements; fewer than 2^31 codes.
int count_codes(std::span<const std::int8_t> q, std::span<std::int32_t> counts);

// --- Two streams ---------------------------------------------------------------------------------

/// Quantizes as quantize_on_device does, but in chunks of `chunk` elements, the last one shorter,
/// that take turns in two streams: while one chunk is computed, the next one is on its way.
///
///     stream 0    | in 0 | kernel | out 0 |      | in 2 | kernel | out 2 |
///     stream 1           | in 1 | kernel | out 1 |      | in 3 | ...
///
/// A copy goes on beside other work only from and to pinned memory (cudaMallocHost), which x and q
/// are not: each stream has pinned memory for one chunk of x and one of q, and device memory
/// likewise. All of that is used again two chunks later, when the stream has been waited for.
///
/// With more than one chunk, both streams have work waiting at the same time. An empty x: 0.
///
/// Requires: q has as many elements as x; scale normal and > 0; chunk >= 1; it may be more
/// than x has.
int quantize_in_chunks(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       std::int64_t chunk);

/// Finds the scale on the device, and quantizes with it. The first n/2 elements belong to one
/// stream, the others to a second one. Events say who waits for whom, and both streams have work
/// waiting at the same time.
///
///     amax  = max |x[i]|                                both halves have a part in it
///     scale = amax == 0 ? 1 : max(amax / 127, FLT_MIN)
///     q[i]  = clamp(round(x[i] / scale))
///
///     stream 0    | in | absmax_kernel | --+    +-- | quantize_by_absmax_kernel | out |
///                                           \  /
///                                            \/         two events: neither begins to quantize
///                                            /\         before the other has found its maximum
///     stream 1    | in | absmax_kernel | ---+  +--- | quantize_by_absmax_kernel | out |
///
/// absmax_kernel raises one word of device memory, the same for both streams; it has to be 0 at
/// first. x and q may be copied as they are: no pinned memory is needed here.
///
/// Requires: at least 2 elements; q has as many as x; scale has 1 element;
/// no NaN and no infinity in x.
int quantize_with_own_scale(std::span<const float> x, std::span<std::int8_t> q,
                            std::span<float> scale);

/// Multiplies int8 matrices on the device, by multiply_kernel, each half of the rows in a stream of
/// its own. Both halves need all of b: it goes to the device once, in one of the streams, and an
/// event tells the other stream that it is there.
///
///     c[i,j] = sum over p of a[i,p] * b[p,j]            a [m,k], b [k,n], c [m,n], row-major
///
///                         n
///                    +---------+
///                  k |    b    |                 rows of a row-major matrix lie one behind the
///             k      +---------+                 other: a half is one piece of memory, and so
///         +--------+ +---------+                 one copy
///     m/2 |   a    | |    c    |  stream 0
///         |- - - - | |- - - - -|
///         |        | |         |  stream 1       m = 5: 2 rows and 3
///         +--------+ +---------+
///
///     stream 0    | b in | a in |          | multiply_kernel | c out |
///                        |
///                        +--- an event ----+            no kernel begins before b is there
///                                          |
///     stream 1    | a in |                 | multiply_kernel | c out |
///
/// A thread makes one element of c: column j along x of the grid, row i along y. Blocks may have
/// any shape, and need divide neither the rows nor the columns.
///
/// With 2 rows or more, both streams have work waiting at the same time. m = 1: the first half is
/// empty, and nothing is launched for it. m = 0 or n = 0: 0, and nothing is launched. k = 0: every
/// sum is empty, and c is zeros, which may come from the host.
///
/// Memory is taken for each matrix once, or for each half of a and of c. No pinned memory is needed
/// here: a, b and c may be copied as they are.
///
/// Requires: a has m * k elements, b k * n, and c m * n; 0 <= m <= 65535, as many blocks as a grid
/// may have along y; n >= 0; 0 <= k <= 131071, the longest sum that fits.
int multiply_on_device(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                       std::span<std::int32_t> c, MatmulShape shape);

NIBBLE_EXERCISES(copy_through_device, quantize_on_device, count_codes, quantize_in_chunks,
                 quantize_with_own_scale, multiply_on_device);

}  // namespace nibble
