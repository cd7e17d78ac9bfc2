// Another right solution: rows as valarrays, sums of codes in double (exact, too), layers one
// after the other on a list of rows that are real numbers or codes.
#include <valarray>

#include "quantized_linear.hpp"

namespace nibble {
namespace {

using Numbers = std::valarray<double>;
using Rows = std::vector<Numbers>;

void expects(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

template <class List>
Numbers numbers_of(const List& list, std::size_t first, std::size_t count) {
  Numbers all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<double>(list[first + i]);
  return all;
}

template <class List>
Rows rows_of(const List& list, std::size_t n) {
  Rows rows;
  for (std::size_t at = 0; at < list.size(); at += n) rows.push_back(numbers_of(list, at, n));
  return rows;
}

std::vector<float> list_of(const Rows& rows) {
  std::vector<float> list;
  for (const Numbers& row : rows) {
    for (const double v : row) list.push_back(static_cast<float>(v));
  }
  return list;
}

float scale_of(const Numbers& row) {
  const auto most = static_cast<float>(std::abs(row).max());
  return most == 0 ? 1.0f : std::fmax(most / 127.0f, kLeastScale);
}

/// Rounded quotients, in float as the contract has them.
Numbers steps_of(const Numbers& row, float scale) {
  Numbers steps = row;
  for (double& v : steps) v = std::rint(static_cast<float>(v) / scale);
  return steps;
}

Numbers clamped(Numbers codes, double qmin) {
  codes[codes < qmin] = qmin;
  codes[codes > 127.0] = 127;
  return codes;
}

/// One layer, taken apart.
struct Parts {
  explicit Parts(const QuantizedLayer& of)
      : layer(of),
        weight(rows_of(of.weight, of.inputs)),
        scale(numbers_of(of.w_scale, 0, of.outputs)),
        bias(numbers_of(of.bias, 0, of.outputs)) {}

  Numbers sums(const Numbers& row) const {
    Numbers all(weight.size());
    for (std::size_t o = 0; o < weight.size(); ++o) all[o] = (row * weight[o]).sum();
    return all;
  }

  /// A product of scales in float.
  Numbers units() const {
    Numbers all = scale;
    for (double& v : all) v = layer.a_scale * static_cast<float>(v);
    return all;
  }

  const QuantizedLayer& layer;
  Rows weight;
  Numbers scale, bias;
};

/// From sums to the codes of `next`.
Numbers handed_on(const Parts& parts, const Numbers& acc, const QuantizedLayer& next) {
  Numbers q = acc;
  const Numbers units = parts.units();
  for (std::size_t o = 0; o < q.size(); ++o) {
    const float factor = static_cast<float>(units[o]) / next.a_scale;
    q[o] = std::rint(static_cast<float>(acc[o]) * factor);
  }
  return clamped(q + double(next.a_zero_point), next.a_zero_point);
}

}  // namespace

QuantizedLayer quantize_layer(const Linear& layer, float a_scale, std::int32_t a_zero_point) {
  const auto legal = [](std::size_t size) { return size >= 1 && size <= 4096; };
  const auto small = [](float v) { return v >= -kMostScale && v <= kMostScale; };
  expects(legal(layer.inputs) && legal(layer.outputs), "sizes");
  expects(layer.weight.size() == layer.inputs * layer.outputs, "weights");
  expects(layer.bias.size() == layer.outputs, "biases");
  expects(std::ranges::all_of(layer.weight, small), "weights");
  expects(std::ranges::all_of(layer.bias, small), "biases");
  expects(a_scale >= kLeastScale && a_scale <= kMostScale, "scale");
  expects(a_zero_point >= -128 && a_zero_point <= 127, "zero point");
  QuantizedLayer q{layer.inputs, layer.outputs, {}, {}, {}, a_scale, a_zero_point};
  for (const Numbers& row : rows_of(layer.weight, layer.inputs)) {
    q.w_scale.push_back(scale_of(row));
    for (const double code : steps_of(row, q.w_scale.back())) {
      q.weight.push_back(static_cast<std::int8_t>(code));
    }
  }
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const double units = std::rint(layer.bias[o] / (double{q.w_scale[o]} * double{a_scale}));
    q.bias.push_back(static_cast<std::int32_t>(std::fmin(std::fmax(units, -0x1p30), 0x1p30)));
  }
  return q;
}

std::vector<float> linear_weight_only(const QuantizedLayer& layer, std::span<const float> x) {
  const Parts parts(layer);
  Rows rows = rows_of(x, layer.inputs);
  for (Numbers& row : rows) {
    row = Numbers(parts.scale * (parts.sums(row) + parts.bias * double{layer.a_scale}));
  }
  return list_of(rows);
}

std::vector<float> linear_dynamic(const QuantizedLayer& layer, std::span<const float> x) {
  const Parts parts(layer);
  Rows rows = rows_of(x, layer.inputs);
  for (Numbers& row : rows) {
    const float scale = scale_of(row);
    const Numbers acc = parts.sums(steps_of(row, scale)) * double{scale};
    row = Numbers(parts.scale * (acc + parts.bias * double{layer.a_scale}));
  }
  return list_of(rows);
}

std::vector<float> forward_static(const QuantizedModel& model, std::span<const float> x) {
  const std::vector<ModelLayer> layers = layers_of(model);
  expects_rows(x, layers.front().linear.inputs);
  Rows now = rows_of(x, layers.front().linear.inputs);
  const auto is_float = [&](std::size_t l) { return l >= layers.size() || layers[l].is_float; };
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (is_float(l)) {
      now = rows_of(linear(layers[l].linear, list_of(now)), layers[l].linear.outputs);
    } else {
      const QuantizedLayer& layer = layers[l].quantized;
      const Parts parts(layer);
      const double zero_point = layer.a_zero_point;
      for (Numbers& row : now) {
        const bool enters = l == 0 || is_float(l - 1);
        if (enters) row = clamped(steps_of(row, layer.a_scale) + zero_point, -128);
        const Numbers acc = parts.sums(row - zero_point) + parts.bias;
        if (!is_float(l + 1)) {
          row = handed_on(parts, acc, layers[l + 1].quantized);
          continue;
        }
        row = acc;
        const Numbers units = parts.units();
        for (std::size_t o = 0; o < row.size(); ++o) {
          row[o] = static_cast<float>(acc[o]) * static_cast<float>(units[o]);
        }
      }
    }
    if (l + 1 == layers.size() || (!is_float(l) && !is_float(l + 1))) continue;
    for (Numbers& row : now) row[row < 0.0] = 0;
  }
  return list_of(now);
}

