// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 29. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 29. The contract is in quantized_linear.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 29        (or leave ./nibble watch open)
// NIBBLE-END
#include "quantized_linear.hpp"

namespace nibble {

// NIBBLE-BEGIN-SOLUTION
namespace {

float largest(std::span<const float> x) {
  float amax = 0;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

/// Symmetric, in 8 bits: 1 for zeros.
float scale_for(float amax) { return amax == 0 ? 1 : std::max(amax / 127, kLeastScale); }

/// Row by row: one list of codes times the weights of one output.
std::int32_t dot(std::span<const std::int32_t> q, const QuantizedLayer& layer, std::size_t o) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += q[i] * layer.weight[o * layer.inputs + i];
  return sum;
}

/// The code of a real number in steps. A float is clamped before it becomes an integer.
std::int32_t code_of(float steps, std::int32_t zero_point, std::int32_t qmin) {
  const float q = std::nearbyint(steps) + static_cast<float>(zero_point);
  return static_cast<std::int32_t>(std::clamp(q, static_cast<float>(qmin), 127.0f));
}

std::vector<std::int32_t> enter(const QuantizedLayer& layer, std::span<const float> x) {
  std::vector<std::int32_t> q;
  for (const float value : x) {
    q.push_back(code_of(value / layer.a_scale, layer.a_zero_point, -128));
  }
  return q;
}

/// The sums of a quantized layer, [rows, outputs]: each code counts from the code of real 0.
std::vector<std::int32_t> sums_of(const QuantizedLayer& layer, std::vector<std::int32_t> q) {
  for (std::int32_t& code : q) code -= layer.a_zero_point;
  std::vector<std::int32_t> acc;
  for (std::size_t at = 0; at < q.size(); at += layer.inputs) {
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      acc.push_back(dot(std::span(q).subspan(at, layer.inputs), layer, o) + layer.bias[o]);
    }
  }
  return acc;
}

std::vector<std::int32_t> hand_on(const QuantizedLayer& layer, const QuantizedLayer& next,
                                  std::span<const std::int32_t> acc) {
  std::vector<std::int32_t> q;
  for (std::size_t at = 0; at < acc.size(); ++at) {
    const float factor = layer.a_scale * layer.w_scale[at % layer.outputs] / next.a_scale;
    const float steps = static_cast<float>(acc[at]) * factor;
    q.push_back(code_of(steps, next.a_zero_point, next.a_zero_point));
  }
  return q;
}

std::vector<float> leave(const QuantizedLayer& layer, std::span<const std::int32_t> acc) {
  std::vector<float> y;
  for (std::size_t at = 0; at < acc.size(); ++at) {
    y.push_back(static_cast<float>(acc[at]) * (layer.a_scale * layer.w_scale[at % layer.outputs]));
  }
  return y;
}

}  // namespace

// NIBBLE-END
QuantizedLayer quantize_layer(const Linear& layer, float a_scale, std::int32_t a_zero_point) {
  // NIBBLE-BEGIN-SOLUTION
  const auto& [inputs, outputs, weight, bias] = layer;
  NIBBLE_EXPECTS(1 <= inputs && inputs <= 4096, inputs);
  NIBBLE_EXPECTS(1 <= outputs && outputs <= 4096, outputs);
  NIBBLE_EXPECTS(weight.size() == inputs * outputs, weight.size());
  NIBBLE_EXPECTS(bias.size() == outputs, bias.size());
  for (const float w : weight) NIBBLE_EXPECTS(std::fabs(w) <= kMostScale, w);
  for (const float b : bias) NIBBLE_EXPECTS(std::fabs(b) <= kMostScale, b);
  NIBBLE_EXPECTS(kLeastScale <= a_scale && a_scale <= kMostScale, a_scale);
  NIBBLE_EXPECTS(-128 <= a_zero_point && a_zero_point <= 127, a_zero_point);
  QuantizedLayer q{inputs, outputs, {}, {}, {}, a_scale, a_zero_point};
  for (std::size_t o = 0; o < outputs; ++o) {
    const auto row = std::span(weight).subspan(o * inputs, inputs);
    const float w_scale = scale_for(largest(row));
    for (const float w : row)
      q.weight.push_back(static_cast<std::int8_t>(std::nearbyint(w / w_scale)));
    q.w_scale.push_back(w_scale);
    // In double: a row of small weights makes the unit so small that a float has no digits for it.
    const double units = std::nearbyint(bias[o] / (double{a_scale} * w_scale));
    q.bias.push_back(static_cast<std::int32_t>(std::clamp(units, -0x1p30, 0x1p30)));
  }
  return q;
  // NIBBLE-STUB: // 1. Refuse what the contract refuses.  2. Whose weights share a scale?
  // NIBBLE-STUB: // 3. In which unit are the sums of an output, and so its bias?
  // NIBBLE-STUB: NIBBLE_TODO("make a layer of int8 weights");
  // NIBBLE-END
}

std::vector<float> linear_weight_only(const QuantizedLayer& layer, std::span<const float> x) {
  // NIBBLE-BEGIN-SOLUTION
  std::vector<float> y;
  for (std::size_t at = 0; at < x.size(); at += layer.inputs) {
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      float sum = 0;
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        sum += x[at + i] * static_cast<float>(layer.weight[o * layer.inputs + i]);
      }
      // One product with the scale for a whole row of weights.
      y.push_back(layer.w_scale[o] * (sum + layer.a_scale * static_cast<float>(layer.bias[o])));
    }
  }
  return y;
  // NIBBLE-STUB: // Codes times floats, and the scale once for each sum. What unit has the bias?
  // NIBBLE-STUB: NIBBLE_TODO("multiply by weights as they are stored");
  // NIBBLE-END
}

