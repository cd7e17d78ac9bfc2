// Lab 16, gemv_int8: the checks.
#include "checks/16_cpu_int4_gemv/gemv_int8.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

TEST(gemv_int8, FollowsTheFormula) {
  multiplying_int8.is_right({{"OneByOne", {{3}, 1, {-5}, {1}}},
                             {"OneRow", {{1, 10, 100}, 1, {1, 2, 3}, {1}}},
                             {"TwoRows", {{1, 2}, 1, {3, 4, 5, -6}, {1, 1}}},
                             {"Tall", {{1, -2}, 1, {3, 4, 5, 7, 11, 13}, {1, 1, 1}}}});
}

// The last scales are no powers of two: which two are multiplied first decides on the last bit.
TEST(gemv_int8, ScalesEachRow) {
  multiplying_int8.is_right(
      {{"ActivationsOnly", {{3}, 0.5f, {8}, {1}}},
       {"WeightsOnly", {{3}, 1, {8, 8}, {0.25f, 4}}},
       {"Both", {{3, 1}, 2, {8, 0, 0, 8, 5, 5}, {0.25f, 4, 0.5f}}},
       {"Rounded", {{11, 3}, 0.3f, {91, 0, -69, -6, 110, 8}, {0.3f, 0.7f, 0.9f}}}});
}

Named<Int8Rows> constant_int8(const std::string& name, std::size_t k, int a, int w) {
  return {name, {Codes(k, std::int8_t(a)), 1, Codes(k, std::int8_t(w)), {1}}};
}

// 64 codes fill every vector: pairs of 255 * 127 saturate in int16, and so do 128 * 128. Then the
// longest k: half of its excess sum has left int32.
TEST(gemv_int8, EveryCodeIsExact) {
  multiplying_int8.is_right(
      {constant_int8("127*127", 64, 127, 127), constant_int8("127*-128", 64, 127, -128),
       constant_int8("-128*127", 64, -128, 127), constant_int8("-128*-128", 64, -128, -128),
       constant_int8("Longest,-128*-128", 131071, -128, -128),
       constant_int8("Longest,-128*127", 131071, -128, 127)});
}

const Named<Int8Rows> kNoOutputs{"NoOutputs", {{1, 2}, 1, {}, {}}},
    kTwoByTwo{"TwoByTwo", {{1, 2}, 1, {3, 4, 5, 6}, {1, 1}}};

// No inputs and no outputs; one less than, as many as and one more than a vector of 16, 32 and 64
// codes; several vectors; a prime.
TEST(gemv_int8, EveryLength) {
  std::vector<Named<Int8Rows>> cases{{"NoInputs", {{}, 1, {}, {1, 2}}}, kNoOutputs};
  for (const std::size_t k : {7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 211}) {
    cases.push_back(random_int8(3, k, seed));
  }
  for (const std::size_t n : {1, 2, 4, 5, 7, 8, 9, 17}) cases.push_back(random_int8(n, 37, seed));
  multiplying_int8.is_right(cases);
}

TEST(gemv_int8, RefusesBadInput) {
  constexpr Isa any = Isa::kScalar;
  const Codes a{1, 2}, longest(131072);
  const Reals ones{1, 1};
  decltype(multiplying_int8)::Refusals rows{
      {"N-SIZE", "3 weights for 2x2", {any, a, 1, Codes(3), ones, out(2)}},
      {"N-SIZE", "5 weights for 2x2", {any, a, 1, Codes(5), ones, out(2)}},
      {"N-SIZE", "1 scale for 2 rows", {any, a, 1, Codes(4), {1}, out(2)}},
      {"N-SIZE", "3 scales for 2 rows", {any, a, 1, Codes(4), {1, 1, 1}, out(2)}},
      {"N-SIZE", "1 scale for no row", {any, a, 1, Codes(), {1}, out(0)}},
      {"N-SIZE", "k = 131072", {any, longest, 1, longest, {1}, out(1)}}};
  for (const float scale : kUnusableScales) {
    const std::string text = " = " + show_value(scale);
    rows.push_back({"N-DIV0", "a_scale" + text, {any, a, scale, Codes(4), ones, out(2)}});
    rows.push_back({"N-DIV0", "a scale" + text, {any, a, 1, Codes(4), {1, scale}, out(2)}});
  }
  multiplying_int8.refuses({kTwoByTwo}, rows);
}

TEST(gemv_int8, RefusesOtherIsas) { refuses_other_isas(multiplying_int8, kNoOutputs, kTwoByTwo); }

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
