// Lab 35: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "roofline.hpp"

#include "checks/35_roofline/attainable.hpp"
#include "checks/35_roofline/compare_pairs.hpp"
#include "checks/35_roofline/product_cost.hpp"
#include "checks/35_roofline/summarize.hpp"
#include "checks/35_roofline/tokens_per_second.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_35_roofline {
namespace {

std::vector<Costing::Input> products() {
  std::vector<Costing::Input> inputs;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto size = code_tensor<std::int32_t>(3, hidden_seed(i), 1, i < 12 ? 99 : 99'999);
    const auto bits = code_tensor<std::int32_t>(3, hidden_seed(i + 100), 1, 64);
    const Product product{size[0], size[1], size[2], bits[0], bits[1], bits[2], i % 2 == 1};
    inputs.push_back({std::to_string(i), {product}});
  }
  return inputs;
}

TEST(product_cost, EqualsTheReference) { costing.agrees_with(costing.reference, products()); }

std::vector<Roofing::Input> costs() {
  std::vector<Roofing::Input> inputs;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto of = code_tensor<std::int32_t>(4, hidden_seed(i), 1, 1'000'000);
    inputs.push_back({std::to_string(i),
                      {Cost{of[0], i % 8 == 7 ? 0 : of[1]}, {double{1e6} * of[2], 1e5 * of[3]}}});
  }
  return inputs;
}

TEST(attainable, EqualsTheReference) { roofing.agrees_with(roofing.reference, costs()); }

TEST(summarize, EqualsTheReference) {
  summing.agrees_with(summary_by_definition, runs(hidden_seed, 403));
}

TEST(compare_pairs, EqualsTheReference) {
  comparing.agrees_with(comparison_by_definition, many_pairs(hidden_seed, 257));
}

/// Some of them wait for memory, some for arithmetic.
std::vector<Writing::Input> decoders() {
  std::vector<Writing::Input> inputs;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto of = code_tensor<std::int32_t>(6, hidden_seed(i), 1, 1'000'000);
    const Decoder decoder{std::int64_t{of[0]} * 7000, 0.5 + of[1] / 4e4, of[2] / 8, of[3] / 50,
                          of[4] / (i % 2 == 0 ? 1 : 60'000) + 1};
    inputs.push_back({std::to_string(i), {decoder, {1e6 * of[5], 1e11}}});
  }
  return inputs;
}

TEST(tokens_per_second, EqualsTheReference) { writing.agrees_with(writing.reference, decoders()); }

}  // namespace
}  // namespace nibble::judge::lab_35_roofline