std::vector<float> linear_dynamic(const QuantizedLayer& layer, std::span<const float> x) {
  // NIBBLE-BEGIN-SOLUTION
  std::vector<float> y;
  for (std::size_t at = 0; at < x.size(); at += layer.inputs) {
    const auto row = x.subspan(at, layer.inputs);
    const float x_scale = scale_for(largest(row));
    std::vector<std::int32_t> q;
    for (const float value : row) {
      q.push_back(static_cast<std::int32_t>(std::nearbyint(value / x_scale)));
    }
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      // Two terms in two units: the sum has the row's, the bias has that of quantize_layer.
      const float sum = x_scale * static_cast<float>(dot(q, layer, o));
      y.push_back(layer.w_scale[o] * (sum + layer.a_scale * static_cast<float>(layer.bias[o])));
    }
  }
  return y;
  // NIBBLE-STUB: // 1. A scale for each row, and its codes.  2. A sum of integers.
  // NIBBLE-STUB: // 3. Is the bias in the unit of this sum?
  // NIBBLE-STUB: NIBBLE_TODO("quantize each row when it comes");
  // NIBBLE-END
}

std::vector<float> forward_static(const QuantizedModel& model, std::span<const float> x) {
  // NIBBLE-BEGIN-SOLUTION
  const std::vector<ModelLayer> layers = layers_of(model);
  expects_rows(x, layers.front().linear.inputs);
  std::vector<float> real(x.begin(), x.end());  // what stands before a layer is here,
  std::vector<std::int32_t> codes;              // or it has been handed on, and is here
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const ModelLayer& layer = layers[l];
    const bool is_last = l + 1 == layers.size();
    const bool comes_as_codes = l > 0 && !layers[l - 1].is_float;
    if (layer.is_float) {
      real = linear(layer.linear, real);
      if (!is_last) relu(real);
      continue;
    }
    if (!comes_as_codes) codes = enter(layer.quantized, real);
    const std::vector<std::int32_t> acc = sums_of(layer.quantized, codes);
    if (!is_last && !layers[l + 1].is_float) {
      codes = hand_on(layer.quantized, layers[l + 1].quantized, acc);
    } else {
      real = leave(layer.quantized, acc);
      if (!is_last) relu(real);
    }
  }
  return real;
  // NIBBLE-STUB: // 1. Enter: real numbers become codes, once.  2. Sums, and codes of sums.
  // NIBBLE-STUB: // 3. Where does a code have to become a real number again?
  // NIBBLE-STUB: NIBBLE_TODO("run the network on integers");
  // NIBBLE-END
}

std::int64_t model_bytes(const QuantizedModel& model) {
  // NIBBLE-BEGIN-SOLUTION
  const auto bytes = [](const auto& list) {
    return static_cast<std::int64_t>(list.size() * sizeof(list[0]));
  };
  return bytes(model.sizes) + bytes(model.a_scale) + bytes(model.a_zero_point) +
         bytes(model.weight) + bytes(model.w_scale) + bytes(model.bias) + bytes(model.floats);
  // NIBBLE-STUB: NIBBLE_TODO("count everything that the model owns");
  // NIBBLE-END
}

QuantizedModel quantize_model(const FloatModel& net, std::span<const float> x,
                              std::span<const std::int32_t> skip) {
  // NIBBLE-BEGIN-SOLUTION
  const std::vector<Linear> layers = layers_of(net);
  for (const std::int32_t l : skip) {
    NIBBLE_EXPECTS(0 <= l && static_cast<std::size_t>(l) < layers.size(), l);
  }
  FloatModel as_used = net;
  as_used.training = false;  // a range of values that were dropped or doubled is nobody's
  const std::vector<std::vector<float>> inputs = layer_inputs(as_used, x);
  QuantizedModel model{net.sizes, {}, {}, {}, {}, {}, {}};
  const auto append = [](auto& list, const auto& part) {
    list.insert(list.end(), part.begin(), part.end());
  };
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (std::ranges::count(skip, static_cast<std::int32_t>(l)) > 0) {
      model.a_scale.push_back(0);
      model.a_zero_point.push_back(0);
      append(model.floats, layers[l].weight);
      append(model.floats, layers[l].bias);
      continue;
    }
    const auto [least, most] = std::ranges::minmax(inputs[l]);
    const float lo = std::min(0.0f, least), hi = std::max(0.0f, most);
    const float a_scale = hi == lo ? 1 : std::max((hi - lo) / 255, kLeastScale);
    const auto below = static_cast<std::int32_t>(std::nearbyint(lo / a_scale));
    const QuantizedLayer layer = quantize_layer(layers[l], a_scale, -128 - below);
    model.a_scale.push_back(layer.a_scale);
    model.a_zero_point.push_back(layer.a_zero_point);
    append(model.weight, layer.weight);
    append(model.w_scale, layer.w_scale);
    append(model.bias, layer.bias);
  }
  return model;
  // NIBBLE-STUB: // 1. What is each layer given, when the network is used?  2. Its range and scale.
  // NIBBLE-STUB: // 3. Which layers are left as they are, and what is not kept of the others?
  // NIBBLE-STUB: NIBBLE_TODO("quantize all layers but some");
  // NIBBLE-END
}

}  // namespace nibble
