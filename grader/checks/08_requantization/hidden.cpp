// Lab 08: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "requantization.hpp"

#include "checks/08_requantization/add_quantized.hpp"
#include "checks/08_requantization/average_quantized.hpp"
#include "checks/08_requantization/multiply_by_quantized_multiplier.hpp"
#include "checks/08_requantization/quantize_multiplier.hpp"
#include "checks/08_requantization/requantize.hpp"
#include "checks/08_requantization/requantize_relu.hpp"
#include "checks/08_requantization/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_08_requantization {
namespace {

/// Factors of a layer, some of them large, and one of them 0.
Factors hidden_factors(std::size_t n, std::uint64_t salt, int lowest, int highest) {
  Factors factors{code_tensor<std::int32_t>(n, hidden_seed(salt), kHalf, kLast),
                  code_tensor<std::int32_t>(n, hidden_seed(salt + 1), lowest, highest)};
  if (n > 4) factors.multiplier[n / 2] = factors.shift[n / 2] = 0;
  return factors;
}

TEST(quantize_multiplier, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference, random_factors(hidden_seed, 1500, 66));
}

TEST(multiply_by_quantized_multiplier, EqualsTheReference) {
  std::vector<Multiplying::Input> inputs =
      every_shift(hidden_seed, code_tensor<std::int32_t>(2, hidden_seed(3), kHalf, kLast));
  for (const Rounding rounding : kBoth) {
    const std::size_t n = 67;
    inputs.push_back({"37x67" + show(rounding),
                      {code_tensor<std::int32_t>(37 * n, hidden_seed(4), -(1 << 22), 1 << 22),
                       hidden_factors(n, 5, -14, 0), rounding}});
  }
  multiplying.agrees_with(multiplying.reference, inputs);
}

/// Sums of a layer of n channels whose codes use the grid, and the bias.
struct HiddenLayer {
  Sums acc, bias;
  Factors factors;
};
HiddenLayer hidden_layer(std::size_t m, std::size_t n) {
  return {code_tensor<std::int32_t>(m * n, hidden_seed(10 * n), -40000, 40000),
          code_tensor<std::int32_t>(n, hidden_seed(10 * n + 1), -9000, 9000),
          hidden_factors(n, 10 * n + 2, -11, -7)};
}

constexpr std::pair<std::size_t, std::size_t> kHiddenSizes[] = {{1, 1}, {9, 5}, {31, 67}};

TEST(requantize, EqualsTheReference) {
  std::vector<Requantizing::Input> inputs;
  for (const auto& [m, n] : kHiddenSizes) {
    const auto& [acc, bias, factors] = hidden_layer(m, n);
    for (const Rounding rounding : kBoth) {
      for (const bool biased : {false, true}) {
        const Requantizing::Arguments in{acc, biased ? bias : Sums{}, factors,
                                         static_cast<std::int32_t>(n) - 40, rounding};
        Expect::healthy(n < 60 || distinct(requantizing.reference(in)) > 150, "few codes");
        inputs.push_back({std::to_string(n) + show(rounding), in});
      }
    }
  }
  requantizing.agrees_with(requantizing.reference, inputs);
}

TEST(requantize_relu, EqualsTheReference) {
  std::vector<Activating::Input> inputs;
  for (const auto& [m, n] : kHiddenSizes) {
    const auto& [acc, bias, factors] = hidden_layer(m, n);
    for (const Activation activation : {Activation::kRelu, Activation::kRelu6}) {
      const float c_scale = uniform_tensor(1, hidden_seed(n), 0.06f, 0.3f)[0];
      for (const Rounding rounding : kBoth) {
        inputs.push_back({std::to_string(n) + show(activation) + show(rounding),
                          {acc, bias, factors, c_scale, 7 - static_cast<std::int32_t>(n),
                           activation, rounding}});
      }
    }
  }
  activating.agrees_with(activating.reference, inputs);
}

TEST(add_quantized, EqualsTheReference) {
  std::vector<Adding::Input> inputs;
  const auto scales = uniform_tensor(12, hidden_seed(30), 0.004f, 0.2f);
  const auto zero_points = code_tensor<std::int8_t>(12, hidden_seed(31), -128, 127);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t count = i == 0 ? 1 : 601;
    const auto tensor = [&](std::size_t at) {
      return QuantizedTensor{code_tensor<std::int8_t>(count, hidden_seed(32 + at), -128, 127),
                             scales[at], zero_points[at]};
    };
    const float c_scale = std::max(scales[3 * i], scales[3 * i + 1]) * (1 + scales[3 * i + 2]);
    inputs.push_back({std::to_string(count) + "." + std::to_string(i),
                      {tensor(3 * i), tensor(3 * i + 1), c_scale, zero_points[3 * i + 2],
                       i % 2 == 0 ? Rounding::kSingle : Rounding::kDouble}});
  }
  adding.agrees_with(adding.reference, inputs);
}

TEST(average_quantized, EqualsTheReference) {
  std::vector<Averaging::Input> inputs;
  for (const auto& [m, n, window] : {std::array{1, 1, 1}, {7, 3, 2}, {50, 17, 4}, {127, 33, 10}}) {
    inputs.push_back({std::to_string(m) + "x" + std::to_string(n),
                      {code_tensor<std::int8_t>(std::size_t(m) * n, hidden_seed(40 + m), -128, 127),
                       n, window}});
  }
  averaging.agrees_with(averaging.reference, inputs);
}

}  // namespace
}  // namespace nibble::judge::lab_08_requantization
