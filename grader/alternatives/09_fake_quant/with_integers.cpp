// What is different here: codes are integers from the start, in 64 bits. The layer that is trained
// is the folded one, run on codes and turned back into floats.
#include "fake_quant.hpp"

namespace nibble {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}
bool is_scale(float scale) { return std::isnormal(scale) && scale > 0.0f; }
bool is_code(std::int32_t code) { return static_cast<std::int8_t>(code) == code; }
bool all_finite(std::span<const float> x) {
  return std::ranges::all_of(x, [](float value) { return std::isfinite(value); });
}

/// The code before it is clamped; what is too far for an integer is far outside.
std::int64_t code_of(float x, float scale, std::int64_t zero_point) {
  return std::llrint(std::clamp(x / scale, -0x1p40f, 0x1p40f)) + zero_point;
}

/// -1 below, 0 inside, 1 above.
int side(float x, const Grid& grid) {
  const std::int64_t code = code_of(x, grid.scale, grid.zero_point);
  return (code > grid.qmax) - (code < grid.qmin);
}

void require_arguments(std::span<const float> x, std::span<const float> upstream,
                       const Grid& grid) {
  expects_grid(grid);
  require(x.size() == upstream.size(), "as many gradients as values");
  require(all_finite(x) && all_finite(upstream), "finite values");
}

float normalized(double sum, std::size_t n, const Grid& grid) {
  return n == 0 ? 0.0f : static_cast<float>(sum / std::sqrt(double(n) * double(grid.qmax)));
}

struct Sizes {
  std::size_t inputs, outputs;
};

Sizes sizes_of(const FakeLayer& layer) {
  const std::size_t outputs = layer.bias.size();
  require(outputs > 0 && layer.weight_scales.size() == outputs, "a scale and a bias an output");
  const std::size_t inputs = layer.weight.size() / outputs;
  require(inputs * outputs == layer.weight.size(), "whole rows of weights");
  require(inputs >= 1 && inputs <= (1u << 15), "a number of inputs that cannot overflow");
  return {inputs, outputs};
}

}  // namespace

std::vector<float> fake_quantize_backward(std::span<const float> x, std::span<const float> upstream,
                                          const Grid& grid) {
  require_arguments(x, upstream, grid);
  std::vector<float> gradient;
  std::transform(x.begin(), x.end(), upstream.begin(), std::back_inserter(gradient),
                 [&](float value, float slope) { return side(value, grid) == 0 ? slope : 0.0f; });
  return gradient;
}

float scale_gradient(std::span<const float> x, std::span<const float> upstream, const Grid& grid) {
  require_arguments(x, upstream, grid);
  const std::array<double, 3> ends{double(grid.qmin - grid.zero_point), 0.0,
                                   double(grid.qmax - grid.zero_point)};
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int where = side(x[i], grid);
    const double v = x[i] / grid.scale;
    const double slope = where == 0 ? std::rint(v) - v : ends[std::size_t(where + 1)];
    sum += upstream[i] * slope;
  }
  return normalized(sum, x.size(), grid);
}

float zero_point_gradient(std::span<const float> x, std::span<const float> upstream,
                          const Grid& grid) {
  require_arguments(x, upstream, grid);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (side(x[i], grid) != 0) sum -= double(upstream[i]) * double(grid.scale);
  }
  return normalized(sum, x.size(), grid);
}

float scale_step(float scale, float gradient, float rate) {
  const float wanted = scale - rate * gradient;
  const float most = scale > FLT_MAX / 2 ? FLT_MAX : scale * 2;
  const float least = scale / 2 < FLT_MIN ? FLT_MIN : scale / 2;
  return wanted < least ? least : wanted > most ? most : wanted;
}

std::vector<float> fake_linear(std::span<const float> x, const FakeLayer& layer) {
  const IntegerLayer folded = fold_to_integers(layer);
  require(x.size() % sizes_of(layer).inputs == 0, "whole rows");
  require(all_finite(x), "finite values");
  std::vector<std::int8_t> codes;
  for (const float value : x) {
    const std::int64_t code = code_of(value, layer.input_scale, layer.input_zero_point);
    codes.push_back(static_cast<std::int8_t>(std::clamp<std::int64_t>(code, -128, 127)));
  }
  std::vector<float> y;
  for (const std::int8_t code : integer_linear(codes, folded)) {
    y.push_back(layer.output_scale * static_cast<float>(code - layer.output_zero_point));
  }
  return y;
}

IntegerLayer fold_to_integers(const FakeLayer& layer) {
  const auto [inputs, outputs] = sizes_of(layer);
  require(all_finite(layer.weight) && all_finite(layer.bias), "finite parameters");
  require(is_scale(layer.input_scale) && is_scale(layer.output_scale), "scales");
  require(is_code(layer.input_zero_point) && is_code(layer.output_zero_point), "zero points");

  IntegerLayer integers{{}, {}, {}, layer.output_zero_point};
  for (std::size_t j = 0; j < outputs; ++j) {
    const float scale = layer.weight_scales[j], unit = layer.input_scale * scale;
    require(is_scale(scale) && is_scale(unit) && is_scale(unit / layer.output_scale), "a factor");
    integers.multiplier.push_back(unit / layer.output_scale);
    require(std::fabs(std::rint(layer.bias[j] / unit)) <= 0x1p30f, "a bias that fits");
    std::int64_t bias = code_of(layer.bias[j], unit, 0);
    for (std::size_t p = j * inputs; p < (j + 1) * inputs; ++p) {
      const std::int64_t unclamped = code_of(layer.weight[p], scale, 0);
      const auto code = std::clamp<std::int64_t>(unclamped, -128, 127);
      integers.weight.push_back(static_cast<std::int8_t>(code));
      bias -= layer.input_zero_point * code;
    }
    integers.bias.push_back(static_cast<std::int32_t>(bias));
  }
  return integers;
}

}  // namespace nibble
