// Lab 05: one scale per channel, one scale per group, and what the scales cost. This header is the
// contract: read it, implement it, leave it be (the grader compiles your per_channel.cpp against
// its own copy).
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// --- One scale per channel ----------------------------------------------------------------------

/// Where the codes of a slice lie.
enum class Symmetry : std::int32_t {
  kSymmetric,   ///< real 0 is the code 0, and the largest |x| the last code
  kAsymmetric,  ///< the least x is the first code, the largest the last; real 0 is a code between
};

/// A tensor stored as integers, with a scale and a zero point per index along one axis.
struct PerChannelTensor {
  std::vector<std::int8_t> q;             ///< one code per element, row-major, in the order of x
  std::vector<float> scales;              ///< [shape[axis]] real units per step; normal and > 0
  std::vector<std::int32_t> zero_points;  ///< [shape[axis]] the codes of real 0, in [-128, 127]
  std::vector<std::int32_t> shape;        ///< 1 to 4 sizes, outermost first, each >= 0
  std::int32_t axis;                      ///< the dimension that keeps a scale, 0 .. rank - 1
};

/// Quantizes every slice along `axis` on its own, to `num_bits`-bit signed integers.
///
///     kSymmetric     amax[c]        = max |x[.., c, ..]|          c stands at position `axis`
///                    scales[c]      = amax[c] / qmax              qmax = 2^(num_bits-1) - 1
///                    zero_points[c] = 0                           qmin = -qmax - 1
///
///     kAsymmetric    lo, hi         = min(0, min x[.., c, ..]), max(0, max x[.., c, ..])
///                    scales[c]      = (hi - lo) / (qmax - qmin)
///                    zero_points[c] = clamp(qmin - round(lo / scales[c]))
///
///     q[.., c, ..] = clamp(round(x[.., c, ..] / scales[c]) + zero_points[c])     to [qmin, qmax]
///
///     shape [2,3]     axis 0: 2 scales                axis 1: 3 scales, s0 s1 s2
///                     | a b c |  s0                   | a b c |
///                     | d e f |  s1                   | d e f |
///     in memory        a b c d e f                     a b c d e f
///     takes scale     s0 s0 s0 s1 s1 s1               s0 s1 s2 s0 s1 s2
///
/// `axis` is the dimension that keeps one scale per index: the others share it. It works for 1, 2,
/// 3 and 4 dimensions. A negative axis counts from the back: -1 is the last. The result's axis is
/// counted from the front.
///
/// Per slice, the arithmetic is that of lab 03: float32, one division per element, ties to the even
/// neighbour, and then the zero point. A slice of zeros, or without elements, has scale 1 and the
/// zero point that follows. A scale below FLT_MIN is raised to FLT_MIN.
///
/// Requires: 1 to 4 sizes, each >= 0, whose product is x.size(); -rank <= axis < rank;
/// 2 <= num_bits <= 8; every x[i] finite; with kAsymmetric, hi - lo of every slice finite.
/// Otherwise throws std::invalid_argument.
PerChannelTensor quantize_per_channel(std::span<const float> x, std::span<const std::int32_t> shape,
                                      int axis = 0, int num_bits = 8,
                                      Symmetry symmetry = Symmetry::kSymmetric);

/// Returns real[.., c, ..] = scales[c] * (q[.., c, ..] - zero_points[c]), in the order of q.
///
/// The difference reaches from -255 to 255, which no int8 holds.
///
/// Requires: 1 to 4 sizes, each >= 0, whose product is q.size(); 0 <= axis < rank; shape[axis]
/// scales, each normal and > 0; as many zero points, each in [-128, 127]. Otherwise throws
/// std::invalid_argument.
std::vector<float> dequantize_per_channel(const PerChannelTensor& tensor);

// --- One scale per group ------------------------------------------------------------------------

/// A matrix stored as integers, with one scale per `group_size` consecutive elements of a row.
struct GroupTensor {
  std::vector<std::int8_t> q;  ///< [rows, row_length] row-major
  std::vector<float> scales;   ///< [rows, ceil(row_length / group_size)] row-major;
                               ///< each normal and > 0
  std::int32_t row_length;     ///< elements of a row, >= 1
  std::int32_t group_size;     ///< elements that share a scale, >= 1
};

/// Quantizes groups of consecutive elements, each on its own, as a symmetric slice of
/// quantize_per_channel.
///
///     x is [rows, row_length] row-major: any tensor, seen as the rows of its last axis.
///
///     row_length = 5, group_size = 2      x        a b | c d | e
///                                                  f g | h i | j
///                                         scales   s0    s1    s2
///                                                  s3    s4    s5
///
/// The last group of a row may be short: it takes what is left. A group never continues in the next
/// row. A group_size larger than row_length makes one group per row. An empty x has no groups.
///
/// Requires: row_length >= 1, and x.size() a multiple of it; group_size >= 1; 2 <= num_bits <= 8;
/// every x[i] finite. Otherwise throws std::invalid_argument.
GroupTensor quantize_per_group(std::span<const float> x, std::int32_t row_length,
                               std::int32_t group_size, int num_bits = 4);

