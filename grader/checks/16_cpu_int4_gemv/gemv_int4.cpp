// Lab 16, gemv_int4: the checks.
#include "checks/16_cpu_int4_gemv/gemv_int4.hpp"

#include <string>

#include "checks/16_cpu_int4_gemv/values.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

// By hand: a code in the low nibble, one in the high; which belongs to which activation; a row
// each; weights of 0, whose nibbles are not; and scales, twice, so that a second result agrees with
// whoever forgets one.
TEST(gemv_int4, MultipliesOneGroup) {
  const Int4Shape one{1, 32, 32}, three{3, 32, 32};
  const Weights rows{
      three, sparse(96, {{0, 1}, {1, 2}, {32, 3}, {33, 4}, {64, 5}, {65, 6}}), {1, 1, 1}};
  multiplying.is_right(
      {{"OneCode", {sparse(32, {{0, 3}}), {1}, {one, sparse(32, {{0, -5}}), {1}}}},
       {"HighNibble", {sparse(32, {{4, 3}}), {1}, {one, sparse(32, {{4, 7}}), {1}}}},
       {"Places",
        {sparse(32, {{0, 1}, {1, 10}, {4, 100}}),
         {1},
         {one, sparse(32, {{0, 1}, {1, 2}, {4, 3}}), {1}}}},
       {"LastLine",
        {sparse(32, {{24, 1}, {28, 3}, {31, 10}}),
         {1},
         {one, sparse(32, {{24, 6}, {31, -7}}), {1}}}},
       {"ZeroWeights", {Codes(32, 100), {1}, {one, Codes(32, 0), {1}}}},
       {"Rows", {sparse(32, {{0, 1}, {1, 10}}), {1}, rows}},
       {"Scaled", {sparse(32, {{5, 3}}), {2}, {one, sparse(32, {{5, -4}}), {0.125f}}}},
       {"ScaledUp", {sparse(32, {{9, 5}}), {0.5f}, {one, sparse(32, {{9, 7}}), {8}}}}});
}

// Powers of two, so that only the place of a scale is asked for: 1 in each group of a row gives the
// sum of its scales. In a second row one is a 3: two rows that are alike would hide a copy.
TEST(gemv_int4, EachGroupHasItsScale) {
  const auto ones = [](Int4Shape shape, Reals scales) {
    Weights all{shape, Codes(count_of(shape.n, shape.k)), std::move(scales)};
    for (std::size_t at = 0; at < all.w.size(); at += 32) all.w[at] = 1;
    if (shape.n > 1) all.w[std::size_t(shape.k)] = 3;
    return all;
  };
  multiplying.is_right(
      {{"TwoGroups", {sparse(64, {{0, 1}, {32, 4}}), {1}, ones({1, 64, 32}, {1, 8})}},
       {"FirstOnly", {sparse(64, {{0, 1}}), {1}, ones({1, 64, 32}, {2, 16})}},
       {"LastOnly", {sparse(96, {{64, 1}}), {1}, ones({1, 96, 32}, {2, 16, 128})}},
       {"TwoRows", {sparse(64, {{0, 1}, {32, 1}}), {1}, ones({2, 64, 32}, {1, 2, 4, 8})}},
       {"RowsOf64", {sparse(64, {{0, 5}, {32, 1}}), {1}, ones({2, 64, 64}, {2, 16})}},
       {"GroupOf64", {sparse(128, {{32, 1}, {64, 1}}), {0.5f}, ones({1, 128, 64}, {1, 32})}}});
}

/// One weight of 1 in each group of 32; the activations there; the scales.
Named<Batch> in_order(const std::string& name, const std::vector<int>& a, float a_scale,
                      const Reals& scales) {
  const std::size_t k = 32 * a.size();
  Batch c{Codes(k), {a_scale}, {{1, int(k), 32}, Codes(k), scales}};
  for (std::size_t group = 0; group < a.size(); ++group) {
    c.a[32 * group] = static_cast<std::int8_t>(a[group]);
    c.weights.w[32 * group] = 1;
  }
  return {name, c};
}

