// Lab 32: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "gptq.hpp"

#include "checks/32_gptq/activation_order.hpp"
#include "checks/32_gptq/gptq_quantize.hpp"
#include "checks/32_gptq/gptq_row.hpp"
#include "checks/32_gptq/input_hessian.hpp"
#include "checks/32_gptq/inverse_cholesky.hpp"
#include "checks/32_gptq/layer_error.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_32_gptq {
namespace {

TEST(input_hessian, EqualsTheReference) {
  std::vector<Costing::Input> inputs;
  for (const auto& [samples, n] : {std::pair<std::size_t, int>{1, 3}, {7, 5}, {40, 17}, {65, 33}}) {
    const std::size_t count = samples * static_cast<std::size_t>(n);
    inputs.push_back({size_text(samples, n), {sixteenths(count, hidden_seed(count)), n, 0.125}});
  }
  costing.agrees_with(costing.reference, inputs, kSame);
}

TEST(inverse_cholesky, EqualsTheReference) {
  shrinking.agrees_with(shrinking.reference, matrices(hidden_seed, {3, 24, 48}), look_at_factor);
}

TEST(gptq_row, EqualsTheReference) {
  rowing.agrees_with(rowing.reference, rows(hidden_seed, {7, 24, 64}), kSameRow);
}

TEST(activation_order, EqualsTheReference) {
  std::vector<Ordering::Input> inputs;
  for (const std::size_t n : {9, 20, 60}) {
    const auto diagonal = code_tensor<std::int32_t>(n, hidden_seed(n), 1, 20);
    inputs.push_back(
        {std::to_string(n),
         {with_diagonal({diagonal.begin(), diagonal.end()}), static_cast<std::int32_t>(n)}});
  }
  ordering.agrees_with(ordering.reference, inputs);
}

TEST(gptq_quantize, EqualsTheReference) {
  const std::vector<LayerSize> sizes = {{2, 9, 12}, {5, 20, 80}, {12, 32, 48}};
  quantizing.agrees_with(quantizing.reference, layers(hidden_seed, sizes, false), kSameLayer);
  quantizing.agrees_with(quantizing.reference, layers(hidden_seed, sizes, true), kSameLayer);
  beats_rounding(hidden_seed, 3);
}

TEST(layer_error, EqualsTheReference) {
  std::vector<Erring::Input> inputs;
  for (const auto& [outputs, n, samples] : {LayerSize{3, 5, 7}, {8, 16, 60}}) {
    inputs.push_back(
        {size_text(outputs, n),
         {sixteenths(outputs * n, hidden_seed(n)), sixteenths(outputs * n, hidden_seed(n + 1)),
          sixteenths(samples * n, hidden_seed(n + 2)), static_cast<std::int32_t>(n)}});
  }
  erring.agrees_with(erring.reference, inputs, kSameError);
}

}  // namespace
}  // namespace nibble::judge::lab_32_gptq
