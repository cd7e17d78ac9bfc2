// Lab 08, requantize: the checks.
#include "checks/08_requantization/requantize.hpp"

namespace nibble::judge::lab_08_requantization {
namespace {

/// Half of the sums, times 2^shift, with no bias.
Requantizing::Arguments halves(const Sums& acc, int shift, std::int32_t zero_point,
                               Rounding rounding = kAny) {
  return {acc, {}, {{kHalf}, {shift}}, zero_point, rounding};
}

// EachChannel has two rows: a bias that is taken by row, or once for all, differs.
TEST(requantize, AddsTheBiasFirst) {
  requantizing.gives({{"Half", {{20, -20, 100}, {6}, {{kHalf}, {0}}, 0, kAny}, {13, -7, 53}},
                      {"Eighth", {{800, -808, 0}, {80}, {{kHalf}, {-2}}, 0, kAny}, {110, -91, 10}},
                      {"NoBias", halves({20, -20, 100}, 0, 0), {10, -10, 50}},
                      {"EachChannel",
                       {{8, 8, 8, 16, 16, 16}, {4, -4, 100}, kThree, 0, kAny},
                       {6, 4, 41, 10, 12, 44}},
                      {"NoRows", {{}, {1, 2}, {{kHalf, kHalf}, {0, 0}}, 5, kAny}, {}},
                      {"NoChannels", {{}, {}, {{}, {}}, 5, kAny}, {}}});
}

// An odd zero point inside the factor is half of it, or less; halves of sums tell the roundings.
TEST(requantize, AddsTheZeroPointLast) {
  const Sums acc{2, -2, 6, -6, 1, 5};
  requantizing.gives(
      {{"Above", halves({20, -20, 0}, 0, 5), {15, -5, 5}},
       {"Below", {{800, -808, 0}, {80}, {{kHalf}, {-2}}, -101, kAny}, {9, -128, -91}},
       {"SingleHalves",
        halves(acc, -1, 3),
        {4, 3, 5, 2, 3, 4},
        "y is rounded as asked: once with kSingle"},
       {"DoubleHalves",
        halves(acc, -1, 3, Rounding::kDouble),
        {4, 2, 5, 1, 4, 5},
        "y is rounded as asked: twice with kDouble"},
       {"DoubleHalvesBelow", halves(acc, -1, -9, Rounding::kDouble), {-8, -10, -7, -11, -8, -7}}});
}

TEST(requantize, StaysOnTheGrid) {
  requantizing.gives(
      {{"Ends", halves({254, 256, -256, -258, 600}, 0, 0), {127, 127, -128, -128, 127}},
       {"Moved", halves({254, 20, -256, -300, 400}, 0, 100), {127, 110, -28, -50, 127}},
       {"MovedDown", halves({254, 20, -256, 600}, 0, -128), {-1, -118, -128, 127}},
       {"Far", {{kLast, kFirst}, {}, {{kLast}, {-8}}, 0, kAny}, {127, -128}}});
}

TEST(requantize, HoldsLargeSums) {
  const Sums ends{kLast, kFirst}, two{kHalf, kHalf};
  requantizing.gives(
      {{"SumSaturates", {ends, {kHalf, -kHalf}, {two, {-24, -24}}, 0, kAny}, {64, -64}},
       {"SumCancels", {ends, {kFirst, kLast}, {two, {4, 4}}, 1, kAny}, {-7, -7}},
       {"StepsAtTheEnd",
        halves(ends, 1, 127),
        {127, -128},
        "y is an int32, and y + zero_point may be more than one holds"},
       {"StepsAtTheOther", halves(ends, 1, -128, Rounding::kDouble), {127, -128}}});
}

TEST(requantize, RefusesWhatDoesNotFit) {
  const Factors two{{kHalf, kHalf}, {0, 0}};
  requantizing.refuses({{"Highest", {{4, -4}, {2, 2}, two, 127, kAny}, {127, 126}},
                        {"Lowest", {{4, -4}, {2, 2}, two, -128, kAny}, {-125, -128}}},
                       refused_layers<Requantizing::Refused>());
}

}  // namespace
}  // namespace nibble::judge::lab_08_requantization
