// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 01. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 01. The contract is in grid.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 01        (or leave ./nibble watch open)
// NIBBLE-END
#include "grid.hpp"

namespace nibble {

std::int8_t saturate_to_int8(float x) {
  // NIBBLE-BEGIN-SOLUTION
  if (std::isnan(x)) return 0;  // no comparison is true of a NaN: a clamp would let it through
  // nearbyint honours the default rounding mode, ties to even; std::round would not.
  const float whole = std::nearbyint(x);
  // Clamp as float: converting an out-of-range float to int8_t is undefined behaviour.
  return static_cast<std::int8_t>(std::clamp(whole, -128.0f, 127.0f));
  // NIBBLE-STUB: // Which order: round and clamp as float, or convert first? And what of NaN?
  // NIBBLE-STUB: NIBBLE_TODO("the int8 nearest to x");
  // NIBBLE-END
}

void quantize_to_grid(std::span<const float> x, const Grid& grid, std::span<std::int32_t> q) {
  // NIBBLE-BEGIN-SOLUTION
  expects_grid(grid);
  NIBBLE_EXPECTS(q.size() == x.size(), q.size());
  const float low = static_cast<float>(grid.qmin);
  const float high = static_cast<float>(grid.qmax);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float steps = std::nearbyint(x[i] / grid.scale);
    // Still float: steps may be 1e38, and int32 arithmetic with it would overflow.
    const float code = steps + static_cast<float>(grid.zero_point);
    const bool is_number = !std::isnan(x[i]);
    q[i] = is_number ? static_cast<std::int32_t>(std::clamp(code, low, high)) : grid.zero_point;
  }
  // NIBBLE-STUB: // 1. Refuse what the contract refuses: expects_grid(grid), NIBBLE_EXPECTS(...).
  // NIBBLE-STUB: // 2. For every element: divide, round, shift, clamp. Which of these in float?
  // NIBBLE-STUB: NIBBLE_TODO("the code of every x[i]");
  // NIBBLE-END
}

void dequantize_from_grid(std::span<const std::int32_t> q, const Grid& grid,
                          std::span<float> x_hat) {
  // NIBBLE-BEGIN-SOLUTION
  expects_grid(grid);
  NIBBLE_EXPECTS(x_hat.size() == q.size(), x_hat.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    NIBBLE_EXPECTS(grid.qmin <= q[i] && q[i] <= grid.qmax, q[i]);
    // In int32: a uint8 would wrap below zero, an int8 beyond 127.
    const std::int32_t steps = q[i] - grid.zero_point;
    x_hat[i] = grid.scale * static_cast<float>(steps);
  }
  // NIBBLE-STUB: // The formula is one line. What does the contract refuse before it?
  // NIBBLE-STUB: NIBBLE_TODO("the real number behind every code");
  // NIBBLE-END
}

std::vector<float> fake_quantize(std::span<const float> x, const Grid& grid) {
  // NIBBLE-BEGIN-SOLUTION
  expects_grid(grid);
  // The zero point shifts the ends of the grid, and nothing else.
  const float lowest = static_cast<float>(grid.qmin - grid.zero_point);
  const float highest = static_cast<float>(grid.qmax - grid.zero_point);
  std::vector<float> snapped(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float nearest = std::nearbyint(x[i] / grid.scale);
    const float kept = std::clamp(nearest, lowest, highest);
    snapped[i] = std::isnan(x[i]) ? 0.0f : grid.scale * kept;
  }
  return snapped;
  // NIBBLE-STUB: // Where do the ends of the grid lie, counted in steps from real 0?
  // NIBBLE-STUB: NIBBLE_TODO("move every x[i] to the nearest point of the grid");
  // NIBBLE-END
}

}  // namespace nibble
