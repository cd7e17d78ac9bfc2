// Lab 12, quantize_q8_0: the checks.
#include "checks/12_int4/quantize_q8_0.hpp"

#include "checks/12_int4/quantize_q4_0.hpp"
#include "judge/picture.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

Bytes q8(std::uint16_t half, std::vector<int> q) {
  q.resize(kBlockValues);
  return joined(kQ8, {{half}, q});
}

void gives8(const std::vector<Quantizing8::Row>& rows) {
  quantizing8.gives(rows, part_by_part(kQ8));
}

// In the last, every place has a code of its own.
TEST(quantize_q8_0, FollowsTheFormula) {
  Reals x;
  std::vector<int> q;
  for (int j = 0; j < 32; ++j) {
    q.push_back(j == 0 ? -127 : 7 * j - 100);
    x.push_back(float_from_half(kTwoBytes) * static_cast<float>(q.back()));
  }
  gives8(
      {{"WholeSteps", {block({127, -127, 1, -1, 0, 64})}, q8(kOne, {127, -127, 1, -1, 0, 64})},
       {"BelowZero", {block({1, -63.5f, 31})}, q8(kHalf, {2, -127, 62})},
       {"UpAndDown", {block({127, 2.75f, 2.25f, -2.75f, -2.25f})}, q8(kOne, {127, 3, 2, -3, -2})},
       {"Empty", {Reals{}}, {}},
       {"TwoBlocks",
        {block({127, 3}) + block({63.5f, 3})},
        q8(kOne, {127, 3}) + q8(kHalf, {127, 6})},
       {"EveryPlace", {x}, q8(kTwoBytes, q)}});
}

TEST(quantize_q8_0, TiesGoAwayFromZero) {
  gives8({{"AboveZero", {block({127, 0.5f, 1.5f, 126.5f})}, q8(kOne, {127, 1, 2, 127})},
          {"BelowZero", {block({127, -0.5f, -1.5f, 0.75f})}, q8(kOne, {127, -1, -2, 1})},
          {"HalfSteps", {block({-63.5f, 0.25f, -0.75f, 1.25f})}, q8(kHalf, {-127, 1, -2, 3})},
          {"HalfOfD", {block({127 + 127 * 0x1p-11f})}, q8(kOne, {127})}});
}

// Half of the largest magnitude is 63.5 steps, and no tie: d and its inverse are rounded. In the
// first, v / d gives 64; in the second 63; in the third 127 / amax gives 64. In steps of d's half
// the third value of each lies on the other side of a tie. The fourth is 31.75 steps. In the last
// row the sum with 0.5 has no room for its last bit.
TEST(quantize_q8_0, OneByOneInFloat32) {
  const auto row = [](const char* name, float amax, float third, std::vector<int> q,
                      const char* rule) {
    return Quantizing8::Row{name,
                            {block({amax, amax / 2, third, amax / 4})},
                            q8(half_from_float(amax / 127), std::move(q)),
                            rule};
  };
  const char* const product = "v[j] is multiplied by inverse, not divided by d";
  gives8(
      {row("Product", 52.4375f, 28.28125f, {127, 63, 68, 32}, product),
       row("ProductAbove", 32.90625f, 8.9375f, {127, 64, 34, 32}, product),
       row("TwoDivisions", 4.53125f, 4.40625f, {127, 63, 123, 32},
           "inverse = 1 / d, of a d that is rounded"),
       {"BelowATie", {block({127, std::nextafter(0.5f, 0.0f), -0.5f})}, q8(kOne, {127, 0, -1})}});
  quantizing8.agrees_with(by_definition_of(kQ8), blocks_of<Quantizing8::Input>(seed, 64, 127),
                          part_by_part(kQ8));
}

TEST(quantize_q8_0, ZerosAndTinyValues) {
  gives8({{"Zeros", {block({})}, Bytes(34), kPlusZero},
          {"MinusZeros", {Reals(32, -0.0f)}, Bytes(34), kPlusZero},
          {"SubnormalHalf", {block({127 * 0x1p-20f, -0x1p-19f})}, q8(0x0010, {127, -2})},
          {"HalfIsZero", {block({127 * 0x1p-30f, -0x1p-29f})}, q8(0, {127, -2})},
          {"LastInverse", {block({127 * 0x1p-127f, 0x1p-126f})}, q8(0, {127, 2}), kHasAnInverse},
          {"NoInverse", {block({127 * 0x1p-128f, 0x1p-127f})}, Bytes(34), kCodesAre0},
          {"Subnormal", {block({FLT_TRUE_MIN})}, Bytes(34), kCodesAre0}});
}

TEST(quantize_q8_0, RefusesWhatHasNoScale) {
  const float last = std::nextafter(8321040.0f, 0.0f);
  quantizing8.refuses({{"LastScale", {block({-last, last})}, q8(0x7bff, {-127, 127})}},
                      without_a_scale<&quantize_q8_0>(8321040.0f), part_by_part(kQ8));
}

}  // namespace
}  // namespace nibble::judge::lab_12_int4
