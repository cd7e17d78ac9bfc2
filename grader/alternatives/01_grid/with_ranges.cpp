// One element at a time as a function, the tensor as an algorithm. Clamps before it rounds, which
// is the same because the ends of a grid are whole; and rounds by IEEE remainder, not by a mode.
#include "grid.hpp"

#include <ranges>

namespace nibble {
namespace {

/// The nearest integer, ties to even: what is left of x when its distance to that is taken away.
float round_to_even(float x) { return x - std::remainder(x, 1.0f); }

/// Whole steps from real 0, kept on the grid; 0 for a NaN.
std::int32_t steps_of(float x, const Grid& grid) {
  const float steps = x / grid.scale;
  if (steps >= static_cast<float>(grid.qmax - grid.zero_point)) return grid.qmax - grid.zero_point;
  if (steps <= static_cast<float>(grid.qmin - grid.zero_point)) return grid.qmin - grid.zero_point;
  return std::isnan(steps) ? 0 : static_cast<std::int32_t>(round_to_even(steps));
}

void expects_same_size(std::size_t a, std::size_t b) {
  if (a != b) throw std::invalid_argument("two tensors of different sizes");
}

}  // namespace

std::int8_t saturate_to_int8(float x) {
  return static_cast<std::int8_t>(steps_of(x, {1.0f, 0, -128, 127}));
}

void quantize_to_grid(std::span<const float> x, const Grid& grid, std::span<std::int32_t> q) {
  expects_grid(grid);
  expects_same_size(x.size(), q.size());
  std::ranges::transform(x, q.begin(),
                         [&](float value) { return steps_of(value, grid) + grid.zero_point; });
}

void dequantize_from_grid(std::span<const std::int32_t> q, const Grid& grid,
                          std::span<float> x_hat) {
  expects_grid(grid);
  expects_same_size(q.size(), x_hat.size());
  const auto is_off = [&](std::int32_t code) { return code < grid.qmin || code > grid.qmax; };
  if (std::ranges::any_of(q, is_off)) throw std::invalid_argument("a code outside the grid");
  std::ranges::transform(q, x_hat.begin(), [&](std::int32_t code) {
    return grid.scale * static_cast<float>(code - grid.zero_point);
  });
}

std::vector<float> fake_quantize(std::span<const float> x, const Grid& grid) {
  expects_grid(grid);
  const auto snapped = x | std::views::transform([&](float value) {
                         return grid.scale * static_cast<float>(steps_of(value, grid));
                       });
  return {snapped.begin(), snapped.end()};
}

}  // namespace nibble
