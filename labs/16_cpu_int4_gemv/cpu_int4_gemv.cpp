// Lab 16. The contract is in cpu_int4_gemv.hpp; the story is in README.md.
// Check yourself:  ./nibble run 16        (or leave ./nibble watch open)
#include "cpu_int4_gemv.hpp"

namespace nibble {

void unpack_int4(std::span<const std::uint8_t> q4, std::span<std::int8_t> q) {
  // Which half of which byte is code i? What does its highest bit stand for?
  NIBBLE_TODO("unpack two codes from every byte");
}

void gemv_int8(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::int8_t> w, std::span<const float> w_scales,
               std::span<float> c) {
  // 1. Refuse: sizes, scales, instruction sets.  2. Write it for kScalar first.
  // 3. One row of w after the other. What multiplies 64 pairs of codes at once, and which of
  //    its operands is unsigned?  4. The last k % 64 codes: nothing behind them may be read.
  NIBBLE_TODO("multiply a row of activations by int8 weights");
}

void pack_int4(std::span<const std::uint8_t> q4, std::span<const float> scales,
               std::span<std::uint8_t> packed, Int4Shape shape) {
  // 1. Refuse.  2. For every panel and group: the line of scales, then the lines of codes.
  // 3. Which bits does adding 8 change?  4. What stands where the last panel has no row?
  NIBBLE_TODO("repack the weights for the kernels");
}

void gemv_int4(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  // 1. Refuse.  2. kScalar, straight from the formula.  3. One lane of a register for each of
  //    16 rows: what does it hold, and when is it multiplied by a scale?
  // 4. Nibbles are code + 8. What is therefore added to every sum, and how often do you need it?
  NIBBLE_TODO("multiply a row of activations by packed int4 weights");
}

void gemm_int4(Isa isa, std::span<const std::int8_t> a, std::span<const float> a_scales,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  // A product per row would be right, and read the weights m times. How many rows can share a
  // line of codes while it is in a register?
  NIBBLE_TODO("multiply a few rows of activations by packed int4 weights");
}

void dequantize_code_book(Isa isa, std::span<const std::uint8_t> q4, const CodeBook& code_book,
                          std::span<const float> scales, std::span<float> x_hat, int group_size) {
  // 1. Refuse.  2. kScalar: a table of 16.  3. Which instruction looks 16 floats up at once?
  NIBBLE_TODO("look 4-bit codes up in a table");
}

}  // namespace nibble
