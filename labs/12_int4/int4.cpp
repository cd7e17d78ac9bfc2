// Lab 12. The contract is in int4.hpp; the story is in README.md.
// Check yourself:  ./nibble run 12        (or leave ./nibble watch open)
#include "int4.hpp"

namespace nibble {

std::vector<std::uint8_t> pack_int4(std::span<const std::int8_t> q) {
  // 1. Refuse what the contract refuses.  2. Two codes make a byte: which bits of a
  //    negative code do you want?  3. What stands beside the last of an odd number?
  NIBBLE_TODO("pack two codes into every byte");
}

std::vector<std::int8_t> unpack_int4(std::span<const std::uint8_t> q4, std::size_t count) {
  // Which half of which byte is code i? What does its highest bit stand for?
  NIBBLE_TODO("unpack two codes from every byte");
}

std::vector<std::uint8_t> to_excess8(std::span<const std::uint8_t> q4) {
  // Write the codes -8, -1, 0 and 7 down in both forms: which bits differ?
  NIBBLE_TODO("turn two's complement into excess 8");
}

std::vector<std::uint8_t> quantize_q4_0(std::span<const float> x) {
  // 1. Refuse.  2. Block by block: the extreme with its sign; d; its half.
  // 3. Sixteen bytes of codes: which two of the 32 values share a byte?
  NIBBLE_TODO("quantize to Q4_0 blocks");
}

std::vector<std::uint8_t> quantize_q8_0(std::span<const float> x) {
  // As quantize_q4_0, with another d, another order, and another rule for ties.
  NIBBLE_TODO("quantize to Q8_0 blocks");
}

std::vector<std::int32_t> matmul_int4(std::span<const std::uint8_t> a4,
                                      std::span<const std::uint8_t> b4, Int4Layout layout,
                                      MatmulShape shape) {
  // 1. Refuse.  2. Both operands are packed along k: which byte of a4, and which
  //    of b4 in either layout, has the code of p?  3. Which nibbles are no codes?
  NIBBLE_TODO("multiply packed codes");
}

}  // namespace nibble
