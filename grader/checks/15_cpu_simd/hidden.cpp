// Lab 15: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cpu_simd.hpp"

#include "checks/15_cpu_simd/best_isa.hpp"
#include "checks/15_cpu_simd/dequantize.hpp"
#include "checks/15_cpu_simd/dot.hpp"
#include "checks/15_cpu_simd/element_by_element.hpp"
#include "checks/15_cpu_simd/multiply_packed.hpp"
#include "checks/15_cpu_simd/multiply_packed_fused.hpp"
#include "checks/15_cpu_simd/pack_b.hpp"
#include "checks/15_cpu_simd/quantize.hpp"
#include "checks/15_cpu_simd/requantize.hpp"
#include "checks/15_cpu_simd/saturating_pair.hpp"
#include "checks/15_cpu_simd/sigmoid.hpp"
#include "checks/15_cpu_simd/values.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

/// `count` numbers from 0 to below - 1.
std::vector<int> drawn(std::size_t count, std::uint64_t salt, int below) {
  return code_tensor<int>(count, hidden_seed(salt), 0, below - 1);
}

TEST(best_isa, EqualsTheReference) {
  const auto sets = drawn(40, 0, 64), caps = drawn(40, 1, 6);
  std::vector<Choosing::Row> rows;
  std::vector<Choosing::Refused> refused;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::uint32_t isas = static_cast<std::uint32_t>(sets[i]) | i % 2;
    const Isa cap = kEveryIsa.at(std::size_t(caps[i]));
    std::ranges::copy(choices(std::array{isas}, std::array{cap}), std::back_inserter(rows));
    if (!best_of(isas, cap)) refused.push_back({"", {isas, cap}});
  }
  choosing.gives(rows);
  choosing.refuses({rows[0]}, refused);
}

TEST(saturating_pair, EveryPairOfWeights) {
  pairs.on_each(weights(random_weights(400, hidden_seed(100))), saturates_or_refuses);
}

TEST(dot, EqualsTheReference) {
  std::vector<int> lengths = drawn(16, 200, 300);
  std::ranges::copy(drawn(8, 201, 30'000), std::back_inserter(lengths));
  dotting.is_right(random_dots(lengths, hidden_seed));
}

std::vector<MatmulShape> hidden_shapes(std::size_t count, std::uint64_t salt, MatmulShape most) {
  const auto m = drawn(count, salt, most.m), n = drawn(count, salt + 1, most.n),
             k = drawn(count, salt + 2, most.k);
  std::vector<MatmulShape> shapes;
  for (std::size_t i = 0; i < count; ++i) shapes.push_back({m[i] + 1, n[i] + 1, k[i] + 1});
  return shapes;
}

TEST(pack_b, EqualsTheReference) {
  const auto all = each_of(
      hidden_shapes(8, 400, {1, 200, 130}),
      [](MatmulShape s, std::uint64_t at) { return random_rows(s.n, s.k, hidden_seed(430 + at)); });
  panels.is_right(all);
  column_sums.is_right(all);
}

std::vector<Product> hidden_products() {
  auto shapes = hidden_shapes(12, 500, {20, 140, 140});
  std::ranges::copy(hidden_shapes(2, 510, {400, 90, 1200}), std::back_inserter(shapes));
  return random_products(shapes, hidden_seed);
}

TEST(multiply_packed, EqualsTheReference) { multiplying.is_right(hidden_products()); }

TEST(multiply_packed_fused, EqualsTheReference) {
  fusing.is_right(random_fused(hidden_products(), hidden_seed));
}

/// Lists of some length up to `most`, with some scale.
template <class Random>
auto hidden_lists(int count, int most, float low, float high, const Random& random) {
  std::vector<decltype(scaled(low, random(1, 1)))> all;
  const Reals scales = uniform_tensor(std::size_t(count), hidden_seed(0), low, high);
  for (const int length : drawn(std::size_t(count), 1, most)) {
    const std::uint64_t salt = 2 + all.size();
    all.push_back(scaled(scales[all.size()], random(std::size_t(length) + 1, hidden_seed(salt))));
  }
  return all;
}

TEST(quantize, EqualsTheReference) {
  quantizing.is_right(hidden_lists(
      12, 9000, 0.005f, 0.05f, [](std::size_t n, auto seed) { return normal_tensor(n, seed); }));
}

TEST(dequantize, EqualsTheReference) {
  dequantizing.is_right(hidden_lists(8, 9000, 1e-6f, 50, random_codes));
}

TEST(requantize, EqualsTheReference) { requantizing.is_right(random_layers(hidden_seed)); }

TEST(sigmoid, EqualsTheReference) {
  squashing.is_right(hidden_lists(8, 3000, 0.004f, 0.2f, random_codes));
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
