// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 31. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 31. The contract is in qat.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 31        (or leave ./nibble watch open)
// NIBBLE-END
#include "qat.hpp"

namespace nibble {

// NIBBLE-BEGIN-SOLUTION
namespace {

void expects_all_finite(std::span<const double> numbers) {
  for (const double number : numbers) NIBBLE_EXPECTS(std::isfinite(number), number);
}

bool is_inside(double v, const IntRange& range) {
  const double code = std::nearbyint(v);  // rounded first, and then compared
  return range.qmin <= code && code <= range.qmax;
}

std::vector<double> fake_quantized(std::span<const double> values, double scale,
                                   const IntRange& range) {
  std::vector<double> hats;
  for (const double value : values) {
    hats.push_back(scale *
                   std::clamp<double>(std::nearbyint(value / scale), range.qmin, range.qmax));
  }
  return hats;
}

/// The gradients by w_hat, x_hat and bias: those of a layer that multiplies the two.
QatGradient by_hats(std::span<const double> x, std::span<const double> upstream,
                    const QatLayer& layer) {
  expects_layer(layer, x);
  const std::size_t outputs = layer.bias.size(), inputs = layer.weight.size() / outputs;
  const std::size_t rows = x.size() / inputs;
  NIBBLE_EXPECTS(upstream.size() == rows * outputs, upstream.size());
  expects_all_finite(upstream);
  const std::vector<double> w_hat =
      fake_quantized(layer.weight, layer.scales.weight, weight_range(layer));
  const std::vector<double> x_hat = fake_quantized(x, layer.scales.input, input_range(layer));

  QatGradient by{std::vector<double>(x.size()), std::vector<double>(w_hat.size()),
                 std::vector<double>(outputs)};
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < outputs; ++o) {
      const double slope = upstream[r * outputs + o];
      by.bias[o] += slope;
      for (std::size_t i = 0; i < inputs; ++i) {
        by.weight[o * inputs + i] += slope * x_hat[r * inputs + i];
        by.input[r * inputs + i] += slope * w_hat[o * inputs + i];
      }
    }
  }
  return by;
}

/// Nothing goes back to what was clamped: moving it a little changes nothing.
void stop_at_the_clamp(std::vector<double>& gradient, std::span<const double> values, double scale,
                       const IntRange& range) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_inside(values[i] / scale, range)) gradient[i] = 0;
  }
}

double gradient_by_scale(std::span<const double> values, std::span<const double> by_hat,
                         double scale, const IntRange& range) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double v = values[i] / scale, code = std::nearbyint(v);
    const double slope =
        is_inside(v, range) ? code - v : std::clamp<double>(code, range.qmin, range.qmax);
    sum += by_hat[i] * slope;
  }
  return sum / std::sqrt(static_cast<double>(values.size()) * range.qmax);
}

}  // namespace

// NIBBLE-END
std::vector<double> linear_forward_fake(std::span<const double> x, const QatLayer& layer) {
  // NIBBLE-BEGIN-SOLUTION
  expects_layer(layer, x);
  const std::size_t outputs = layer.bias.size(), inputs = layer.weight.size() / outputs;
  const std::vector<double> w_hat =  // once, not in the loops
      fake_quantized(layer.weight, layer.scales.weight, weight_range(layer));
  const std::vector<double> x_hat = fake_quantized(x, layer.scales.input, input_range(layer));
  std::vector<double> y;
  for (std::size_t r = 0; r < x.size() / inputs; ++r) {
    for (std::size_t o = 0; o < outputs; ++o) {
      double sum = layer.bias[o];
      for (std::size_t i = 0; i < inputs; ++i) {
        sum += x_hat[r * inputs + i] * w_hat[o * inputs + i];
      }
      y.push_back(sum);
    }
  }
  return y;
  // NIBBLE-STUB: // 1. Refuse.  2. What codes stand for: of the weights, of the inputs.  3. Products.
  // NIBBLE-STUB: NIBBLE_TODO("go forward as if all were codes");
  // NIBBLE-END
}

