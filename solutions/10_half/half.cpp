// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 10. Written to be read: bits as bits, and a word on each trap.
// NIBBLE-STUB: // Lab 10. The contract is in half.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 10        (or leave ./nibble watch open)
// NIBBLE-END
#include "half.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

/// bits / 2^count, to the nearest integer; ties to even. What is added carries into the kept part
/// when more than half is cut off, or just half and the kept part is odd.
std::uint32_t shift_to_even(std::uint32_t bits, int count) {
  const std::uint32_t odd = bits >> count & 1u;
  return (bits + (1u << (count - 1)) - 1u + odd) >> count;
}

bool is_finite_half(std::uint16_t code) { return (code & 0x7C00u) != 0x7C00u; }

}  // namespace
// NIBBLE-END

std::uint16_t encode_half(float x) {
  // NIBBLE-BEGIN-SOLUTION
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFF'FFFFu;  // ordered as |x| is, since x is a float
  const int exponent = static_cast<int>(magnitude >> 23);
  std::uint32_t code = 0;
  if (magnitude > 0x7F80'0000u) {  // NaN: the quiet bit keeps its fraction from becoming 0
    code = 0x7E00u | (magnitude >> 13 & 0x03FFu);
  } else if (magnitude >= 0x4780'0000u) {  // 65536: the exponent would run over
    code = 0x7C00u;
  } else if (exponent > 127 - 15) {
    // The exponents differ by their biases. A carry out of the fraction goes where it belongs: into
    // the exponent, and at 65520 into that of infinity.
    code = shift_to_even(magnitude - (static_cast<std::uint32_t>(127 - 15) << 23), 13);
  } else {
    // Subnormal: a count of 2^-24, of which x holds significand * 2^(exponent - 126). Behind a
    // shift by 25 nothing is left, and 32 is more than a shift can do.
    const std::uint32_t significand = (magnitude & 0x007F'FFFFu) | 0x0080'0000u;
    code = shift_to_even(significand, std::min(126 - exponent, 25));
  }
  return static_cast<std::uint16_t>(sign | code);
  // NIBBLE-STUB: // 1. Take the bits of x apart: sign, exponent, fraction.
  // NIBBLE-STUB: // 2. NaN, infinity, what is too large.  3. Normal numbers.  4. Subnormal ones.
  // NIBBLE-STUB: NIBBLE_TODO("find the half nearest to x");
  // NIBBLE-END
}

float decode_half(std::uint16_t code) {
  // NIBBLE-BEGIN-SOLUTION
  const std::uint32_t sign = (code & 0x8000u) << 16;
  const std::uint32_t exponent = code >> 10 & 0x1Fu;
  const std::uint32_t fraction = code & 0x03FFu;
  std::uint32_t magnitude = 0;
  if (exponent == 0x1Fu) {
    magnitude = 0x7F80'0000u | fraction << 13 | (fraction != 0 ? 0x0040'0000u : 0u);
  } else if (exponent == 0) {
    // Subnormal as a half, and 0 or normal as a float: let the multiplication find its exponent.
    magnitude = std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f);
  } else {
    magnitude = (exponent + 127 - 15) << 23 | fraction << 13;
  }
  return std::bit_cast<float>(sign | magnitude);
  // NIBBLE-STUB: // The same parts, the other way. Which floats are the subnormal halves?
  // NIBBLE-STUB: NIBBLE_TODO("say what a half stands for");
  // NIBBLE-END
}

std::uint16_t encode_bfloat16(float x) {
  // NIBBLE-BEGIN-SOLUTION
  const auto bits = std::bit_cast<std::uint32_t>(x);
  // Rounding up could carry a NaN through its exponent into the sign: it would become -0.
  if (std::isnan(x)) return static_cast<std::uint16_t>(bits >> 16 | 0x0040u);
  return static_cast<std::uint16_t>(shift_to_even(bits, 16));
  // NIBBLE-STUB: // Half of it is a shift. Which half, and what does the rest decide?
  // NIBBLE-STUB: NIBBLE_TODO("find the bfloat16 nearest to x");
  // NIBBLE-END
}

float decode_bfloat16(std::uint16_t code) {
  // NIBBLE-BEGIN-SOLUTION
  return std::bit_cast<float>(static_cast<std::uint32_t>(code) << 16);
  // NIBBLE-STUB: // The upper half of the bits is there. And the lower?
  // NIBBLE-STUB: NIBBLE_TODO("say what a bfloat16 stands for");
  // NIBBLE-END
}

HalfDot dot_half(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(a.size() == b.size(), a.size());
  HalfDot sum{0, 0.0f};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float product = decode_half(a[i]) * decode_half(b[i]);  // exact
    const float rounded = decode_half(encode_half(product));
    sum.in_half = encode_half(decode_half(sum.in_half) + rounded);
    sum.in_float += product;
  }
  return sum;
  // NIBBLE-STUB: // 1. Refuse.  2. Where is something rounded to half, and how often?
  // NIBBLE-STUB: NIBBLE_TODO("add up products of halves, in half and in float");
  // NIBBLE-END
}

Training scaled_step(const Training& before, std::span<const float> gradients, float learning_rate,
                     std::int32_t growth_interval) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(gradients.size() == before.weights.size(), gradients.size());
  NIBBLE_EXPECTS(kLeastScale <= before.scale && before.scale <= kMostScale, before.scale);
  NIBBLE_EXPECTS(std::exp2(std::ilogb(before.scale)) == before.scale, before.scale);
  NIBBLE_EXPECTS(0.0f < learning_rate && learning_rate <= FLT_MAX, learning_rate);
  NIBBLE_EXPECTS(growth_interval >= 1, growth_interval);
  NIBBLE_EXPECTS(0 <= before.good_steps && before.good_steps < growth_interval, before.good_steps);

  std::vector<std::uint16_t> scaled;
  for (const float gradient : gradients) scaled.push_back(encode_half(before.scale * gradient));

  Training after = before;
  if (!std::all_of(scaled.begin(), scaled.end(), is_finite_half)) {
    after.scale = std::max(before.scale / 2.0f, kLeastScale);
    after.good_steps = 0;
    return after;  // one infinity, and no weight has moved
  }
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    after.weights[i] -= learning_rate * (decode_half(scaled[i]) / before.scale);
  }
  if (++after.good_steps == growth_interval) {
    after.scale = std::min(before.scale * 2.0f, kMostScale);
    after.good_steps = 0;
  }
  return after;
  // NIBBLE-STUB: // 1. Refuse.  2. Scale, and go through half.  3. Look at all of it first: then
  // NIBBLE-STUB: //    step, or skip.  4. What is the next scale, and how many steps has it held?
  // NIBBLE-STUB: NIBBLE_TODO("take a step, or skip it");
  // NIBBLE-END
}

}  // namespace nibble
