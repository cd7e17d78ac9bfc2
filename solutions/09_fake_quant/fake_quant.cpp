// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 09. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 09. The contract is in fake_quant.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 09        (or leave ./nibble watch open)
// NIBBLE-END
#include "fake_quant.hpp"

namespace nibble {

// NIBBLE-BEGIN-SOLUTION
namespace {

void check(std::span<const float> x, std::span<const float> upstream, const Grid& grid) {
  expects_grid(grid);
  NIBBLE_EXPECTS(x.size() == upstream.size(), upstream.size());
  expects_finite(x);
  expects_finite(upstream);
}

enum class Side { kBelow, kInside, kAbove };

/// Where the code lies before it is clamped: rounded first, and then compared.
Side side_of(float x, const Grid& grid) {
  const float steps = std::nearbyint(x / grid.scale);
  if (steps < static_cast<float>(grid.qmin - grid.zero_point)) return Side::kBelow;
  if (steps > static_cast<float>(grid.qmax - grid.zero_point)) return Side::kAbove;
  return Side::kInside;
}

/// What both learned parameters share: they add up over the whole tensor, and would learn far too
/// fast if they were not divided by a number that grows with it.
template <class Slope>
float learned_gradient(std::span<const float> x, std::span<const float> upstream, const Grid& grid,
                       Slope slope) {
  check(x, upstream, grid);
  if (x.empty()) return 0.0f;  // not 0 / 0
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += double{upstream[i]} * double{slope(x[i])};
  return static_cast<float>(sum / std::sqrt(static_cast<double>(x.size()) * grid.qmax));
}

}  // namespace

// NIBBLE-END
std::vector<float> fake_quantize_backward(std::span<const float> x, std::span<const float> upstream,
                                          const Grid& grid) {
  // NIBBLE-BEGIN-SOLUTION
  check(x, upstream, grid);
  std::vector<float> gradient(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (side_of(x[i], grid) == Side::kInside) gradient[i] = upstream[i];
  }
  return gradient;
  // NIBBLE-STUB: // 1. Refuse.  2. Which code has x[i] before it is clamped?  3. Who passes?
  // NIBBLE-STUB: NIBBLE_TODO("let the gradient through where nothing was clamped");
  // NIBBLE-END
}

float scale_gradient(std::span<const float> x, std::span<const float> upstream, const Grid& grid) {
  // NIBBLE-BEGIN-SOLUTION
  return learned_gradient(x, upstream, grid, [&grid](float value) {
    switch (side_of(value, grid)) {
      case Side::kBelow:
        return static_cast<float>(grid.qmin - grid.zero_point);
      case Side::kAbove:
        return static_cast<float>(grid.qmax - grid.zero_point);
      default:
        break;
    }
    // round() itself has slope 0; that it counts as 1 is what subtracts the quotient.
    const float v = value / grid.scale;
    return std::nearbyint(v) - v;
  });
  // NIBBLE-STUB: // 1. Refuse.  2. A slope for each x[i]: below, inside, above.
  // NIBBLE-STUB: // 3. A sum, in which type?  4. Divided by what? And when there is nothing?
  // NIBBLE-STUB: NIBBLE_TODO("add up what a longer step would do");
  // NIBBLE-END
}

float zero_point_gradient(std::span<const float> x, std::span<const float> upstream,
                          const Grid& grid) {
  // NIBBLE-BEGIN-SOLUTION
  return learned_gradient(x, upstream, grid, [&grid](float value) {
    return side_of(value, grid) == Side::kInside ? 0.0f : -grid.scale;
  });
  // NIBBLE-STUB: // The same sum with another slope. What moves when the zero point does?
  // NIBBLE-STUB: NIBBLE_TODO("add up what another zero point would do");
  // NIBBLE-END
}

float scale_step(float scale, float gradient, float rate) {
  // NIBBLE-BEGIN-SOLUTION
  const float next = scale - rate * gradient;
  // Without an end to its steps, a scale that was far off would become negative.
  const float near = std::clamp(next, scale / 2.0f, scale * 2.0f);
  return std::clamp(near, FLT_MIN, FLT_MAX);
  // NIBBLE-STUB: // Downhill. And if that is too far?
  // NIBBLE-STUB: NIBBLE_TODO("take one step down, and stay a scale");
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
namespace {

void expects_scale(float scale) { NIBBLE_EXPECTS(std::isnormal(scale) && scale > 0.0f, scale); }

void expects_code(std::int32_t code) { NIBBLE_EXPECTS(-128 <= code && code <= 127, code); }

void check(const FakeLayer& layer) {
  const std::size_t outputs = layer.bias.size();
  NIBBLE_EXPECTS(outputs >= 1, outputs);
  NIBBLE_EXPECTS(layer.weight_scales.size() == outputs, layer.weight_scales.size());
  NIBBLE_EXPECTS(layer.weight.size() % outputs == 0, layer.weight.size());
  const std::size_t inputs = layer.weight.size() / outputs;
  NIBBLE_EXPECTS(1 <= inputs && inputs <= 32768, inputs);
  expects_finite(layer.weight);
  expects_finite(layer.bias);
  expects_scale(layer.input_scale);
  expects_scale(layer.output_scale);
  expects_code(layer.input_zero_point);
  expects_code(layer.output_zero_point);
  for (const float scale : layer.weight_scales) {
    expects_scale(scale);
    expects_scale(layer.input_scale * scale);
    expects_scale((layer.input_scale * scale) / layer.output_scale);
  }
}

/// The whole number of steps nearest to `x`, as a float; [-128, 127] less the zero point.
float whole_steps(float x, float scale, std::int32_t zero_point) {
  return std::clamp(std::nearbyint(x / scale), static_cast<float>(-128 - zero_point),
                    static_cast<float>(127 - zero_point));
}

/// A layer in whole numbers, of which both forms are made: so they cannot differ.
struct WholeLayer {
  std::size_t inputs;
  std::vector<float> weight, bias;
  std::vector<float> multiplier;  ///< what one unit of a sum is in steps of the output
};

WholeLayer whole_numbers(const FakeLayer& layer) {
  check(layer);
  const std::size_t outputs = layer.bias.size();
  WholeLayer whole{layer.weight.size() / outputs, {}, {}, {}};
  for (std::size_t j = 0; j < outputs; ++j) {
    const float unit = layer.input_scale * layer.weight_scales[j];
    whole.bias.push_back(std::nearbyint(layer.bias[j] / unit));
    NIBBLE_EXPECTS(std::fabs(whole.bias[j]) <= 0x1p30f, layer.bias[j]);
    whole.multiplier.push_back(unit / layer.output_scale);
    for (std::size_t p = 0; p < whole.inputs; ++p) {
      const float weight = layer.weight[j * whole.inputs + p];
      whole.weight.push_back(whole_steps(weight, layer.weight_scales[j], 0));
    }
  }
  return whole;
}

}  // namespace

// NIBBLE-END
std::vector<float> fake_linear(std::span<const float> x, const FakeLayer& layer) {
  // NIBBLE-BEGIN-SOLUTION
  const WholeLayer whole = whole_numbers(layer);
  NIBBLE_EXPECTS(x.size() % whole.inputs == 0, x.size());
  expects_finite(x);

  std::vector<float> y;
  for (std::size_t start = 0; start < x.size(); start += whole.inputs) {
    for (std::size_t j = 0; j < whole.bias.size(); ++j) {
      double sum = whole.bias[j];  // whole numbers below 2^31: exact, which float32 would not be
      for (std::size_t p = 0; p < whole.inputs; ++p) {
        const float a = whole_steps(x[start + p], layer.input_scale, layer.input_zero_point);
        sum += double{a} * double{whole.weight[j * whole.inputs + p]};
      }
      const float v = static_cast<float>(sum) * whole.multiplier[j];
      y.push_back(layer.output_scale * whole_steps(v, 1.0f, layer.output_zero_point));
    }
  }
  return y;
  // NIBBLE-STUB: // 1. Refuse; a helper of your own can do it for both forms.  2. Whole numbers.
  // NIBBLE-STUB: // 3. Which type holds their sum?  4. One product, one rounding, one clamp.
  // NIBBLE-STUB: NIBBLE_TODO("run the layer in floats, as its integers will run");
  // NIBBLE-END
}

IntegerLayer fold_to_integers(const FakeLayer& layer) {
  // NIBBLE-BEGIN-SOLUTION
  const WholeLayer whole = whole_numbers(layer);
  IntegerLayer integers{{}, {}, whole.multiplier, layer.output_zero_point};
  for (std::size_t j = 0; j < whole.bias.size(); ++j) {
    std::int32_t sum = 0;
    for (std::size_t p = 0; p < whole.inputs; ++p) {
      const auto code = static_cast<std::int8_t>(whole.weight[j * whole.inputs + p]);
      integers.weight.push_back(code);
      sum += code;
    }
    // (q - z) * w is q * w - z * w, and the second part is the same for every row.
    const auto bias = static_cast<std::int32_t>(whole.bias[j]);
    integers.bias.push_back(bias - layer.input_zero_point * sum);
  }
  return integers;
  // NIBBLE-STUB: // 1. Refuse.  2. Codes of the weights.  3. What does the zero point of x add to
  // NIBBLE-STUB: //    every row? 4. The multiplier, in the order that fake_linear has it.
  // NIBBLE-STUB: NIBBLE_TODO("fold the layer into integers");
  // NIBBLE-END
}

}  // namespace nibble
