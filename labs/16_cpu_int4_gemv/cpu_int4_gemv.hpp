// Lab 16: int4 weights in the decode phase, where a product waits for memory. This header is the
// contract: read it, implement it, leave it be (the grader compiles your cpu_int4_gemv.cpp against
// its own copy).
//
// Weights are codes [n,k], row-major, n outputs and k inputs. Activations are int8 codes with one
// scale per row. Sums of codes are int32 and exact; float32 operations are done one by one, in the
// order written here, each rounded once (no fused multiply-add; the compiler makes none of its
// own). So there is one right answer to the last bit, whatever the instruction set.
//
// Where a function takes an Isa, it runs that set of instructions: kScalar, kAvx2, kAvxVnni,
// kAvx512Vnni or kNeonDot. One that this CPU lacks, kAmxInt8, or a number that is no Isa at all is
// refused with std::invalid_argument, never replaced by another. Nothing is said about alignment:
// any span may begin anywhere, and may end where no byte can be read any more.
#pragma once

#include "nibble/kernel_lab.hpp"

namespace nibble {

/// Weights [n,k] of 4-bit codes, one scale per group_size consecutive codes of a row.
struct Int4Shape {
  int n;           ///< rows of the weights, outputs of the product
  int k;           ///< codes in a row, a multiple of group_size
  int group_size;  ///< codes that share a scale: a multiple of 32 in [32, 2^20]
};

/// Unpacks 4-bit codes, two in a byte: the low nibble is the even index, two's complement.
///
///     bits of q4[b]     7 6 5 4   3 2 1 0
///                      +---------+---------+        nibble   0 .. 7    8  9 .. 15
///                      | q[2b+1] |  q[2b]  |        code     0 .. 7   -8 -7 .. -1
///                      +---------+---------+
///
/// q holds any number of codes, 0 too. With an odd number the last high nibble means nothing.
///
/// Requires: q4 of (q.size() + 1) / 2 bytes. Otherwise throws std::invalid_argument.
void unpack_int4(std::span<const std::uint8_t> q4, std::span<std::int8_t> q);

/// Multiplies one row of activations by int8 weights: what int4 has to beat.
///
///     acc[j] = sum over p of a[p] * w[j,p]                                 exact, every code legal
///     c[j]   = float(acc[j]) * (a_scale * w_scales[j])                     float32, in this order
///
/// a [k] and w [n,k] int8, w_scales [n] and c [n] float32. n and k are the sizes of c and a; both
/// may be 0. An empty sum is 0.
///
/// Requires: k <= 131071; w of n * k and w_scales of n elements; all scales normal and > 0; an isa
/// of this lab and this CPU. Otherwise throws std::invalid_argument.
void gemv_int8(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::int8_t> w, std::span<const float> w_scales, std::span<float> c);

/// Weight rows that stand side by side in a packed buffer.
inline constexpr int kPanelRows = 16;

/// Bytes of a packed matrix, a multiple of 64. For legal shapes.
constexpr std::size_t packed_int4_size(Int4Shape shape) {
  const std::size_t panels = (static_cast<std::size_t>(shape.n) + kPanelRows - 1) / kPanelRows;
  const std::size_t groups = static_cast<std::size_t>(shape.k / shape.group_size);
  return panels * groups * (64 + 8 * static_cast<std::size_t>(shape.group_size));
}

/// Repacks int4 weights into the order in which a product reads them: one stream, front to back.
///
/// 16 rows make a panel. A panel holds its groups in order, a group one line of 64 bytes with
/// the 16 scales, then one line for every 8 codes of each row:
///
///     group (P, G)  | 16 scales | codes 0..7 | codes 8..15 |  ...  | last 8 |   64 + 8*group_size bytes
///
///     line of codes   byte  0    1    2    3     4    5    6    7           60   61   62   63
///                         +----+----+----+----+----+----+----+----+     +----+----+----+----+
///          high nibble    | p4 | p5 | p6 | p7 | p4 | p5 | p6 | p7 | ... | p4 | p5 | p6 | p7 |
///          low nibble     | p0 | p1 | p2 | p3 | p0 | p1 | p2 | p3 |     | p0 | p1 | p2 | p3 |
///                         +----+----+----+----+----+----+----+----+     +----+----+----+----+
///                           row 16P             row 16P + 1                row 16P + 15
///
///     base = ((j / 16) * (k / group_size) + p / group_size) * (64 + 8 * group_size)
///     scale of row j, group p / group_size:   float32 at byte   base + 4 * (j % 16)
///     code of row j, input p:                 nibble of byte    base + 64 + 64 * (p % group_size / 8)
///                                                                    + 4 * (j % 16) + p % 4
///                                             low where p % 8 < 4, else high
///
/// A nibble holds code + 8, in 0..15: unsigned, as the instructions want one of their operands.
/// Floats lie as they do in memory. Rows that the last panel lacks have the code 0 (nibble 8) and
/// scale 0.
///
/// q4 [n, k/2] bytes as unpack_int4 reads them, row-major; scales [n, k/group_size] float32.
///
/// Requires: n, k >= 0; group_size a multiple of 32 in [32, 2^20]; k a multiple of group_size; q4
/// of n * k / 2 bytes, scales of n * k / group_size, packed of packed_int4_size(shape); all scales
/// normal and > 0. Otherwise throws std::invalid_argument.
void pack_int4(std::span<const std::uint8_t> q4, std::span<const float> scales,
               std::span<std::uint8_t> packed, Int4Shape shape);

/// Multiplies one row of activations by packed int4 weights.
///
///     acc[j,G] = sum over p in group G of a[p] * w[j,p]                    exact
///     y[j]     = 0, then for G = 0, 1, 2, ... in order:
///                y[j] = y[j] + float(acc[j,G]) * scale[j,G]                one product, one sum
///     c[j]     = y[j] * a_scale
///
/// a [k] int8, every code legal; packed as pack_int4 fills it; c [n] float32. Any n,
/// and k = 0 gives 0.
///
/// Requires: the shape pack_int4 requires; a of k codes, packed of packed_int4_size(shape) bytes, c
/// of n; a_scale normal and > 0; an isa of this lab and this CPU.
/// Otherwise throws std::invalid_argument.
void gemv_int4(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape);

/// Multiplies a few rows of activations by packed int4 weights: a batch that decodes together.
///
///     c[i,j] = what gemv_int4 gives for row i of a and a_scales[i]
///
/// a [m,k] int8, a_scales [m], c [m,n], row-major. m is the size of a_scales; 0 is legal, and so is
/// any other, though 2 to 16 is what it is made for: there, the weights are read from memory once.
///
/// Requires: as gemv_int4, with a of m * k codes, c of m * n, every a_scales[i] normal and > 0.
/// Otherwise throws std::invalid_argument.
void gemm_int4(Isa isa, std::span<const std::int8_t> a, std::span<const float> a_scales,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape);

/// What the nibbles 0..15 stand for, in units of a group's scale. NF4 is such a list.
using CodeBook = std::array<float, 16>;

/// Looks 4-bit codes up: formats whose steps are not equal have no scale * (q - zero_point).
///
///     x_hat[i] = code_book[nibble i of q4] * scales[i / group_size]        float32, one product
///
/// Nibbles lie as in unpack_int4 and are unsigned here. The last group may be short; x_hat may have
/// any size, 0 too. The entries of the book need no order, and may be equal.
///
/// Requires: group_size a multiple of 32 in [32, 2^20]; q4 of (x_hat.size() + 1) / 2 bytes, one
/// scale for every group begun; every entry of the book finite; all scales normal and > 0; an isa
/// of this lab and this CPU. Otherwise throws std::invalid_argument.
void dequantize_code_book(Isa isa, std::span<const std::uint8_t> q4, const CodeBook& code_book,
                          std::span<const float> scales, std::span<float> x_hat, int group_size);

NIBBLE_EXERCISES(unpack_int4, gemv_int8, pack_int4, gemv_int4, gemm_int4, dequantize_code_book);

}  // namespace nibble
