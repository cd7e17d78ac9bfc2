// What is different here: every tensor becomes a list of steps first, once as it is rounded and
// once as it is clamped. What was clamped is what differs between the two; sums are inner products.
#include "fake_quant.hpp"

namespace nibble {
namespace {

using Reals = std::vector<float>;

struct Steps {
  Reals exact, rounded, clamped;
};

Steps steps_of(std::span<const float> x, float scale, float least, float most) {
  Steps steps;
  for (const float value : x) {
    steps.exact.push_back(value / scale);
    steps.rounded.push_back(std::rint(steps.exact.back()));
    steps.clamped.push_back(std::min(std::max(steps.rounded.back(), least), most));
  }
  return steps;
}

Steps steps_of(std::span<const float> x, std::span<const float> upstream, const Grid& grid) {
  expects_grid(grid);
  NIBBLE_EXPECTS(upstream.size() == x.size(), x.size());
  expects_finite(upstream);
  expects_finite(x);
  return steps_of(x, grid.scale, static_cast<float>(grid.qmin - grid.zero_point),
                  static_cast<float>(grid.qmax - grid.zero_point));
}

float learned(std::span<const float> upstream, const std::vector<double>& slopes, int qmax) {
  if (slopes.empty()) return 0.0f;
  const double sum = std::inner_product(slopes.begin(), slopes.end(), upstream.begin(), 0.0);
  return static_cast<float>(sum / std::sqrt(static_cast<double>(slopes.size()) * qmax));
}

/// A layer whose numbers are all whole, in doubles.
struct Whole {
  std::size_t inputs = 0;
  std::vector<double> weight, bias;
  Reals multiplier;

  explicit Whole(const FakeLayer& layer) {
    const std::size_t outputs = layer.bias.size();
    NIBBLE_EXPECTS(outputs != 0, outputs);
    inputs = layer.weight.size() / outputs;
    NIBBLE_EXPECTS(inputs * outputs == layer.weight.size(), layer.weight.size());
    NIBBLE_EXPECTS(inputs != 0 && inputs <= 32768, inputs);
    NIBBLE_EXPECTS(layer.weight_scales.size() == outputs, outputs);
    expects_finite(layer.weight);
    expects_finite(layer.bias);
    // A zero point of a Grid of int8 is in range, and so is a scale.
    expects_grid({layer.input_scale, layer.input_zero_point, -128, 127});
    expects_grid({layer.output_scale, layer.output_zero_point, -128, 127});
    for (std::size_t j = 0; j < outputs; ++j) {
      const float unit = layer.input_scale * layer.weight_scales[j];
      multiplier.push_back(unit / layer.output_scale);
      for (const float scale : {layer.weight_scales[j], unit, multiplier[j]}) {
        expects_grid({scale, 0, -128, 127});
      }
      bias.push_back(std::rint(layer.bias[j] / unit));
      NIBBLE_EXPECTS(std::abs(bias[j]) <= 1 << 30, bias[j]);
      const auto row = std::span(layer.weight).subspan(j * inputs, inputs);
      const Reals codes = steps_of(row, layer.weight_scales[j], -128, 127).clamped;
      weight.insert(weight.end(), codes.begin(), codes.end());
    }
  }
  std::span<const double> row(std::size_t j) const {
    return std::span(weight).subspan(j * inputs, inputs);
  }
};

}  // namespace

std::vector<float> fake_quantize_backward(std::span<const float> x, std::span<const float> upstream,
                                          const Grid& grid) {
  const Steps steps = steps_of(x, upstream, grid);
  Reals gradient(upstream.begin(), upstream.end());
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (steps.rounded[i] != steps.clamped[i]) gradient[i] = 0.0f;
  }
  return gradient;
}

float scale_gradient(std::span<const float> x, std::span<const float> upstream, const Grid& grid) {
  const Steps steps = steps_of(x, upstream, grid);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool moves = steps.rounded[i] == steps.clamped[i];
    slopes.push_back(double{steps.clamped[i]} - (moves ? double{steps.exact[i]} : 0.0));
  }
  return learned(upstream, slopes, grid.qmax);
}

float zero_point_gradient(std::span<const float> x, std::span<const float> upstream,
                          const Grid& grid) {
  const Steps steps = steps_of(x, upstream, grid);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    slopes.push_back(steps.rounded[i] == steps.clamped[i] ? 0.0 : -double{grid.scale});
  }
  return learned(upstream, slopes, grid.qmax);
}

float scale_step(float scale, float gradient, float rate) {
  float next = scale - rate * gradient;
  next = std::fmax(next, 0.5f * scale);
  next = std::fmin(next, scale + scale);
  return std::fmin(std::fmax(next, FLT_MIN), FLT_MAX);
}

std::vector<float> fake_linear(std::span<const float> x, const FakeLayer& layer) {
  const Whole whole(layer);
  NIBBLE_EXPECTS(x.size() % whole.inputs == 0, x.size());
  expects_finite(x);
  const float zero = static_cast<float>(layer.input_zero_point);
  const Reals a = steps_of(x, layer.input_scale, -128 - zero, 127 - zero).clamped;
  Reals v;
  for (std::size_t start = 0; start < a.size(); start += whole.inputs) {
    for (std::size_t j = 0; j < whole.bias.size(); ++j) {
      const auto row = whole.row(j);
      const double sum = std::inner_product(row.begin(), row.end(),
                                            a.begin() + std::ptrdiff_t(start), whole.bias[j]);
      v.push_back(static_cast<float>(sum) * whole.multiplier[j]);
    }
  }
  const float output_zero = static_cast<float>(layer.output_zero_point);
  Reals y = steps_of(v, 1.0f, -128 - output_zero, 127 - output_zero).clamped;
  for (float& value : y) value *= layer.output_scale;
  return y;
}

IntegerLayer fold_to_integers(const FakeLayer& layer) {
  const Whole whole(layer);
  IntegerLayer integers;
  integers.output_zero_point = layer.output_zero_point;
  integers.multiplier = whole.multiplier;
  integers.weight.assign(whole.weight.begin(), whole.weight.end());
  for (std::size_t j = 0; j < whole.bias.size(); ++j) {
    const auto row = whole.row(j);
    const double correction = layer.input_zero_point * std::accumulate(row.begin(), row.end(), 0.0);
    integers.bias.push_back(static_cast<std::int32_t>(whole.bias[j] - correction));
  }
  return integers;
}

}  // namespace nibble