QatGradient linear_backward_fake(std::span<const double> x, std::span<const double> upstream,
                                 const QatLayer& layer) {
  // NIBBLE-BEGIN-SOLUTION
  QatGradient gradient = by_hats(x, upstream, layer);
  stop_at_the_clamp(gradient.weight, layer.weight, layer.scales.weight, weight_range(layer));
  stop_at_the_clamp(gradient.input, x, layer.scales.input, input_range(layer));
  return gradient;
  // NIBBLE-STUB: // 1. Refuse.  2. The gradients by w_hat and x_hat: which of the two does each need?
  // NIBBLE-STUB: // 3. Through the rounding, not through the clamp.
  // NIBBLE-STUB: NIBBLE_TODO("go back through the staircase");
  // NIBBLE-END
}

LayerScales scale_gradients(std::span<const double> x, std::span<const double> upstream,
                            const QatLayer& layer) {
  // NIBBLE-BEGIN-SOLUTION
  const QatGradient by = by_hats(x, upstream, layer);  // not stopped: what is clamped counts most
  return {gradient_by_scale(layer.weight, by.weight, layer.scales.weight, weight_range(layer)),
          gradient_by_scale(x, by.input, layer.scales.input, input_range(layer))};
  // NIBBLE-STUB: // 1. Refuse.  2. By w_hat and by x_hat, as before.  3. Times a slope, added up, divided.
  // NIBBLE-STUB: NIBBLE_TODO("find out which way the scales should go");
  // NIBBLE-END
}

QatLayer sgd_step(const QatLayer& layer, const QatGradient& gradient, const LayerScales& by_scales,
                  double rate) {
  // NIBBLE-BEGIN-SOLUTION
  expects_layer(layer, layer.weight);
  NIBBLE_EXPECTS(gradient.weight.size() == layer.weight.size(), gradient.weight.size());
  NIBBLE_EXPECTS(gradient.bias.size() == layer.bias.size(), gradient.bias.size());
  expects_all_finite(gradient.weight);
  expects_all_finite(gradient.bias);
  expects_all_finite(std::array{by_scales.weight, by_scales.input});
  NIBBLE_EXPECTS(std::isfinite(rate) && rate > 0, rate);
  QatLayer next = layer;
  for (std::size_t i = 0; i < next.weight.size(); ++i) next.weight[i] -= rate * gradient.weight[i];
  for (std::size_t o = 0; o < next.bias.size(); ++o) next.bias[o] -= rate * gradient.bias[o];
  const auto moved = [&](double scale, double by) {  // never to 0, nor below
    return std::clamp(scale - rate * by, scale / 2, 2 * scale);
  };
  next.scales.weight = moved(layer.scales.weight, by_scales.weight);
  next.scales.input = moved(layer.scales.input, by_scales.input);
  return next;
  // NIBBLE-STUB: // 1. Refuse.  2. A copy that moves: weights, biases, scales.
  // NIBBLE-STUB: NIBBLE_TODO("take a step down");
  // NIBBLE-END
}

LayerScales observe_scales(std::span<const double> x, const QatLayer& layer, std::int32_t step,
                           std::int32_t frozen_from) {
  // NIBBLE-BEGIN-SOLUTION
  expects_layer(layer, x);
  NIBBLE_EXPECTS(step >= 0, step);
  NIBBLE_EXPECTS(frozen_from >= 0, frozen_from);
  LayerScales scales = layer.scales;
  double widest = 0;
  for (const double weight : layer.weight) widest = std::max(widest, std::fabs(weight));
  if (widest > 0) scales.weight = widest / weight_range(layer).qmax;

  const double now = *std::ranges::max_element(x) / input_range(layer).qmax;
  if (now <= 0) return scales;
  if (step == 0) {
    scales.input = now;
  } else if (step < frozen_from) {
    scales.input = 0.9 * scales.input + 0.1 * now;
  }
  return scales;
  // NIBBLE-STUB: // 1. Refuse.  2. The weights as they are now.  3. The inputs: first, later, at the end.
  // NIBBLE-STUB: NIBBLE_TODO("watch the ranges");
  // NIBBLE-END
}

}  // namespace nibble
