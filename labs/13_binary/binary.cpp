// Lab 13. The contract is in binary.hpp; the story is in README.md.
// Check yourself:  ./nibble run 13        (or leave ./nibble watch open)
#include "binary.hpp"

namespace nibble {

std::vector<std::uint32_t> pack_signs(std::span<const float> x, int rows, int cols) {
  // 1. Refuse sizes that do not fit together: NIBBLE_EXPECTS(...).
  // 2. How many words has a row? All of them start as zeros.
  // 3. Which word, which bit, and which question about x decides it?
  NIBBLE_TODO("one bit for each sign");
}

std::vector<std::int32_t> binary_matmul(std::span<const std::uint32_t> a,
                                        std::span<const std::uint32_t> b_t, MatmulShape shape) {
  // 1. Refuse sizes that do not fit together.
  // 2. Work one sum out by hand, for k = 4: what do the bits that differ tell?
  // 3. Which bits of which word must not be counted?
  NIBBLE_TODO("multiply signs by counting");
}

BinaryWeights binarize_weights(std::span<const float> w, int rows, int cols) {
  // The bits are another function's. Of which weights is alpha[r] the mean?
  NIBBLE_TODO("keep the signs, and one scale a row");
}

TernaryWeights ternarize(std::span<const float> w, int rows, int cols) {
  // For each row: 1. its threshold  2. its trits  3. the mean of what was kept.
  // Which of the three is in trouble in a row of zeros?
  NIBBLE_TODO("minus, nothing or plus for each weight, and one scale a row");
}

std::vector<std::uint8_t> pack_ternary(std::span<const std::int8_t> trits) {
  // 1. Refuse what is no trit.  2. What is each of the five digits worth?
  // 3. What stands in the last byte, where there are no trits left?
  NIBBLE_TODO("five trits a byte");
}

std::vector<std::int8_t> unpack_ternary(std::span<const std::uint8_t> bytes, int count) {
  // 1. Refuse: the count, the number of bytes, and every byte that is no code.
  // 2. How do you get one digit of a number in base ten? And in base three?
  NIBBLE_TODO("trits from bytes");
}

}  // namespace nibble
