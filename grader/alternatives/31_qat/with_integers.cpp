// Another right solution of lab 31: codes are integers, products are added up as such, and scales
// come in at the end.
#include "qat.hpp"

namespace nibble {
namespace {

using Integers = std::vector<std::int32_t>;
using Doubles = std::vector<double>;

/// Codes before the clamp and behind it. What is far away is far away: it has to fit in an int.
struct Tensor {
  Tensor(std::span<const double> values_, double scale_, IntRange range_)
      : values(values_), scale(scale_), range(range_) {
    for (const double value : values) {
      const double whole = std::nearbyint(std::clamp(value / scale, -1e6, 1e6));
      before.push_back(static_cast<std::int32_t>(whole));
      codes.push_back(std::clamp(before.back(), range.qmin, range.qmax));
    }
  }

  Doubles stopped(Doubles by_hat) const {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (before[i] != codes[i]) by_hat[i] = 0;
    }
    return by_hat;
  }

  double by_scale(const Doubles& by_hat) const {
    double codes_told = 0, values_told = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes_told += by_hat[i] * codes[i];
      if (before[i] == codes[i]) values_told += by_hat[i] * values[i];
    }
    return (codes_told - values_told / scale) /
           std::sqrt(static_cast<double>(range.qmax) * static_cast<double>(codes.size()));
  }

  std::span<const double> values;
  double scale;
  IntRange range;
  Integers before, codes;
};

std::pair<Tensor, Tensor> tensors(std::span<const double> x, const QatLayer& layer) {
  expects_layer(layer, x);
  return {Tensor(x, layer.scales.input, input_range(layer)),
          Tensor(layer.weight, layer.scales.weight, weight_range(layer))};
}

/// The gradients by x_hat, w_hat and bias.
QatGradient back(const Tensor& x, const Tensor& w, std::span<const double> upstream,
                 std::size_t outputs) {
  const std::size_t inputs = w.codes.size() / outputs;
  NIBBLE_EXPECTS(upstream.size() == x.codes.size() / inputs * outputs, upstream.size());
  QatGradient by{Doubles(x.codes.size()), Doubles(w.codes.size()), Doubles(outputs)};
  std::size_t at = 0;
  for (const double slope : upstream) {
    NIBBLE_EXPECTS(std::isfinite(slope), slope);
    const std::size_t row = at / outputs * inputs, weights = at % outputs * inputs;
    by.bias[at++ % outputs] += slope;
    for (std::size_t i = 0; i < inputs; ++i) {
      by.weight[weights + i] += slope * x.scale * x.codes[row + i];
      by.input[row + i] += slope * w.scale * w.codes[weights + i];
    }
  }
  return by;
}

double widest(std::span<const double> values, bool with_sign) {
  double most = 0;
  for (const double value : values) most = std::fmax(most, with_sign ? value : std::fabs(value));
  return most;
}

}  // namespace

std::vector<double> linear_forward_fake(std::span<const double> x, const QatLayer& layer) {
  const auto [a, w] = tensors(x, layer);
  const std::size_t outputs = layer.bias.size(), inputs = w.codes.size() / outputs;
  Doubles y(x.size() / inputs * outputs);
  for (std::size_t at = 0; at < y.size(); ++at) {
    const auto row = a.codes.begin() + static_cast<std::ptrdiff_t>(at / outputs * inputs);
    const auto weights = w.codes.begin() + static_cast<std::ptrdiff_t>(at % outputs * inputs);
    const std::int64_t sum = std::inner_product(row, row + static_cast<std::ptrdiff_t>(inputs),
                                                weights, std::int64_t{0});
    y[at] = layer.bias[at % outputs] + static_cast<double>(sum) * a.scale * w.scale;
  }
  return y;
}

QatGradient linear_backward_fake(std::span<const double> x, std::span<const double> upstream,
                                 const QatLayer& layer) {
  const auto [a, w] = tensors(x, layer);
  const QatGradient by = back(a, w, upstream, layer.bias.size());
  return {a.stopped(by.input), w.stopped(by.weight), by.bias};
}

LayerScales scale_gradients(std::span<const double> x, std::span<const double> upstream,
                            const QatLayer& layer) {
  const auto [a, w] = tensors(x, layer);
  const QatGradient by = back(a, w, upstream, layer.bias.size());
  return {w.by_scale(by.weight), a.by_scale(by.input)};
}

QatLayer sgd_step(const QatLayer& layer, const QatGradient& gradient, const LayerScales& by_scales,
                  double rate) {
  expects_layer(layer, layer.weight);
  NIBBLE_EXPECTS(0 < rate && rate <= DBL_MAX, rate);
  const auto moved = [rate](const Doubles& values, const Doubles& by) {
    NIBBLE_EXPECTS(by.size() == values.size(), by.size());
    Doubles next;
    for (const double slope : by) {
      NIBBLE_EXPECTS(std::isfinite(slope), slope);
      next.push_back(values[next.size()] - rate * slope);
    }
    return next;
  };
  const auto held = [&](double scale, double by) {
    const double next = moved({scale}, {by}).front();
    return next < scale / 2 ? scale / 2 : next > scale * 2 ? scale * 2 : next;
  };
  return {moved(layer.weight, gradient.weight),
          moved(layer.bias, gradient.bias),
          {held(layer.scales.weight, by_scales.weight), held(layer.scales.input, by_scales.input)},
          layer.weight_bits,
          layer.input_bits};
}

LayerScales observe_scales(std::span<const double> x, const QatLayer& layer, std::int32_t step,
                           std::int32_t frozen_from) {
  expects_layer(layer, x);
  NIBBLE_EXPECTS(std::min(step, frozen_from) >= 0, step);
  const double weight = widest(layer.weight, false), input = widest(x, true);
  double share = step < frozen_from ? 0.1 : 0;
  if (step == 0) share = 1;
  if (input == 0) share = 0;
  return {weight == 0 ? layer.scales.weight : weight / weight_range(layer).qmax,
          layer.scales.input * (1 - share) + input / input_range(layer).qmax * share};
}

}  // namespace nibble