std::int64_t model_bytes(const QuantizedModel& model) {
  const auto& [sizes, a_scale, a_zero_point, weight, w_scale, bias, floats] = model;
  std::size_t bytes = 0;
  const auto add = [&bytes](const auto&... list) {
    ((bytes += std::span(list).size_bytes()), ...);
  };
  add(sizes, a_scale, a_zero_point, weight, w_scale, bias, floats);
  return static_cast<std::int64_t>(bytes);
}

QuantizedModel quantize_model(const FloatModel& net, std::span<const float> x,
                              std::span<const std::int32_t> skip) {
  const std::vector<Linear> layers = layers_of(net);
  for (const std::int32_t l : skip) expects(l >= 0 && std::size_t(l) < layers.size(), "no layer");
  const auto inputs = layer_inputs({net.sizes, net.weights, net.biases, false}, x);
  QuantizedModel model{net.sizes, {}, {}, {}, {}, {}, {}};
  for (std::size_t l = 0; l < layers.size(); ++l) {
    float scale = 0;
    std::int32_t zero_point = 0;
    if (std::ranges::find(skip, std::int32_t(l)) == skip.end()) {
      const float lo = std::fmin(std::ranges::min(inputs[l]), 0.0f),
                  hi = std::fmax(std::ranges::max(inputs[l]), 0.0f);
      scale = lo == hi ? 1.0f : std::fmax((hi - lo) / 255.0f, kLeastScale);
      zero_point = -128 + static_cast<std::int32_t>(std::lrint(-lo / scale));
      const QuantizedLayer layer = quantize_layer(layers[l], scale, zero_point);
      std::ranges::copy(layer.weight, std::back_inserter(model.weight));
      std::ranges::copy(layer.w_scale, std::back_inserter(model.w_scale));
      std::ranges::copy(layer.bias, std::back_inserter(model.bias));
    } else {
      std::ranges::copy(layers[l].weight, std::back_inserter(model.floats));
      std::ranges::copy(layers[l].bias, std::back_inserter(model.floats));
    }
    model.a_scale.push_back(scale);
    model.a_zero_point.push_back(zero_point);
  }
  return model;
}

}  // namespace nibble
