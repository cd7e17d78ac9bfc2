// Lab 12, quantize_q4_0: the checks.
#include "checks/12_int4/quantize_q4_0.hpp"

#include "judge/picture.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

/// One block: u of the first values; the others are 0, whose u is 8.
Bytes q4(std::uint16_t half, std::vector<int> u) {
  u.resize(kBlockValues, 8);
  return joined(kQ4, {{half}, u});
}

void gives4(const std::vector<Quantizing4::Row>& rows) {
  quantizing4.gives(rows, part_by_part(kQ4));
}

TEST(quantize_q4_0, FollowsTheFormula) {
  gives4(
      {{"WholeSteps", {block({-8, 7, 1, -1, 0, 3, -5})}, q4(kOne, {0, 15, 9, 7, 8, 11, 3})},
       {"HalfSteps", {block({1, -4, 2, -0.5f})}, q4(kHalf, {10, 0, 12, 7})},
       {"UpAndDown", {block({-8, 2.75f, 2.25f, -2.75f, -2.25f})}, q4(kOne, {0, 11, 10, 5, 6})},
       {"DBelowZero", {block({4, -1, 2})}, q4(kMinusHalf, {0, 10, 4})},
       {"Empty", {Reals{}}, {}},
       {"TwoBlocks", {block({-8, 3}) + block({-4, 3})}, q4(kOne, {0, 11}) + q4(kHalf, {0, 14})}});
}

TEST(quantize_q4_0, TheExtremeIsMinusEight) {
  gives4(
      {{"AboveZero", {block({8, 1, -2})}, q4(kMinusOne, {0, 7, 10})},
       {"BelowZero", {block({3, -8, 7, -7})}, q4(kOne, {11, 0, 15, 1})},
       {"ItsOpposite", {block({-8, 8, 7.75f, 1})}, q4(kOne, {0, 15, 15, 9})},
       {"TheFirstOfEqualOnes", {block({8, -8, -7.75f, 1})}, q4(kMinusOne, {0, 15, 15, 7})},
       {"AtTheEnd", {Reals(31) + Reals{-8}}, q4(kOne, std::vector<int>(31, 8) + std::vector{0})}});
}

// Every u has a place of its own in the first half of the block, and in the second, in another
// order.
TEST(quantize_q4_0, BytesInTheirPlaces) {
  Reals x;
  std::vector<int> u;
  for (int j = 0; j < 32; ++j) {
    u.push_back(j < 16 ? j : (7 * j + 3) % 16);
    x.push_back(float_from_half(kTwoBytes) * static_cast<float>(u.back() - 8));
  }
  gives4({{"EveryCodeTwice", {x}, q4(kTwoBytes, u)}});
}

TEST(quantize_q4_0, TiesGoUp) {
  gives4({{"AboveZero", {block({-8, 0.5f, 1.5f, 2.5f, 6.5f})}, q4(kOne, {0, 9, 10, 11, 15})},
          {"BelowZero", {block({-8, -0.5f, -1.5f, -7.5f, 0.75f})}, q4(kOne, {0, 8, 7, 1, 9})},
          {"DBelowZero", {block({8, 0.5f, 1.5f, -0.5f, -1.5f})}, q4(kMinusOne, {0, 8, 7, 9, 10})},
          {"HalfSteps", {block({-4, 0.25f, -0.75f, 1.75f})}, q4(kHalf, {0, 9, 7, 12})},
          {"HalfOfD", {block({-8 - 0x1p-8f})}, q4(kOne, {0})}});
}

// Here v * inverse lies just beside the tie on which v / d lies; and the sum with 8.5 has no room
// for the last bits of the float below -0.5. In the last row the first product is rounded up to a
// tie; the others are ties, for whoever rounds them otherwise.
TEST(quantize_q4_0, OneByOneInFloat32) {
  const auto d_of = [](float extreme) { return half_from_float(extreme / -8); };
  gives4({{"Product",
           {block({29.75f, 20.453125f, -10})},
           q4(d_of(29.75f), {0, 2, 11}),
           "v[j] is multiplied by inverse, not divided by d"},
          {"LargeProduct", {block({7.5f, 7.03125f, -2.5f})}, q4(d_of(7.5f), {0, 0, 11})},
          {"Sum", {block({-8, std::nextafter(-0.5f, -1.0f), -1.5f})}, q4(kOne, {0, 8, 7})},
          {"NotFused",
           {block({-8.00006104f, 0.500003338f, 2.50001907f, -2.50001907f})},
           q4(kOne, {0, 9, 11, 6}),
           "the product is rounded to float32 before 8.5 is added"}});
  quantizing4.agrees_with(by_definition_of(kQ4), blocks_of<Quantizing4::Input>(seed, 64, 8),
                          part_by_part(kQ4));
}

// The half is subnormal, then 0, and the codes are made all the same; then d has lost a bit, which
// extreme and -8 / extreme have; then there is no inverse, though -8 / extreme is finite.
TEST(quantize_q4_0, ZerosAndTinyValues) {
  gives4({{"Zeros", {block({})}, q4(0x8000, {}), kMinusZero},
          {"MinusZeros", {Reals(32, -0.0f)}, q4(0x8000, {}), kMinusZero},
          {"SubnormalHalf", {block({-0x1p-17f, 0x1p-19f, 0x1p-20f})}, q4(0x0010, {0, 10, 9})},
          {"HalfIsZero", {block({-0x1p-27f, 0x1p-29f, -0x1p-30f})}, q4(0, {0, 10, 7})},
          {"LastInverse",
           {block({-0x1p-124f, 0x1p-126f, 0x1p-127f})},
           q4(0, {0, 10, 9}),
           kHasAnInverse},
          {"LostBit", {block({0x1p-124f + 0x1p-147f, 0x1.c00004p-126f})}, q4(0x8000, {0, 4})},
          {"NoInverse", {block({0x1p-125f, -0x1p-126f})}, q4(0x8000, {}), kHasNoInverse},
          {"InverseOfTheExtreme", {block({0x1p-125f + 0x1p-148f})}, q4(0x8000, {}), kHasNoInverse},
          {"Subnormal", {block({FLT_TRUE_MIN})}, q4(0x8000, {}), kHasNoInverse},
          {"BelowZero", {block({-FLT_TRUE_MIN})}, q4(0, {}), kHasNoInverse}});
}

// What is accepted are the last extremes whose half is finite.
TEST(quantize_q4_0, RefusesWhatHasNoScale) {
  const float last = std::nextafter(524160.0f, 0.0f);
  quantizing4.refuses({{"LastScale", {block({-last, last})}, q4(0x7bff, {0, 15})},
                       {"LastBelowZero", {block({last})}, q4(0xfbff, {0})}},
                      without_a_scale<&quantize_q4_0>(524160.0f), part_by_part(kQ4));
}

}  // namespace
}  // namespace nibble::judge::lab_12_int4