/// Returns real[i] = (scale of the group that holds i) * q[i], in the order of q.
///
/// Requires: row_length >= 1, and q.size() a multiple of it; group_size >= 1; one scale per group,
/// each normal and > 0. Otherwise throws std::invalid_argument.
std::vector<float> dequantize_per_group(const GroupTensor& tensor);

// --- What it costs ------------------------------------------------------------------------------

/// The memory that a quantized tensor takes.
struct MemorySavings {
  std::int64_t total_bits;  ///< codes, scales and zero points
  double bits_per_element;  ///< total_bits / count
  double share_of_fp32;     ///< total_bits / (32 * count): 0.25 is a quarter, above 1 is a loss
};

/// Counts the bits of `count` codes, and of the scales and zero points that belong to them.
///
///     scales     = ceil(count / elements_per_scale)             one zero point beside each scale
///     total_bits = count * num_bits + scales * (scale_bits + zero_point_bits)
///
///     4-bit codes, a 16-bit scale per 128:    4 + 16/128 = 4.125 bits, 12.9 % of fp32, not 12.5 %
///     8-bit codes, a float32 scale for each:  8 + 32/1   = 40 bits, more than fp32 takes
///
/// Codes are packed: nothing is rounded up to whole bytes. elements_per_scale has no default, since
/// no honest count can leave it out; larger than `count`, it makes one scale. Groups that end with
/// their row: ask about one row, bits_per_element and share_of_fp32 are those of all rows.
/// zero_point_bits = 0 stands for a symmetric scheme, which stores none.
///
/// Requires: 1 <= count <= 2^48; 1 <= elements_per_scale <= 2^48; 1 <= num_bits <= 32;
/// 0 <= scale_bits <= 64; 0 <= zero_point_bits <= 64. Otherwise throws std::invalid_argument.
MemorySavings memory_savings(std::int64_t count, int num_bits, std::int64_t elements_per_scale,
                             int scale_bits = 32, int zero_point_bits = 0);

// --- Which one to take --------------------------------------------------------------------------

/// The five ways compared, from the coarsest to the finest.
enum class Method : std::int32_t {
  kPerTensorSymmetric,
  kPerTensorAsymmetric,
  kPerChannelSymmetric,
  kPerChannelAsymmetric,
  kPerGroup
};

/// What one way loses, in the metrics of lab 02, and what it costs.
struct MethodResult {
  double mse;               ///< mean of (x - x_hat)^2 over all elements, squared real units
  double mae;               ///< mean of |x - x_hat|, real units
  double max_error;         ///< largest |x - x_hat|, real units
  double relative_error;    ///< mse / variance of x; 0 where mse is 0, else +infinity without one
  double snr_db;            ///< 10 log10(variance of x / mse), decibels; +infinity where mse is 0
  double sqnr_db;           ///< 10 log10(mean of x^2 / mse), decibels; +infinity where mse is 0
  double cosine;            ///< of x and x_hat; 1 where both are all zero, 0 where one of them is
  double bits_per_element;  ///< codes, float32 scales, and zero points, which are codes themselves
};

struct MethodComparison {
  MethodResult per_tensor_symmetric;    ///< one scale
  MethodResult per_tensor_asymmetric;   ///< one scale and one zero point
  MethodResult per_channel_symmetric;   ///< one scale per index of axis 0
  MethodResult per_channel_asymmetric;  ///< one scale and one zero point per index of axis 0
  MethodResult per_group;               ///< symmetric, one scale per group along the last axis
  Method best;                          ///< the highest sqnr_db; of equals, the first in this list
};

/// Quantizes x in five ways, undoes it, and compares what comes back.
///
/// The ways are the functions above; per tensor is one slice that holds everything. The metrics are
/// lab 02's, in double, with its rules: take along what you wrote there. `shape` has the meaning it
/// has in quantize_per_channel, and its last size is the row_length of quantize_per_group. Bits are
/// those of memory_savings: every scale takes 32, every zero point of an asymmetric way num_bits.
/// Where a number that comes back passes FLT_MAX, what is compared is left open.
///
/// Requires: what quantize_per_channel requires of x, shape and num_bits, in both symmetries, also
/// where all of x is one slice; 1 to 2^31 - 1 elements; group_size >= 1. Otherwise throws
/// std::invalid_argument.
MethodComparison compare_quantization_methods(std::span<const float> x,
                                              std::span<const std::int32_t> shape, int num_bits,
                                              std::int32_t group_size);

NIBBLE_EXERCISES(quantize_per_channel, dequantize_per_channel, quantize_per_group,
                 dequantize_per_group, memory_savings, compare_quantization_methods);

}  // namespace nibble
