// Lab 20: the largest magnitude, found by thousands of threads at once, and what it is for: a scale
// for every row. This header is the contract: read it, implement its kernels in cuda_absmax.cu,
// leave it be (the grader compiles your file against its own copy).
//
// A range that nobody can know is not invented: where one of the numbers is a NaN, so is
// the largest magnitude, whichever NaN. (Maxima have no order: whoever joins them in whatever
// sequence gets the same bits.)
//
// Numbers of elements and of rows are 64 bits wide, and so are indices. The published solution is
// the measure of what is moved and asked for, and a tenth more earns all points.
#pragma once

#include "nibble/cuda_lab.hpp"

namespace nibble {

// --- One number for each chunk -------------------------------------------------------------------

/// Elements of x that one block joins into one number.
inline constexpr std::int64_t kChunk = 1024;

/// The largest magnitude of each chunk, through a tree in shared memory.
///
///     partial[b] = max |x[i]|   over kChunk * b <= i < min(n, kChunk * (b + 1))
///
///     block             0            1            2                  the last chunk may be short
///                 +------------+------------+-------+
///     x           |    1024    |    1024    |  rest |
///                 +------------+------------+-------+
///                       |            |          |
///     partial           .            .          .                    ceil(n / 1024) numbers
///
/// Launched over Work{.n = number of partials}: tile_n = 1, so blockIdx.x is the chunk; 256
/// threads, unless you change them. A tree of 256 numbers has 8 steps; neighbouring threads work on
/// neighbouring words in each of them, and warps that have nothing left to join ask for nothing.
///
/// Any n, 0 too (then nothing is launched). All magnitudes count, those of infinities and
/// of numbers too small to be normal as well; a NaN in a chunk makes its partial a NaN. Writes
/// every partial and nothing else.
NIBBLE_KERNEL void absmax_block_kernel(const float* x, float* partial, std::int64_t n);

inline void absmax_block(std::span<const float> x, std::span<float> partial) {
  NIBBLE_RUN(absmax_block_kernel, (Work{.n = std::ssize(partial)}), x, partial, std::ssize(x));
}

/// The same numbers by another way: the lanes of a warp hand each other their values without
/// memory, and shared memory carries one number from each warp.
///
///     warp 0        warp 1              warp 7
///     | | | ... |   | | | ... |         | | | ... |     32 values each
///      \ \ / /       \ \ / /             \ \ / /        five exchanges: no memory, no barrier
///         .             .       ...         .           8 numbers in shared memory
///          \____________|__________________/            one barrier
///                       .                               partial
///
/// Launched and judged as absmax_block_kernel; at most one barrier a block.
NIBBLE_KERNEL void absmax_warp_kernel(const float* x, float* partial, std::int64_t n);

inline void absmax_warp(std::span<const float> x, std::span<float> partial) {
  NIBBLE_RUN(absmax_warp_kernel, (Work{.n = std::ssize(partial)}), x, partial, std::ssize(x));
}

// --- One number for the whole tensor -------------------------------------------------------------

/// The largest magnitude of a tensor, in one launch.
///
///     amax[0] = max |x[i]|   over 0 <= i < n             0 when n is 0; a NaN when one of x is
///
/// amax[0] is 0.0f when the kernel begins. Blocks run in any order and have no barrier among
/// themselves: what they write to one place has to be atomic. There is no atomic maximum of floats.
/// There is one of integers; look at the bits of a magnitude:
///
///     |x|      0.0f        1e-40f      1.0f        2.0f        inf         NaN
///     bits     00000000    000116c2    3f800000    40000000    7f800000    7fc00000
///
/// Launched over Work{.n = n}: tile_n = 4096 elements of x a block, 256 threads or others. At most
/// one atomic operation for every 4096 elements; loads of 16 bytes a thread wherever four elements
/// are left. x starts at a multiple of 256 bytes.
NIBBLE_KERNEL void absmax_kernel(const float* x, float* amax, std::int64_t n);

inline void absmax(std::span<const float> x, std::span<float> amax) {
  amax[0] = 0.0f;  // what cudaMemset does on a stream
  NIBBLE_RUN(absmax_kernel, (Work{.n = std::ssize(x)}), x, begun(amax), std::ssize(x));
}

// --- One scale for each row ----------------------------------------------------------------------

/// The longest row that quantize_rows takes: 16 KiB of float32, which a block can keep.
inline constexpr int kMostColumns = 4096;

/// Quantizes each row of x [rows, cols], row-major, with a scale made from that row: dynamic
/// quantization, in one kernel that reads x once.
///
///     amax     = max |x[r,c]| over c
///     scale[r] = amax == 0 ? 1 : max(amax / 127, FLT_MIN)
///     q[r,c]   = round(x[r,c] / scale[r])                  always in [-127, 127]
///
///     device memory    x [r,:] ---- read once ----> kept by the block (registers or shared memory)
///                                                     |        ^
///                                                     amax --> scale
///                                                              |
///     device memory    q [r,:], scale[r] <---------------------+
///
/// Arithmetic is float32, one division for the scale and one for each code, both correctly rounded
/// (what / does; a product with 1 / scale is something else now and then). round() sends ties to
/// the even neighbour. A row that holds a NaN or an infinity has no range: its scale is a NaN, and
/// its codes are 0.
///
/// Launched over Work{.n = rows}: tile_n rows a block; with tile_n = 1, blockIdx.x is the row. Any
/// number of rows (with 0 nothing is launched). x, q and scale start at a multiple of 256 bytes,
/// rows where they happen to. Writes every code and every scale, and nothing else.
///
/// Requires: 1 <= cols <= kMostColumns.
NIBBLE_KERNEL void quantize_rows_kernel(const float* x, std::int8_t* q, float* scale,
                                        std::int64_t rows, int cols);

inline void quantize_rows(std::span<const float> x, std::span<std::int8_t> q,
                          std::span<float> scale, int cols) {
  NIBBLE_RUN(quantize_rows_kernel, (Work{.n = std::ssize(scale)}), x, q, scale, std::ssize(scale),
             cols);
}

/// Quantizes each row with a scale and a zero point of its own, for what is not symmetric: after a
/// ReLU, half of the codes of quantize_rows stay unused.
///
///     lo, hi        = min(0, min x[r,c]), max(0, max x[r,c])   over c
///     scale[r]      = lo == hi ? 1 : max((hi - lo) / 255, FLT_MIN)
///     zero_point[r] = -128 - round(lo / scale[r])              always in [-128, 127]
///     q[r,c]        = clamp(round(x[r,c] / scale[r]) + zero_point[r])       to [-128, 127]
///
///     real    lo .......... 0 ................. hi           0 is one of the codes, exactly
///     code   -128       zero_point             127           both ends may round outwards: the
///                                                            clamp is needed
///
/// Arithmetic, ties, launch and alignment are those of quantize_rows, and x is read once. A row
/// that holds a NaN or an infinity, or whose hi - lo is infinite, has no range: its scale is a NaN,
/// its zero_point and its codes are 0. Writes every code, scale and zero_point, and nothing else.
///
/// Requires: 1 <= cols <= kMostColumns.
NIBBLE_KERNEL void quantize_rows_asymmetric_kernel(const float* x, std::int8_t* q, float* scale,
                                                   std::int32_t* zero_point, std::int64_t rows,
                                                   int cols);

inline void quantize_rows_asymmetric(std::span<const float> x, std::span<std::int8_t> q,
                                     std::span<float> scale, std::span<std::int32_t> zero_point,
                                     int cols) {
  NIBBLE_RUN(quantize_rows_asymmetric_kernel, (Work{.n = std::ssize(scale)}), x, q, scale,
             zero_point, std::ssize(scale), cols);
}

NIBBLE_EXERCISES(absmax_block, absmax_warp, absmax, quantize_rows, quantize_rows_asymmetric);

}  // namespace nibble
