// Another right solution: whole matrices with Eigen, sums of codes in double (exact, too), and one
// matrix of real numbers or of codes between layers.
#include <Eigen/Dense>

#include "quantized_linear.hpp"

namespace nibble {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::RowVectorXf;

void expects(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

template <class T>
Matrix<T> matrix_of(std::span<const T> numbers, std::size_t columns) {
  const auto size = static_cast<Eigen::Index>(numbers.size()),
             n = static_cast<Eigen::Index>(columns);
  return Eigen::Map<const Matrix<T>>(numbers.data(), size / n, n);
}

template <class T>
std::vector<T> list_of(const Matrix<T>& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// A scale for each row.
Eigen::VectorXf row_scales(const Matrix<float>& matrix) {
  const Eigen::VectorXf amax = matrix.cwiseAbs().rowwise().maxCoeff();
  return (amax.array() == 0).select(1, (amax.array() / 127).max(kLeastScale));
}

/// A quantized layer as matrices.
struct Parts {
  explicit Parts(const QuantizedLayer& of)
      : layer(of),
        weight(matrix_of<std::int8_t>(of.weight, of.inputs).cast<float>()),
        scale(matrix_of<float>(of.w_scale, of.outputs).row(0)),
        bias(matrix_of<std::int32_t>(of.bias, of.outputs).row(0).cast<float>() * of.a_scale) {}

  Matrix<float> real(const Matrix<float>& sums) const {
    return (sums.rowwise() + bias).array().rowwise() * scale.array();
  }

  const QuantizedLayer& layer;
  Matrix<float> weight;
  Row scale, bias;
};

Matrix<float> codes_of(const Matrix<float>& steps, std::int32_t zero_point, float qmin) {
  return (steps.array().rint() + static_cast<float>(zero_point)).max(qmin).min(127);
}

}  // namespace

QuantizedLayer quantize_layer(const Linear& layer, float a_scale, std::int32_t a_zero_point) {
  const auto legal = [](std::size_t size) { return size >= 1 && size <= 4096; };
  expects(legal(layer.inputs) && legal(layer.outputs), "sizes");
  expects(layer.weight.size() == layer.inputs * layer.outputs, "weights");
  expects(layer.bias.size() == layer.outputs, "biases");
  expects(a_scale >= kLeastScale && a_scale <= kMostScale, "scale");
  expects(a_zero_point >= -128 && a_zero_point <= 127, "zero point");
  const Matrix<float> w = matrix_of<float>(layer.weight, layer.inputs),
                      b = matrix_of<float>(layer.bias, layer.outputs);
  expects((w.cwiseAbs().array() <= kMostScale).all(), "weights");
  expects((b.cwiseAbs().array() <= kMostScale).all(), "biases");
  const Eigen::VectorXf scales = row_scales(w);
  const Matrix<std::int8_t> codes =
      (w.array().colwise() / scales.array()).rint().cast<std::int8_t>();
  const Eigen::RowVectorXd units = scales.transpose().cast<double>() * double{a_scale};
  const Matrix<std::int32_t> bias = (b.row(0).cast<double>().array() / units.array())
                                        .rint()
                                        .max(-0x1p30)
                                        .min(0x1p30)
                                        .cast<std::int32_t>();
  return {layer.inputs,
          layer.outputs,
          list_of<std::int8_t>(codes),
          list_of<float>(scales),
          list_of<std::int32_t>(bias),
          a_scale,
          a_zero_point};
}

std::vector<float> linear_weight_only(const QuantizedLayer& layer, std::span<const float> x) {
  const Parts parts(layer);
  return list_of<float>(parts.real(matrix_of<float>(x, layer.inputs) * parts.weight.transpose()));
}

std::vector<float> linear_dynamic(const QuantizedLayer& layer, std::span<const float> x) {
  const Parts parts(layer);
  const Matrix<float> rows = matrix_of<float>(x, layer.inputs);
  const Eigen::VectorXf scales = row_scales(rows);
  const Matrix<double> codes = (rows.array().colwise() / scales.array()).rint().cast<double>();
  const Matrix<float> acc = (codes * parts.weight.cast<double>().transpose()).cast<float>();
  return list_of<float>(parts.real(acc.array().colwise() * scales.array()));
}

std::vector<float> forward_static(const QuantizedModel& model, std::span<const float> x) {
  const std::vector<ModelLayer> layers = layers_of(model);
  expects_rows(x, layers.front().linear.inputs);
  Matrix<float> now = matrix_of<float>(x, layers.front().linear.inputs);
  const auto is_float = [&](std::size_t l) { return l >= layers.size() || layers[l].is_float; };
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (is_float(l)) {
      const auto y = linear(layers[l].linear, list_of<float>(now));
      now = matrix_of<float>(y, layers[l].linear.outputs);
    } else {
      const Parts parts(layers[l].quantized);
      const QuantizedLayer& layer = parts.layer;
      if (l == 0 || is_float(l - 1)) now = codes_of(now / layer.a_scale, layer.a_zero_point, -128);
      const Matrix<double> steps = now.cast<double>().array() - layer.a_zero_point;
      const Eigen::RowVectorXd bias =
          matrix_of<std::int32_t>(layer.bias, layer.outputs).row(0).cast<double>();
      const Matrix<double> sums =
          (steps * parts.weight.cast<double>().transpose()).rowwise() + bias;
      const Matrix<float> acc = sums.cast<float>();
      const Row unit = parts.scale * layer.a_scale;
      if (!is_float(l + 1)) {
        const auto& [scale, zero_point] =
            std::pair{layers[l + 1].quantized.a_scale, layers[l + 1].quantized.a_zero_point};
        const Row factor = unit / scale;
        now = codes_of(acc.array().rowwise() * factor.array(), zero_point,
                       static_cast<float>(zero_point));
        continue;  // the ReLU was the lower end
      }
      now = acc.array().rowwise() * unit.array();
    }
    if (l + 1 < layers.size()) now = now.cwiseMax(0);
  }
  return list_of<float>(now);
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
      const Matrix<float> given = matrix_of<float>(inputs[l], layers[l].inputs);
      const float lo = std::fmin(given.minCoeff(), 0.0f), hi = std::fmax(given.maxCoeff(), 0.0f);
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
