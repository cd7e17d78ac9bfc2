// Another right solution: one row of x at a time goes through the whole network; zero points are
// folded into the biases, as deployed kernels do it; sums in 64 bits.
#include "quantized_linear.hpp"

namespace nibble {
namespace {

void refuse_unless(bool good) {
  if (!good) throw std::invalid_argument("what the contract forbids");
}

bool within(double value, double low, double high) { return value >= low && value <= high; }

float magnitude(std::span<const float> x) {
  const auto less = [](float a, float b) { return std::fabs(a) < std::fabs(b); };
  return std::fabs(*std::max_element(x.begin(), x.end(), less));
}

float step_of(std::span<const float> x) {
  const float most = magnitude(x);
  if (most == 0) return 1;
  return most / 127 < kLeastScale ? kLeastScale : most / 127;
}

long long round_within(float steps, int zero_point, int least) {
  const float code = std::rint(steps) + static_cast<float>(zero_point);
  if (code <= static_cast<float>(least)) return least;
  return code >= 127 ? 127 : static_cast<long long>(code);
}

/// A layer whose bias knows what the zero point adds to each sum.
struct Folded {
  explicit Folded(const QuantizedLayer& of) : layer(of), bias(of.bias.begin(), of.bias.end()) {
    for (std::size_t at = 0; at < layer.weight.size(); ++at) {
      bias[at / layer.inputs] -= static_cast<long long>(layer.weight[at]) * layer.a_zero_point;
    }
  }

  std::vector<long long> sums(const std::vector<long long>& q) const {
    std::vector<long long> all = bias;
    for (std::size_t at = 0; at < layer.weight.size(); ++at) {
      all[at / layer.inputs] += layer.weight[at] * q[at % layer.inputs];
    }
    return all;
  }

  QuantizedLayer layer;
  std::vector<long long> bias;
};

struct Step {
  bool is_float;
  Linear linear;
  Folded folded;
};

std::vector<float> one_row(const std::vector<Step>& steps, std::vector<float> x) {
  std::vector<long long> q;
  for (std::size_t l = 0; l < steps.size(); ++l) {
    const bool last = l + 1 == steps.size();
    const QuantizedLayer& layer = steps[l].folded.layer;
    if (steps[l].is_float) {
      q.clear();
      x = linear(steps[l].linear, x);
    } else {
      if (q.empty()) {
        for (const float v : x) {
          q.push_back(round_within(v / layer.a_scale, layer.a_zero_point, -128));
        }
      }
      const std::vector<long long> sums = steps[l].folded.sums(q);
      q.clear();
      x.clear();
      for (std::size_t o = 0; o < sums.size(); ++o) {
        const float unit = layer.a_scale * layer.w_scale[o], sum = static_cast<float>(sums[o]);
        if (last || steps[l + 1].is_float) {
          x.push_back(sum * unit);
        } else {
          const QuantizedLayer& next = steps[l + 1].folded.layer;
          q.push_back(
              round_within(sum * (unit / next.a_scale), next.a_zero_point, next.a_zero_point));
        }
      }
    }
    if (!last) relu(x);
  }
  return x;
}

}  // namespace

QuantizedLayer quantize_layer(const Linear& layer, float a_scale, std::int32_t a_zero_point) {
  refuse_unless(within(double(layer.inputs), 1, 4096) && within(double(layer.outputs), 1, 4096));
  refuse_unless(layer.weight.size() == layer.inputs * layer.outputs);
  refuse_unless(layer.bias.size() == layer.outputs);
  refuse_unless(within(a_scale, kLeastScale, kMostScale) && within(a_zero_point, -128, 127));
  for (const auto* list : {&layer.weight, &layer.bias}) {
    for (const float v : *list) refuse_unless(within(v, -double{kMostScale}, kMostScale));
  }
  QuantizedLayer q{layer.inputs, layer.outputs, {}, {}, {}, a_scale, a_zero_point};
  q.weight.resize(layer.weight.size());
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    q.w_scale.push_back(step_of(std::span(layer.weight).subspan(o * layer.inputs, layer.inputs)));
    const double unit = double{a_scale} * double{q.w_scale[o]};
    const double bias = double{layer.bias[o]} / unit, most = 1 << 30;
    q.bias.push_back(bias > most    ? 1 << 30
                     : bias < -most ? -(1 << 30)
                                    : static_cast<std::int32_t>(std::lrint(bias)));
  }
  for (std::size_t at = 0; at < q.weight.size(); ++at) {
    const float steps = layer.weight[at] / q.w_scale[at / layer.inputs];
    q.weight[at] = static_cast<std::int8_t>(std::lrint(steps));
  }
  return q;
}

