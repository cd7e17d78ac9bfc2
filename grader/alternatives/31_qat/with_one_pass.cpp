// Another right solution of lab 31: each number is looked at once, and knows its slopes; products
// are added up where they belong, column by column.
#include "qat.hpp"

namespace nibble {
namespace {

/// What a number becomes, and what it says when something comes back.
struct Rounded {
  double hat = 0;
  double by_scale = 0;
  bool clamped = false;
};

std::vector<Rounded> all_rounded(std::span<const double> values, double scale,
                                 const IntRange& range) {
  std::vector<Rounded> all(values.size());
  std::ranges::transform(values, all.begin(), [&](double value) {
    const double steps = value / scale, code = std::rint(steps);
    if (code < range.qmin) return Rounded{scale * range.qmin, double(range.qmin), true};
    if (code > range.qmax) return Rounded{scale * range.qmax, double(range.qmax), true};
    return Rounded{scale * code, code - steps, false};
  });
  return all;
}

/// visit(r, o, i) for every product of the layer.
template <class Visit>
void each_product(std::size_t rows, const QatLayer& layer, const Visit& visit) {
  const std::size_t outputs = layer.bias.size(), inputs = layer.weight.size() / outputs;
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t r = 0; r < rows; ++r) {
        visit(r * outputs + o, r * inputs + i, o * inputs + i);
      }
    }
  }
}

struct Walk {
  Walk(std::span<const double> x_, const QatLayer& layer_) : layer(layer_) {
    expects_layer(layer, x_);
    rows = x_.size() * layer.bias.size() / layer.weight.size();
    x = all_rounded(x_, layer.scales.input, input_range(layer));
    w = all_rounded(layer.weight, layer.scales.weight, weight_range(layer));
  }

  /// The gradients by the hats.
  QatGradient back(std::span<const double> upstream) const {
    NIBBLE_EXPECTS(upstream.size() == rows * layer.bias.size(), upstream.size());
    for (const double one : upstream) NIBBLE_EXPECTS(std::isfinite(one), one);
    QatGradient by{std::vector<double>(x.size()), std::vector<double>(w.size()),
                   std::vector<double>(layer.bias.size())};
    each_product(rows, layer, [&](std::size_t at, std::size_t in, std::size_t weight) {
      by.input[in] += upstream[at] * w[weight].hat;
      by.weight[weight] += upstream[at] * x[in].hat;
    });
    for (std::size_t at = 0; at < upstream.size(); ++at) {
      by.bias[at % by.bias.size()] += upstream[at];
    }
    return by;
  }

  const QatLayer& layer;
  std::size_t rows = 0;
  std::vector<Rounded> x, w;
};

double by_scale(const std::vector<Rounded>& all, const std::vector<double>& by_hat, int qmax) {
  const double root = std::sqrt(qmax) * std::sqrt(static_cast<double>(all.size()));
  return std::transform_reduce(
      all.begin(), all.end(), by_hat.begin(), 0.0, std::plus{},
      [&](const Rounded& one, double by) { return by * one.by_scale / root; });
}

}  // namespace

std::vector<double> linear_forward_fake(std::span<const double> x, const QatLayer& layer) {
  const Walk walk(x, layer);
  std::vector<double> y;
  for (std::size_t r = 0; r < walk.rows; ++r)
    y.insert(y.end(), layer.bias.begin(), layer.bias.end());
  each_product(walk.rows, layer, [&](std::size_t at, std::size_t in, std::size_t weight) {
    y[at] += walk.x[in].hat * walk.w[weight].hat;
  });
  return y;
}

QatGradient linear_backward_fake(std::span<const double> x, std::span<const double> upstream,
                                 const QatLayer& layer) {
  const Walk walk(x, layer);
  QatGradient by = walk.back(upstream);
  for (std::size_t i = 0; i < walk.x.size(); ++i) by.input[i] *= walk.x[i].clamped ? 0 : 1;
  for (std::size_t i = 0; i < walk.w.size(); ++i) by.weight[i] *= walk.w[i].clamped ? 0 : 1;
  return by;
}

LayerScales scale_gradients(std::span<const double> x, std::span<const double> upstream,
                            const QatLayer& layer) {
  const Walk walk(x, layer);
  const QatGradient by = walk.back(upstream);
  return {by_scale(walk.w, by.weight, weight_range(layer).qmax),
          by_scale(walk.x, by.input, input_range(layer).qmax)};
}

QatLayer sgd_step(const QatLayer& layer, const QatGradient& gradient, const LayerScales& by_scales,
                  double rate) {
  QatLayer next = layer;
  expects_layer(next, next.weight);
  NIBBLE_EXPECTS(rate > 0 && std::isfinite(rate), rate);
  const auto descend = [rate](double& value, double by) {
    NIBBLE_EXPECTS(std::isfinite(by), by);
    value -= rate * by;
  };
  for (const auto& [values, by] :
       {std::pair{&next.weight, &gradient.weight}, std::pair{&next.bias, &gradient.bias}}) {
    NIBBLE_EXPECTS(values->size() == by->size(), by->size());
    for (std::size_t i = 0; i < by->size(); ++i) descend((*values)[i], (*by)[i]);
  }
  descend(next.scales.weight, by_scales.weight);
  descend(next.scales.input, by_scales.input);
  const auto hold = [](double& scale, double before) {
    if (scale < before / 2) scale = before / 2;
    if (scale > before * 2) scale = before * 2;
  };
  hold(next.scales.weight, layer.scales.weight);
  hold(next.scales.input, layer.scales.input);
  return next;
}

LayerScales observe_scales(std::span<const double> x, const QatLayer& layer, std::int32_t step,
                           std::int32_t frozen_from) {
  expects_layer(layer, x);
  NIBBLE_EXPECTS(step >= 0 && frozen_from >= 0, step);
  auto [weight, input] = layer.scales;
  const auto [low, high] = std::ranges::minmax(layer.weight);
  if (low != 0 || high != 0) weight = std::max(-low, high) / weight_range(layer).qmax;
  const double seen = std::ranges::max(x) / input_range(layer).qmax;
  if (seen > 0 && step == 0) input = seen;
  if (seen > 0 && 0 < step && step < frozen_from) input += (seen - input) / 10;
  return {weight, input};
}

}  // namespace nibble
