// Lab 01. The contract is in grid.hpp; the story is in README.md.
// Check yourself:  ./nibble run 01        (or leave ./nibble watch open)
#include "grid.hpp"

namespace nibble {

std::int8_t saturate_to_int8(float x) {
  // Which order: round and clamp as float, or convert first? And what of NaN?
  NIBBLE_TODO("the int8 nearest to x");
}

void quantize_to_grid(std::span<const float> x, const Grid& grid, std::span<std::int32_t> q) {
  // 1. Refuse what the contract refuses: expects_grid(grid), NIBBLE_EXPECTS(...).
  // 2. For every element: divide, round, shift, clamp. Which of these in float?
  NIBBLE_TODO("the code of every x[i]");
}

void dequantize_from_grid(std::span<const std::int32_t> q, const Grid& grid,
                          std::span<float> x_hat) {
  // The formula is one line. What does the contract refuse before it?
  NIBBLE_TODO("the real number behind every code");
}

std::vector<float> fake_quantize(std::span<const float> x, const Grid& grid) {
  // Where do the ends of the grid lie, counted in steps from real 0?
  NIBBLE_TODO("move every x[i] to the nearest point of the grid");
}

}  // namespace nibble