std::vector<float> linear_weight_only(const QuantizedLayer& layer, std::span<const float> x) {
  std::vector<float> y(x.size() / layer.inputs * layer.outputs);
  for (std::size_t at = 0; at < y.size(); ++at) {
    const std::size_t r = at / layer.outputs, o = at % layer.outputs;
    double sum = 0;
    for (std::size_t i = layer.inputs; i-- > 0;) {
      sum += double{x[r * layer.inputs + i]} * layer.weight[o * layer.inputs + i];
    }
    y[at] = static_cast<float>(layer.w_scale[o] * (sum + double{layer.a_scale} * layer.bias[o]));
  }
  return y;
}

std::vector<float> linear_dynamic(const QuantizedLayer& layer, std::span<const float> x) {
  std::vector<float> y;
  for (; !x.empty(); x = x.subspan(layer.inputs)) {
    const auto row = x.first(layer.inputs);
    const float step = step_of(row);
    std::vector<long long> acc(layer.outputs);
    for (std::size_t at = 0; at < layer.weight.size(); ++at) {
      acc[at / layer.inputs] += layer.weight[at] * std::llrint(row[at % layer.inputs] / step);
    }
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      const double bias = double{layer.a_scale} * layer.bias[o];
      y.push_back(static_cast<float>(layer.w_scale[o] *
                                     (double{step} * static_cast<double>(acc[o]) + bias)));
    }
  }
  return y;
}

std::vector<float> forward_static(const QuantizedModel& model, std::span<const float> x) {
  std::vector<Step> steps;
  for (const ModelLayer& layer : layers_of(model)) {
    steps.push_back({layer.is_float, layer.linear, Folded(layer.quantized)});
  }
  const std::size_t inputs = steps.front().linear.inputs;
  expects_rows(x, inputs);
  std::vector<float> all;
  for (; !x.empty(); x = x.subspan(inputs)) {
    const std::vector<float> y = one_row(steps, {x.begin(), x.begin() + std::ptrdiff_t(inputs)});
    all.insert(all.end(), y.begin(), y.end());
  }
  return all;
}

std::int64_t model_bytes(const QuantizedModel& model) {
  std::int64_t of_four = std::ssize(model.sizes);
  of_four += std::ssize(model.a_scale) + std::ssize(model.a_zero_point);
  of_four += std::ssize(model.w_scale) + std::ssize(model.bias) + std::ssize(model.floats);
  return std::ssize(model.weight) + 4 * of_four;
}

QuantizedModel quantize_model(const FloatModel& net, std::span<const float> x,
                              std::span<const std::int32_t> skip) {
  FloatModel used = net;
  used.training = false;
  const auto inputs = layer_inputs(used, x);
  const std::vector<Linear> layers = layers_of(net);
  std::vector<bool> stays(layers.size());
  for (const std::int32_t l : skip) {
    refuse_unless(within(l, 0, double(layers.size()) - 1));
    stays[static_cast<std::size_t>(l)] = true;
  }
  QuantizedModel model{net.sizes, {}, {}, {}, {}, {}, {}};
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (stays[l]) {
      model.a_scale.push_back(0);
      model.a_zero_point.push_back(0);
      for (const auto* list : {&layers[l].weight, &layers[l].bias}) {
        model.floats.insert(model.floats.end(), list->begin(), list->end());
      }
      continue;
    }
    float lo = 0, hi = 0;
    for (const float v : inputs[l]) lo = v < lo ? v : lo, hi = v > hi ? v : hi;
    float scale = (hi - lo) / 255;
    if (hi == lo) scale = 1;
    if (scale < kLeastScale) scale = kLeastScale;
    const int zero_point = -128 - static_cast<int>(std::rint(lo / scale));
    const QuantizedLayer q = quantize_layer(layers[l], scale, zero_point);
    model.a_scale.push_back(scale);
    model.a_zero_point.push_back(zero_point);
    model.weight.insert(model.weight.end(), q.weight.begin(), q.weight.end());
    model.w_scale.insert(model.w_scale.end(), q.w_scale.begin(), q.w_scale.end());
    model.bias.insert(model.bias.end(), q.bias.begin(), q.bias.end());
  }
  return model;
}

}  // namespace nibble
