// Lab 11. The contract is in fp8.hpp; the story is in README.md.
// Check yourself:  ./nibble run 11        (or leave ./nibble watch open)
#include "fp8.hpp"

namespace nibble {

std::uint8_t encode_e4m3(float x, Overflow overflow) {
  // 1. The bits of x: sign, exponent, fraction.  2. Normal numbers, subnormal ones.
  // 3. What is too large: before rounding, or behind it?  4. NaN.
  NIBBLE_TODO("find the E4M3 nearest to x");
}

float decode_e4m3(std::uint8_t code) {
  // The same parts, the other way. Which two codes are no numbers?
  NIBBLE_TODO("say what an E4M3 stands for");
}

std::uint8_t encode_e5m2(float x, Overflow overflow) {
  // What is different from E4M3, in numbers? Is one function enough for both?
  NIBBLE_TODO("find the E5M2 nearest to x");
}

float decode_e5m2(std::uint8_t code) {
  // Which codes are no numbers here, and which of them is infinite?
  NIBBLE_TODO("say what an E5M2 stands for");
}

Fp8Tensor quantize_fp8(std::span<const float> x, Fp8Format format) {
  // 1. Refuse.  2. The scale: of zeros, of tiny values, of all others.
  // 3. Codes, with the scale that is returned.
  NIBBLE_TODO("quantize with one scale");
}

MxTensor quantize_mx(std::span<const float> x, Fp8Format format) {
  // 1. Refuse.  2. Block by block: where in a float is its e?  3. Codes, with the
  //    power of two that the scale stands for. How long is the last block?
  NIBBLE_TODO("quantize in blocks that share a power of two");
}

}  // namespace nibble
