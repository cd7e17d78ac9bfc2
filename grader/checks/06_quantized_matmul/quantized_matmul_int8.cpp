// Lab 06, quantized_matmul_int8: the checks.
#include "checks/06_quantized_matmul/quantized_matmul_int8.hpp"

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/matmul_of_codes.hpp"

namespace nibble::judge::lab_06_quantized_matmul {
namespace {

Codes code_product(const Requantizing::Arguments& in) {
  return codes_of(in, by_definition(product_of(in.a, in.e)));
}

// By hand: v = 4, 2.75, -8, -1.75; and 4, -8, 12. Then sizes with every tail.
TEST(quantized_matmul_int8, Requantizes) {
  const Operands two = operands(kTwoByTwo, 0.5f, {2, 0.25f});
  const auto far_apart = [](float a_scale, float b_scale) {
    return Requantizing::Arguments{
        {{1, -2, 3}, 0, a_scale, {1}, 0, {b_scale}}, {}, 0x1p-28f, 5, {3, 1, 1}};
  };
  requantizing.gives(
      {{"ByHand", {two, {}, 0.5f, 10, kTwo}, {14, 13, 2, 8}},
       {"NoK", {{{}, 5, 0.5f, {}, -3, Reals(9, 2.0f)}, {}, 0.5f, 4, {2, 9, 0}}, Codes(18, 4)},
       {"NoRows", {{{}, 5, 0.5f, {1}, -3, {2}}, {}, 0.5f, -3, {0, 1, 1}}, {}},
       {"LargeAndSmall", far_apart(0x1p100f, 0x1p-126f), {9, -3, 17}, kDivideLast},
       {"SmallAndLarge", far_apart(0x1p-126f, 0x1p100f), {9, -3, 17}, kDivideLast}});
  const auto inputs = random_scaled<Requantizing>(seed, kScaledShapes);
  const Codes most = code_product(inputs.back().in);
  Expect::healthy(distinct(most) > 20 && saturated_share(most, -128, 127) < 0.5,
                  "codes that are few, or mostly saturated");
  requantizing.agrees_with(code_product, inputs, near_codes);
}

// One column of sums a[i,0], each scaled by 1/2: v = 0.5, 1.5, 2.5, 3.5, -0.5, -1.5, 2. With a
// zero point of 1, rounding v + 1 moves the ties by one more than it should.
TEST(quantized_matmul_int8, RoundsThenAddsTheZeroPoint) {
  const Operands halves{{1, 3, 5, 7, -1, -3, 4}, 0, 0.5f, {1}, 0, {1}};
  requantizing.gives({{"Ties", {halves, {}, 1, 0, {7, 1, 1}}, {0, 2, 2, 4, 0, -2, 2}},
                      {"OddZeroPoint", {halves, {}, 1, 1, {7, 1, 1}}, {1, 3, 3, 5, 1, -1, 3}}});
}

// Sums 120, -120, 100, 0 at four scales: past the rails by themselves, only with the zero point,
// back inside them by it, and past every integer type.
TEST(quantized_matmul_int8, Saturates) {
  const auto sums = [](float a_scale, float b_scale, float c_scale, int zc) {
    return Requantizing::Arguments{
        {{120, -120, 100, 0}, 0, a_scale, {1}, 0, {b_scale}}, {}, c_scale, zc, {4, 1, 1}};
  };
  requantizing.gives({{"Scaled", sums(2, 1, 1, 3), {127, -128, 127, 3}},
                      {"ByTheZeroPoint", sums(0.5f, 1, 1, 100), {127, 40, 127, 100}},
                      {"BackByTheZeroPoint", sums(1.5f, 1, 1, 70), {127, -110, 127, 70}},
                      {"Huge", sums(1e6f, 1e6f, 1e-3f, -5), {127, -128, 127, -5}}});
}

// In the last two, acc = 2^27 and a bias at the end of int32 leave int32 together: v = 68 exactly
// (and -68), where a wrapped sum gives -60 and a saturated one 64.
TEST(quantized_matmul_int8, AddsTheBiasFirst) {
  const Operands two = operands(kTwoByTwo, 0.5f, {2, 0.25f});
  const auto past = [](int b, std::int32_t bias) {
    const Product of = constant_product(32768, 0, 64, 0, b);
    return Requantizing::Arguments{operands(of, 1, {1}), {bias}, 0x1p25f, 0, of.e};
  };
  const Product odd = constant_product(2001, 0, 127, 0, 127);  // 32274129
  requantizing.gives(
      {{"ByHand", {two, {30, -40}, 0.5f, 10, kTwo}, {74, 3, 62, -2}},
       {"EmptySum", {{{}, 5, 0.5f, {}, -3, {2, 4}}, {6, -6}, 0.5f, 1, {1, 2, 0}}, {13, -23}},
       {"PastInt32", past(64, kTop), {68}},
       {"BelowInt32", past(-64, -kTop), {-68}},
       {"NoFloatInBetween", {operands(odd, 1, {1}), {-32274126}, 0.5f, 0, odd.e}, {6}}});
}

TEST(quantized_matmul_int8, RefusesBadScales) {
  const auto with = [](float a_scale, const Reals& b_scales, float c_scale, int zc = -7,
                       const Sums& bias = {4, -6}) {
    return Requantizing::Arguments{operands(kTwoByTwo, a_scale, b_scales), bias, c_scale, zc, kTwo};
  };
  std::vector<Requantizing::Refused> refused;
  // The last is fine by itself; 0.5 / 3e38 is subnormal.
  for (const float c_scale : {0.0f, -1.0f, kNan, kInfinity, FLT_MIN / 4, 3e38f}) {
    refused.push_back({"N-DIV0", with(0.5f, {1, 2}, c_scale)});
  }
  for (const auto& [a, b, other] : kBadScales) {
    refused.push_back({"N-DIV0", with(a, {other, b}, 0.25f)});
  }
  refused.push_back({"N-RANGE", with(0.5f, {1, 2}, 0.25f, 128)});
  refused.push_back({"N-RANGE", with(0.5f, {1, 2}, 0.25f, -129)});
  refuse_sizes_and_codes<Requantizing>(refused, with(0.5f, {1, 2}, 0.25f, -7, {}));
  requantizing.refuses({{"Fine", with(0.5f, {1, 2}, 0.25f), {5, 13, -7, -59}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_06_quantized_matmul
