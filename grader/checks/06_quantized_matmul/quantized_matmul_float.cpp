// Lab 06, quantized_matmul_float: the checks.
#include "checks/06_quantized_matmul/quantized_matmul_float.hpp"

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/matmul_of_codes.hpp"

namespace nibble::judge::lab_06_quantized_matmul {
namespace {

Reals real_product(const Scaling::Arguments& in) {
  return reals_of(in, by_definition(product_of(in.a, in.c)));
}

// By hand with powers of two, so that every order of the products gives the same; then, at sizes
// with every tail, in the order of the contract.
TEST(quantized_matmul_float, ScalesEachColumn) {
  const Operands two = operands(kTwoByTwo, 0.5f, {4, 0.25f});
  scaling.gives({{"ByHand", {two, {}, kTwo}, {4, 1.375f, -8, -0.875f}},
                 {"NoK", {{{}, 5, 0.5f, {}, -3, {1, 2, 4, 8}}, {}, {2, 4, 0}}, Reals(8)},
                 {"NoColumns", {{{1}, 5, 0.5f, {}, -3, {}}, {}, {1, 0, 1}}, {}},
                 {"ScalesFirst",
                  {{{6, 7}, 0, 0.1f, {1, 1}, 0, {0.3f}}, {}, {1, 1, 2}},
                  {0x1.8f5c2ap-2f},
                  "the two scales are multiplied first"}});
  scaling.agrees_with(real_product, random_scaled<Scaling>(seed, kScaledShapes));
}

TEST(quantized_matmul_float, AddsTheBiasLast) {
  const Operands two = operands(kTwoByTwo, 0.5f, {4, 0.25f});
  scaling.gives(
      {{"ByHand", {two, {100.5f, -3.25f}, kTwo}, {104.5f, -1.875f, 92.5f, -4.125f}},
       {"EmptySum", {{{}, 5, 0.5f, {}, -3, {2, 4}}, {0.5f, -8.0f}, {1, 2, 0}}, {0.5f, -8.0f}},
       {"RoundsTwice",  // 25 times the product of the scales is 0.75 and 2^-25
        {{{25}, 0, 0.1f, {1}, 0, {0.3f}}, {-0.75f}, {1, 1, 1}},
        {0},
        "the product is a float32 before the bias is added: no fma, and no double"}});
}

/// 4096 products of 64 * 64 make 2^24; five more of 1; then 4096 of -64 * 64. The sum is 5, but a
/// float32 at 2^24 does not feel a 1.
Product five_beyond_float() {
  Product in = constant_product(8197, 0, 64, 0, 64);
  for (int p = 4096; p < 4101; ++p) in.a[p] = in.c[p] = 1;
  for (int p = 4101; p < 8197; ++p) in.c[p] = -64;
  return in;
}

TEST(quantized_matmul_float, SumsBeforeItScales) {
  const auto scaled = [](const Product& of, float b_scale) {
    return Scaling::Arguments{operands(of, 0.5f, {b_scale}), {}, of.e};
  };
  scaling.gives({{"Five", scaled(five_beyond_float(), 0.5f), {1.25f}},
                 {"PastInt16", scaled(constant_product(3, 0, 127, 0, 127), 0.25f), {6048.375f}}});
}

TEST(quantized_matmul_float, RefusesBadScales) {
  const auto with = [](float a_scale, const Reals& b_scales, const Reals& bias = {}) {
    return Scaling::Arguments{operands(kTwoByTwo, a_scale, b_scales), bias, kTwo};
  };
  std::vector<Scaling::Refused> refused;
  for (const auto& [a, b, other] : kBadScales) refused.push_back({"N-DIV0", with(a, {other, b})});
  refuse_sizes_and_codes<Scaling>(refused, with(0.5f, {1, 2}));
  scaling.refuses({{"Fine", with(0.5f, {1, 4}), {1, 22, -2, -14}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_06_quantized_matmul
