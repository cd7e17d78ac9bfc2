// Lab 14. The contract is in cpu_int8_gemm.hpp; the story is in README.md.
// Check yourself:  ./nibble run 14        (or leave ./nibble watch open)
#include "cpu_int8_gemm.hpp"

namespace nibble {

// --- Three loops ---------------------------------------------------------------------------------

void multiply_naive(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                    std::span<std::int32_t> c, MatmulShape shape) {
  // 1. Refuse what the contract refuses.  2. Three loops, the definition.
  NIBBLE_TODO("multiply, one element after the other");
}

void multiply_rows(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                   std::span<std::int32_t> c, MatmulShape shape) {
  // Which of the three loops has to be the innermost, so that neighbours are neighbours
  // in memory, in b as well as in c? Where do the sums live then, and what do they start from?
  NIBBLE_TODO("multiply in another order of loops");
}

// --- b transposed --------------------------------------------------------------------------------

void multiply_dots(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                   std::span<std::int32_t> c, MatmulShape shape) {
  // Three loops again. Which order makes both operands run side by side in memory?
  NIBBLE_TODO("multiply by dot products of rows");
}

void multiply_tiled(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                    std::span<std::int32_t> c, MatmulShape shape) {
  // 1. Eight sums, one loop over p.  2. All tiles that are whole.
  // 3. Which elements of c has nobody computed yet?
  NIBBLE_TODO("multiply tile by tile");
}

// --- b packed ------------------------------------------------------------------------------------

void pack_b(std::span<const std::int8_t> b_t, std::span<std::int16_t> packed, MatmulShape shape) {
  // Slab by slab, column by column: how deep is the last slab, and where does it begin?
  NIBBLE_TODO("write the packed order");
}

void multiply_packed(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape) {
  // 1. One slab; one pair of rows, widened to int16; four columns at a time.
  // 2. All pairs, all columns, all slabs: what does c hold between two slabs?
  // 3. Which block of b should stay near while all rows of a pass by?
  NIBBLE_TODO("multiply by a packed b");
}

// --- Zero points ---------------------------------------------------------------------------------

void multiply_zero_points(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                          std::span<const std::int32_t> column_sums, std::span<std::int32_t> c,
                          ZeroPoints zero_points, MatmulShape shape) {
  // Multiply (a - za) * (b - zb) out. Which terms depend on i and j alone?
  // They cost m * k + m * n steps: what could the sums of the packed product start from?
  NIBBLE_TODO("multiply codes with zero points");
}

}  // namespace nibble
