// Lab 10. The contract is in half.hpp; the story is in README.md.
// Check yourself:  ./nibble run 10        (or leave ./nibble watch open)
#include "half.hpp"

namespace nibble {

std::uint16_t encode_half(float x) {
  // 1. Take the bits of x apart: sign, exponent, fraction.
  // 2. NaN, infinity, what is too large.  3. Normal numbers.  4. Subnormal ones.
  NIBBLE_TODO("find the half nearest to x");
}

float decode_half(std::uint16_t code) {
  // The same parts, the other way. Which floats are the subnormal halves?
  NIBBLE_TODO("say what a half stands for");
}

std::uint16_t encode_bfloat16(float x) {
  // Half of it is a shift. Which half, and what does the rest decide?
  NIBBLE_TODO("find the bfloat16 nearest to x");
}

float decode_bfloat16(std::uint16_t code) {
  // The upper half of the bits is there. And the lower?
  NIBBLE_TODO("say what a bfloat16 stands for");
}

HalfDot dot_half(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  // 1. Refuse.  2. Where is something rounded to half, and how often?
  NIBBLE_TODO("add up products of halves, in half and in float");
}

Training scaled_step(const Training& before, std::span<const float> gradients, float learning_rate,
                     std::int32_t growth_interval) {
  // 1. Refuse.  2. Scale, and go through half.  3. Look at all of it first: then
  //    step, or skip.  4. What is the next scale, and how many steps has it held?
  NIBBLE_TODO("take a step, or skip it");
}

}  // namespace nibble
