// Lab 06: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/apply_zero_points.hpp"
#include "checks/06_quantized_matmul/matmul_of_codes.hpp"
#include "checks/06_quantized_matmul/product_of_codes.hpp"
#include "checks/06_quantized_matmul/product_with_scales.hpp"
#include "checks/06_quantized_matmul/quantize_bias.hpp"
#include "checks/06_quantized_matmul/quantized_linear.hpp"
#include "checks/06_quantized_matmul/quantized_matmul_float.hpp"
#include "checks/06_quantized_matmul/quantized_matmul_int8.hpp"
#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_06_quantized_matmul {
namespace {

// One more than a tile of 64 in each direction.
const Shapes kHiddenShapes = {{1, 1, 1},    {4, 6, 10},    {5, 67, 19}, {67, 5, 23},
                              {65, 65, 65}, {1, 129, 257}, {2, 3, 4099}};

// Zero points anywhere, the rails among them.
std::vector<Multiplying::Input> hidden_products() {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape shape : kHiddenShapes) {
    const std::uint64_t salt = 4 * inputs.size();
    const auto z = code_tensor<std::int8_t>(2, hidden_seed(salt), -128, 127);
    inputs.push_back(
        {size_text(shape), random_product(shape, z[0], inputs.size() % 2 == 0 ? -128 : z[1],
                                          hidden_seed(salt + 1), hidden_seed(salt + 2))});
    if (shape.m * shape.n > 100) expect_different(inputs.back().in, 50);
  }
  return inputs;
}

TEST(quantized_matmul, EqualsTheReference) {
  multiplying.agrees_with(multiplying.reference, hidden_products());
}

TEST(apply_zero_points, EqualsTheDirectProduct) {
  std::vector<Correcting::Row> rows;
  for (const auto& [name, in] : hidden_products()) {
    const auto& [a, za, b, zb, shape] = in;
    const auto [m, n, k] = shape;
    rows.push_back({name,
                    {multiplying.reference({a, 0, b, 0, shape}),
                     multiplying.reference({a, 0, Codes(k, 1), 0, {m, 1, k}}),
                     multiplying.reference({Codes(k, 1), 0, b, 0, {1, n, k}}), za, zb, shape},
                    multiplying.reference(in)});
  }
  correcting.gives(rows);
}

// The last has 201 results, so a tile of 64 leaves some over, which no public case makes it do.
const Shapes kHiddenScaledShapes = {{2, 3, 4}, {5, 2, 3}, {1, 9, 7}, {3, 17, 33}, {3, 67, 5}};

TEST(quantized_matmul_float, EqualsTheReference) {
  const auto plain = random_scaled<Scaling>(hidden_seed, kHiddenScaledShapes);
  auto inputs = plain;
  for (auto [name, in] : plain) {  // powers of two, where a bias adds no rounding
    in.a.a_scale = 0.25f;
    for (I j = 0; j < in.a.b_scales.size(); ++j) {
      in.b.push_back(std::rint(in.a.b_scales[j] * 0x1p18f) - 600);
      in.a.b_scales[j] = j % 2 == 0 ? 0.125f : 0.5f;
    }
    inputs.push_back({name + "WithBias", in});
  }
  scaling.agrees_with(scaling.reference, inputs);
}

// Up to about 10^5 steps: beyond 2^19 every quotient is within rounding of a tie.
TEST(quantize_bias, EqualsTheReference) {
  const Biasing::Arguments many{normal_tensor(67, hidden_seed(201)),
                                uniform_tensor(1, hidden_seed(202), 0.01f, 0.04f)[0],
                                uniform_tensor(67, hidden_seed(203), 0.001f, 0.004f)};
  Expect::healthy(distinct(biasing.reference(many)) > 50, "few different biases");
  biasing.agrees_with(biasing.reference,
                      {{"1", {normal_tensor(1, hidden_seed(200)), 0.02f, {0.003f}}}, {"67", many}},
                      [](Expect& expect, const auto& in, const Sums& got, const Sums& want) {
                        same_codes(expect, "q", got, want,
                                   [&](I j) { return is_near_tie(in.a[j], in.b * in.c[j]); });
                      });
}

TEST(quantized_matmul_int8, EqualsTheReference) {
  auto inputs = random_scaled<Requantizing>(hidden_seed, kHiddenScaledShapes);
  for (auto& [name, in] : inputs) {
    for (const float b_scale : in.a.b_scales) {
      in.b.push_back(static_cast<std::int32_t>(20000.0f * (500.0f * b_scale - 1.2f)));
    }
    in.d = code_tensor<std::int8_t>(1, hidden_seed(300), -20, 20)[0];
  }
  requantizing.agrees_with(requantizing.reference, inputs, near_codes);
}

TEST(quantized_linear, EqualsTheReference) {
  auto inputs = random_layers(hidden_seed, kHiddenScaledShapes, true);
  for (auto& [name, in] : inputs) {
    in.a.zx = code_tensor<std::uint8_t>(1, hidden_seed(500), 20, 60)[0];
    in.a.zy = code_tensor<std::uint8_t>(1, hidden_seed(501), 100, 140)[0];
  }
  running.agrees_with(running.reference, inputs, near_bytes);
}

}  // namespace
}  // namespace nibble::judge::lab_06_quantized_matmul
