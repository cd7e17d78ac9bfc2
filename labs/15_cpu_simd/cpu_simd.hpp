// Lab 15: int8 kernels with intrinsics, chosen at run time. This header is the contract: read it,
// implement it, leave it be (the grader compiles your cpu_simd.cpp against its own copy).
//
// Wherever a function takes an `isa`, every isa that this CPU has gives the same answer, bit by
// bit. One that it has not, or that this lab has no kernel for, is refused with
// std::invalid_argument and a sentence that names it: never run,
// and never silently replaced by another.
#pragma once

#include "nibble/kernel_lab.hpp"

namespace nibble {

// --- Given: what there is to choose from ---------------------------------------------------------

/// The instruction sets that this lab has kernels for, from the slowest to the fastest.
inline constexpr std::array kKernelIsas = {Isa::kScalar, Isa::kNeonDot, Isa::kAvx2, Isa::kAvxVnni,
                                           Isa::kAvx512Vnni};

/// A set of instruction sets is a number: bit i stands for the isa with the number i.
///
///     bit     5          4          3             2          1      0
///         neon_dot   amx_int8   avx512_vnni   avx_vnni     avx2   scalar
constexpr std::uint32_t bit_of(Isa isa) { return 1u << static_cast<std::uint32_t>(isa); }

/// The set that this CPU has.
inline std::uint32_t isas_here() {
  std::uint32_t isas = 0;
  for (const Isa isa : kEveryIsa) isas |= cpu_has(isa) ? bit_of(isa) : 0;
  return isas;
}

/// The longest sum that fits in int32 whatever the codes: k * 128 * 128 <= 2^31 - 1.
inline constexpr int kLongestK = 131071;

// --- Choosing ------------------------------------------------------------------------------------

/// Returns the kernel to run on a machine that has `isas`: the fastest one that is there and is not
/// beyond `cap`, in the order of kKernelIsas. It depends on its arguments alone, never on this CPU.
///
///     scalar  <  neon_dot  <  avx2  <  avx_vnni  <  avx512_vnni  <  amx_int8
///                                                                    no kernel in this lab
///
/// So best_isa(isas_here(), Isa::kAmxInt8) says which kernel would run here. An amx_int8 in `isas`
/// is legal and passed over; as `cap` it means no limit.
///
/// Requires: only bits of kEveryIsa in `isas`; a known `cap`; and a kernel to return. Otherwise
/// throws std::invalid_argument: a machine that lacks even scalar in its set gets no fallback.
Isa best_isa(std::uint32_t isas, Isa cap);

// --- One sum -------------------------------------------------------------------------------------

/// Returns activations on which vpmaddubsw gets a pair of weights wrong.
///
///     exact = u[0] * s0 + u[1] * s1                u unsigned bytes, s signed bytes
///     pair  = clamp(exact)                         to [-32768, 32767]: what vpmaddubsw returns
///
/// Any u with pair != exact is right.
///
/// Requires: that there is one. Otherwise throws std::invalid_argument: some pairs of weights are
/// safe whatever the activations.
std::array<std::uint8_t, 2> saturating_pair(std::int8_t s0, std::int8_t s1);

/// Returns the sum over i of a[i] * b[i], exact for every int8, -128 among them.
///
/// No pair may pass through int16 sums that saturate, as vpmaddubsw's do. How each isa stays exact:
///
///     avx2          widen 16 codes to int16, vpmaddwd: two products fit in its int32
///     avx_vnni      vpdpbusd multiplies u8 by s8: feed a + 128, which is a ^ 0x80 as a byte, and
///     avx512_vnni   take 128 * sum over i of b[i] off again
///     neon_dot      sdot multiplies s8 by s8
///
/// An empty sum is 0. Neither a nor b is aligned, and not a byte behind their ends is read.
///
/// Requires: a.size() == b.size(), at most kLongestK; an isa that this CPU has. Otherwise throws
/// std::invalid_argument.
std::int32_t dot(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> b);

// --- A matrix product ----------------------------------------------------------------------------
//
//     a [m,k] int8 activations     b_t [n,k] int8 weights, stored transposed     c [m,n]
//
//     acc[i,j] = sum over p of a[i * k + p] * b_t[j * k + p]
//
// All three are row-major and unaligned. Any size may be 0; with k = 0 every sum is 0. What c holds
// on entry means nothing, and every element of it is written.

/// Columns of c that a kernel computes at once: how wide a packed panel is. Given. A kernel for
/// more columns than its registers hold would have to store sums it still needs.
constexpr int panel_width(Isa isa) { return isa == Isa::kAvx512Vnni ? 64 : 16; }

constexpr std::size_t rounded_up(int size, int multiple) {
  return (static_cast<std::size_t>(size) + static_cast<std::size_t>(multiple) - 1) /
         static_cast<std::size_t>(multiple) * static_cast<std::size_t>(multiple);
}

/// Bytes of packed weights: always a multiple of 64. Given.
constexpr std::size_t packed_size(Isa isa, MatmulShape shape) {
  return rounded_up(shape.n, panel_width(isa)) * (4 + rounded_up(shape.k, 4));
}

/// Lays the weights out in the order in which a kernel reads them; done once,
/// when a model is loaded.
///
///     w = panel_width(isa)     N = n, rounded up to a multiple of w
///                              K = k, rounded up to a multiple of 4
///
///     sums[j] = sum over p of b_t[j,p]         int32, at the bytes 4 * j ... 4 * j + 3    j < N
///     packed[4 * N + (j / w) * (w * K) + (p / 4) * (4 * w) + (j % w) * 4 + p % 4] = b_t[j,p]
///
///     packed   | sums, N int32 | panel 0: columns 0 ... w-1 | panel 1: columns w ... 2w-1 | ...
///
///     a panel         column 0     column 1            column w-1
///     quad 0       | 0  1  2  3 | 0  1  2  3 | . . . | 0  1  2  3 |   the number is p: one vector
///     quad 1       | 4  5  6  7 | 4  5  6  7 | . . . | 4  5  6  7 |   of four codes a lane, and
///     ...                                                             the next one behind it
///
/// Where j >= n or p >= k there is a 0. `sums` is in the machine's byte order; it is what the
/// +128 of vpdpbusd is taken off with, and is there for every isa.
///
/// Requires: n, k >= 0, k <= kLongestK (m means nothing here); b_t of n * k codes; packed of
/// packed_size(isa, shape) bytes, 64-byte aligned (of none it lies anywhere); an isa that this CPU
/// has. Otherwise throws std::invalid_argument.
void pack_b(Isa isa, std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
            MatmulShape shape);

/// c[i,j] = acc[i,j], exact. `packed` comes from pack_b for the same isa, n and k.
///
/// Requires: m, n, k >= 0, k <= kLongestK; a of m * k, c of m * n elements; packed of
/// packed_size(isa, shape) bytes, 64-byte aligned; an isa that this CPU has. Otherwise throws
/// std::invalid_argument.
void multiply_packed(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape);

/// The same product, made real before it leaves the registers, one scale and one bias a column.
///
///     v      = float(acc[i,j]) * scale[j] + bias[j]      float32: rounded after *, again after +
///     c[i,j] = v > 0 ? v : 0                             so a -0 becomes 0
///
/// Two roundings, hence no fused multiply-add: every isa gives the same bits.
///
/// Requires: what multiply_packed requires; n scales and n biases, all finite. Otherwise throws
/// std::invalid_argument.
void multiply_packed_fused(Isa isa, std::span<const std::int8_t> a,
                           std::span<const std::int8_t> packed, std::span<const float> scale,
                           std::span<const float> bias, std::span<float> c, MatmulShape shape);

// --- Element by element --------------------------------------------------------------------------
//
// No isa here: plain C++ that the compiler turns into vectors can reach what the memory gives.

/// q[i] = clamp(round(x[i] / scale))       to [-128, 127]
///
/// The quotient is that of a float32 division, not x[i] times a rounded 1 / scale, which differs
/// now and then. round() sends ties to the even neighbour. A NaN becomes 0, +Inf 127, -Inf -128; a
/// quotient too large for a float32 is clamped like an infinity.
///
/// Requires: x.size() == q.size(); scale normal and > 0. Otherwise throws std::invalid_argument.
void quantize(std::span<const float> x, float scale, std::span<std::int8_t> q);

/// x[i] = scale * float(q[i]), one float32 product each; it may be infinite.
///
/// Requires: x.size() == q.size(); scale normal and > 0. Otherwise throws std::invalid_argument.
void dequantize(std::span<const std::int8_t> q, float scale, std::span<float> x);

/// Makes codes of the sums of a layer, one multiplier a column: the input of the next layer.
///
///     n      = multiplier.size()                         acc and q are [m,n], row-major
///     v      = float(acc[i,j]) * multiplier[j]           float32, two roundings
///     q[i,j] = clamp(round(v) + zero_point)              to [-128, 127]
///
/// round() sends ties to the even neighbour and comes before the zero point. v may be infinite.
///
/// Requires: acc.size() == q.size(), a multiple of n, and 0 where n is 0; multipliers normal and
/// > 0; zero_point in [-128, 127]. Otherwise throws std::invalid_argument.
void requantize(std::span<const std::int32_t> acc, std::span<const float> multiplier,
                std::int32_t zero_point, std::span<std::int8_t> q);

/// Applies the logistic function to codes: whatever is done to one byte, a table of 256 does.
///
///     s    = 1 / (1 + exp(-scale * x[i]))                in double
///     y[i] = clamp(round(256 * s) - 128)                 to [-128, 127]: scale 1/256, zero point -128
///
///     y   127 |                     . * * *
///             |                 *
///           0 |             *                            round(256) - 128 would be 128
///             |         *
///        -128 | * * * '
///             +-------------+-------------- x
///            -128           0           127
///
/// x is int8 with zero point 0.
///
/// Requires: x.size() == y.size(); scale normal and > 0. Otherwise throws std::invalid_argument.
void sigmoid(std::span<const std::int8_t> x, float scale, std::span<std::int8_t> y);

NIBBLE_EXERCISES(best_isa, saturating_pair, dot, pack_b, multiply_packed, multiply_packed_fused,
                 quantize, dequantize, requantize, sigmoid);

}  // namespace nibble
