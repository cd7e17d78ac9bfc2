// Lab 08, multiply_by_quantized_multiplier: the checks.
#include "checks/08_requantization/multiply_by_quantized_multiplier.hpp"

namespace nibble::judge::lab_08_requantization {
namespace {

/// The same rows for both roundings.
std::vector<Multiplying::Row> with_both(const std::vector<Multiplying::Row>& rows) {
  std::vector<Multiplying::Row> all;
  for (const Rounding rounding : kBoth) {
    for (Multiplying::Row row : rows) {
      auto& [x, factors, asked] = row.in;
      asked = rounding;
      row.name += rounding == Rounding::kSingle ? "Once" : "Twice";
      all.push_back(row);
    }
  }
  return all;
}

TEST(multiply_by_quantized_multiplier, MultipliesByTheFactor) {
  constexpr Rounding any{};
  multiplying.gives(with_both(
      {{"Half", {{10, -10, 1000000}, {{kHalf}, {0}}, any}, {5, -5, 500000}},
       {"One", {{7, -7, 123457}, {{kHalf}, {1}}, any}, {7, -7, 123457}},
       {"Three", {{7, -7, 1001}, {{kThreeQuarters}, {2}}, any}, {21, -21, 3003}},
       {"ThreeSixteenths", {{32, -64, 16}, {{kThreeQuarters}, {-2}}, any}, {6, -12, 3}},
       {"Large", {{1 << 28, -(1 << 28)}, {{kThreeQuarters}, {-4}}, any}, {12582912, -12582912}},
       {"Nothing", {{5, -5, kLast}, {{0}, {-3}}, any}, {0, 0, 0}},
       {"EachChannel",
        {{8, 8, 8, -16, -16, -16}, {{kHalf, kHalf, kThreeQuarters}, {0, -2, 1}}, any},
        {4, 1, 12, -8, -2, -24}},
       {"NoRows", {{}, {{kHalf, kHalf}, {0, 1}}, any}, {}},
       {"NoChannels", {{}, {{}, {}}, any}, {}}}));
}

TEST(multiply_by_quantized_multiplier, SingleRoundsHalvesUp) {
  constexpr Rounding single = Rounding::kSingle;
  multiplying.gives(
      {{"Halves", {{1, 3, 5, -1, -3, -5}, {{kHalf}, {0}}, single}, {1, 2, 3, 0, -1, -2}},
       {"Quarters",
        {{1, 2, 3, 5, 6, -1, -2, -3, -5, -6}, {{kHalf}, {-1}}, single},
        {0, 1, 1, 1, 2, 0, 0, -1, -1, -1}},
       {"NoSecondTime", {{41833, 41830}, {{1649267442}, {-8}}, single}, {125, 125}},
       {"ByThree", {{1, -1, 3, -3}, {{kThreeQuarters}, {1}}, single}, {2, -1, 5, -4}}});
}

// Of 5/4 the high multiply makes 5/2 and then 3 halves, which is 2 when they are rounded again.
TEST(multiply_by_quantized_multiplier, DoubleRoundsTwice) {
  constexpr Rounding twice = Rounding::kDouble;
  multiplying.gives(
      {{"Once", {{1, 3, 5, -1, -3, -5}, {{kHalf}, {0}}, twice}, {1, 2, 3, 0, -1, -2}},
       {"Quarters",
        {{1, 2, 3, 5, 6, -1, -2, -3, -5, -6}, {{kHalf}, {-1}}, twice},
        {1, 1, 1, 2, 2, 0, -1, -1, -1, -2}},
       {"OfTheReadme", {{41833, 41830}, {{1649267442}, {-8}}, twice}, {126, 125}},
       {"ToTheLeft", {{1, -1, 3, -3}, {{kThreeQuarters}, {1}}, twice}, {2, -1, 5, -4}}});
}

// With double rounding it is left that is cut, and a mantissa of 1/2 makes half of int32 of it.
TEST(multiply_by_quantized_multiplier, Saturates) {
  const Sums ends{kLast, kFirst, kHalf, -kHalf}, few{2, -3, 0};
  const Factors two{{kHalf}, {2}}, large{{kLast}, {30}}, more{{kThreeQuarters}, {1}};
  multiplying.gives(
      {{"Single",
        {ends, two, Rounding::kSingle},
        {kLast, kFirst, kLast, kFirst},
        "kSingle clamps y alone, to [-2^31, 2^31 - 1]"},
       {"SingleFar", {few, large, Rounding::kSingle}, {kLast, kFirst, 0}},
       {"SingleNot", {{kHalf, -kHalf}, more, Rounding::kSingle}, {1610612736, -1610612736}},
       {"Double",
        {ends, two, Rounding::kDouble},
        {kHalf, -kHalf, kHalf, -kHalf},
        "kDouble clamps left = x * 2^shift, before the product"},
       {"DoubleFar", {few, large, Rounding::kDouble}, {kLast - 1, -kLast, 0}},
       {"DoubleLeft", {{kHalf, -kHalf}, more, Rounding::kDouble}, {1610612735, -1610612736}}});
}

TEST(multiply_by_quantized_multiplier, EveryShift) {
  multiplying.agrees_with([](const auto& in) { return products_by(kRight, in.a, in.b, in.c); },
                          every_shift(seed, {kHalf, kThreeQuarters, 1649267442, kLast}));
}

TEST(multiply_by_quantized_multiplier, RefusesWhatIsNoFactor) {
  constexpr Rounding any{};
  multiplying.refuses({{"Fits",
                        {{4, 4, 1 << 30, 1 << 30}, {{kHalf, kLast}, {-31, 30}}, any},
                        {0, kLast, 0, kLast}}},
                      {{"N-SHIFT", {{4}, {{0}, {31}}, any}},
                       {"N-SHIFT", {{4}, {{kHalf}, {-32}}, any}},
                       {"N-RANGE", {{4}, {{kHalf - 1}, {0}}, any}},
                       {"N-RANGE", {{}, {{-kHalf}, {0}}, any}},
                       {"N-RANGE", {{4, 4}, {{kHalf, 1}, {0, 0}}, any}},
                       {"N-SIZE", {{4, 4}, {{kHalf, kHalf}, {0, 0, 0}}, any}},
                       {"N-SIZE", {{4, 4, 4}, {{kHalf, kHalf}, {0, 0}}, any}},
                       {"N-SIZE", {{4}, {{}, {}}, any}}});
}

}  // namespace
}  // namespace nibble::judge::lab_08_requantization