// 2^24 + 1 is no float32: what is small must be lost exactly where the contract loses it. 3 * 0.1f
// is inexact, so that a fused multiply-add, a sum in double and a scale applied too early end in
// another last bit: in two of these, where each of them ends in its own.
TEST(gemv_int4, AddsGroupsInOrder) {
  multiplying.is_right({in_order("SmallIsLost", {1, 2, -1}, 1, {0x1p24f, 0.5f, 0x1p24f}),
                        in_order("SmallIsRounded", {1, 5, -1}, 1, {0x1p24f, 0.25f, 0x1p24f}),
                        in_order("SmallIsKept", {1, -1, 1}, 1, {0x1p24f, 0x1p24f, 1}),
                        in_order("TwoRoundings", {3, -3}, 1, {0.1f, 0.1f}),
                        in_order("NotFused", {3, -3, 7}, 1, {0.7f, 0.9f, 0.1f}),
                        in_order("ScaleLast", {3, 5, 7}, 0.3f, {0.1f, 0.7f, 0.9f})});
}

/// One group of equal codes, as long as k.
Named<Batch> constant_batch(int k, int a, int w) {
  return {std::to_string(k) + "," + std::to_string(a) + "*" + std::to_string(w),
          {Codes(std::size_t(k), std::int8_t(a)),
           {1},
           {{1, k, k}, Codes(std::size_t(k), std::int8_t(w)), {1}}}};
}

/// Codes at their ends, in groups of these lengths.
std::vector<Named<Batch>> codes_at_their_ends(const std::vector<int>& lengths) {
  std::vector<Named<Batch>> cases;
  for (const int k : lengths) {
    for (const auto& [a, w] : {std::pair(-128, 7), {-128, -8}, {127, -8}, {127, 7}}) {
      cases.push_back(constant_batch(k, a, w));
    }
  }
  return cases;
}

// Groups just as long as int16 sums of nibbles hold, twice and four times as long. In a table of
// their own those longer than int16 sums of activations, and the longest: products that are odd,
// whose sum no float32 can follow and which, with nibbles instead of codes, nearly leaves int32.
TEST(gemv_int4, EveryCodeIsExact) {
  multiplying.is_right(codes_at_their_ends({32, 64, 128}));
  std::vector<Named<Batch>> cases = codes_at_their_ends({288, 512});
  cases.push_back(constant_batch(1 << 20, -127, 7));
  multiplying.is_right(cases);
}

// No inputs and no outputs; one row less than, as many as and one more than a panel, and two; every
// length of a group up to 128, an uneven one, a scale per channel; many groups.
TEST(gemv_int4, EveryShape) {
  const std::vector<Int4Shape> shapes = {
      {1, 64, 32},  {15, 64, 32},  {16, 64, 32}, {17, 64, 32},  {31, 96, 32},  {32, 64, 64},
      {33, 96, 96}, {5, 128, 128}, {7, 256, 64}, {3, 480, 160}, {2, 1024, 32}, {4, 1024, 1024}};
  std::vector<Named<Batch>> cases{{"NoInputs", {{}, {1}, {{3, 0, 32}, {}, {}}}}, kNoResults};
  for (const Int4Shape shape : shapes) cases.push_back(random_batch(1, shape, seed));
  multiplying.is_right(cases);
}

TEST(gemv_int4, RefusesBadInput) {
  multiplying.refuses(
      {random_batch(1, {2, 64, 32}, seed)},
      bad_products(multiplying, 1, [](auto... each) { return std::tuple(Isa::kScalar, each...); }));
}

TEST(gemv_int4, RefusesOtherIsas) {
  refuses_other_isas(multiplying, kNoResults, random_batch(1, {2, 64, 32}, seed));
}

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
