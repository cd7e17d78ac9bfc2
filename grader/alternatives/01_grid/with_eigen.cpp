// Whole arrays at a time, with Eigen: no loop, and a NaN is replaced by the select at the end.
#include "grid.hpp"

#include <Eigen/Core>

namespace nibble {
namespace {

using Reals = Eigen::Map<const Eigen::ArrayXf>;
using Codes = Eigen::Map<const Eigen::ArrayXi>;

Eigen::Index count(std::size_t size) { return static_cast<Eigen::Index>(size); }

/// Whole steps from real 0, kept on the grid; 0 for a NaN.
Eigen::ArrayXf steps_of(const Reals& x, const Grid& grid) {
  const auto lowest = static_cast<float>(grid.qmin - grid.zero_point);
  const auto highest = static_cast<float>(grid.qmax - grid.zero_point);
  const Eigen::ArrayXf steps = (x / grid.scale).rint().max(lowest).min(highest);
  return x.isNaN().select(0.0f, steps);
}

}  // namespace

std::int8_t saturate_to_int8(float x) {
  const Grid int8{1.0f, 0, -128, 127};
  return static_cast<std::int8_t>(steps_of(Reals(&x, 1), int8)(0));
}

void quantize_to_grid(std::span<const float> x, const Grid& grid, std::span<std::int32_t> q) {
  expects_grid(grid);
  NIBBLE_EXPECTS(q.size() == x.size(), q.size());
  const Eigen::ArrayXf steps = steps_of(Reals(x.data(), count(x.size())), grid);
  Eigen::Map<Eigen::ArrayXi>(q.data(), count(q.size())) = steps.cast<int>() + grid.zero_point;
}

void dequantize_from_grid(std::span<const std::int32_t> q, const Grid& grid,
                          std::span<float> x_hat) {
  expects_grid(grid);
  NIBBLE_EXPECTS(x_hat.size() == q.size(), x_hat.size());
  const Codes codes(q.data(), count(q.size()));
  const bool all_inside = (codes >= grid.qmin && codes <= grid.qmax).all();
  if (!all_inside) throw std::invalid_argument("a code outside the grid");
  Eigen::Map<Eigen::ArrayXf>(x_hat.data(), count(x_hat.size())) =
      (codes - grid.zero_point).cast<float>() * grid.scale;
}

std::vector<float> fake_quantize(std::span<const float> x, const Grid& grid) {
  expects_grid(grid);
  const Eigen::ArrayXf steps = steps_of(Reals(x.data(), count(x.size())), grid);
  std::vector<float> snapped(x.size());
  Eigen::Map<Eigen::ArrayXf>(snapped.data(), count(x.size())) = steps * grid.scale;
  return snapped;
}

}  // namespace nibble
