// Lab 10, dot_half: the checks.
#include "checks/10_half/dot_half.hpp"

namespace nibble::judge::lab_10_half {
namespace {

// A product of 21 bits; a sum that no half holds; 2^24 + 1 - 2^24, which is 0 from the left.
TEST(dot_half, SumsInFloat) {
  dot.gives({{"OneProduct", {{0x3E00}, {kTwo}}, {0x4200, 3}},
             {"Nothing", {{}, {}}, {0, 0}},
             {"LongProduct", {{0x3C01}, {0x3C01}}, {0x3C02, 1 + 0x1p-9f + 0x1p-20f}},
             {"PastHalf", {{k2048, kOne}, {kOne, kOne}}, {k2048, 2049}},
             {"FromTheLeft", {{k4096, kOne, k4096}, {k4096, kOne, k4096 | kMinus}}, {0, 0}},
             {"MinusZero", {{kMinus}, {kOne}}, {0, 0}}},
            [](Expect& expect, const auto&, const HalfDot& got, const HalfDot& want) {
              expect.equal("in_float", got.in_float, want.in_float);
              expect.that(!std::signbit(got.in_float), "in_float is -0, where 0 + -0 is 0",
                          "N-SIGN0");
            });
}

// 2048 + 1 + 1 stays 2048. (1 + 2^-10) * (1 - 2^-11) rounds to 1: fused with a sum it would count.
// 2^-25 rounds to 0.
TEST(dot_half, RoundsToHalfEachTime) {
  dot.gives({{"OneProduct", {{0x3E00}, {kTwo}}, {0x4200, 3}},
             {"Nothing", {{}, {}}, {0, 0}},
             {"Product", {{0x3C01}, {0x3C01}}, {0x3C02, 1 + 0x1p-9f + 0x1p-20f}},
             {"Sum", {{k2048, kOne, kOne}, {kOne, kOne, kOne}}, {k2048, 2050}},
             {"NotFused", {{kOne, 0x3C01}, {kOne, 0x0FFF}}, {kOne, 0}},
             {"FromTheLeft", {{kOne, k2048, k2048}, {kOne, kOne, kOne | kMinus}}, {0, 1}},
             {"SmallProduct", {{1, 1}, {kOne, 0x3800}}, {1, 0x3p-25f}},
             {"MinusZero", {{kMinus}, {kOne}}, {0, 0}}},
            [](Expect& expect, const auto&, const HalfDot& got, const HalfDot& want) {
              expect.equal("in_half", got.in_half, want.in_half);
            });
}

TEST(dot_half, AnyLength) { dot.agrees_with(dot_of, lists(seed, 1021)); }

// 65504 + 65504 and 300 * 300 are infinite in half alone; what has no value may be any NaN.
TEST(dot_half, TakesInfinityAndNan) {
  constexpr std::uint16_t k300 = 0x5CB0, k256 = 0x5C00, kMinus1000 = 0xE3D0;
  const Dot unsuspecting{{"a", "b"}, {"in_half", "in_float"}};
  unsuspecting.gives(
      {{"SumOverflows",
        {{kLargest, kLargest, kLargest}, {kOne, kOne, kOne | kMinus}},
        {kHalfInfinity, 65504}},
       {"ProductOverflows", {{kMinus1000, k256}, {kOne, k256}}, {kHalfInfinity, 64536}},
       {"Below", {{kLargest | kMinus}, {kTwo}}, {kHalfInfinity | kMinus, -131008}},
       {"Infinity", {{kHalfInfinity, kOne}, {kTwo, kOne}}, {kHalfInfinity, kInfinity}},
       {"TimesZero", {{kHalfInfinity, kOne}, {0, kOne}}, {kHalfNan, kNan}},
       {"Difference", {{kHalfInfinity, kHalfInfinity}, {kOne, kOne | kMinus}}, {kHalfNan, kNan}},
       {"DifferenceInHalf", {{k300, k300}, {k300, k300 | kMinus}}, {kHalfNan, 0}},
       {"Nan", {{kOne, kHalfNan}, {kOne, 0}}, {kHalfNan, kNan}}},
      [](Expect& expect, const auto&, const HalfDot& got, const HalfDot& want) {
        if (want.in_half == kHalfNan) {
          expect.that((got.in_half & 0x7FFF) > kHalfInfinity,
                      "in_half is " + show_value(got.in_half) + ", and no NaN");
        } else {
          if ((got.in_half & 0x7FFF) < kHalfInfinity) {
            expect.suspect("N-INF", "in_half", got.in_half,
                           "what no half holds becomes infinity at once");
          }
          expect.equal("in_half", got.in_half, want.in_half);
        }
        if (std::isnan(want.in_float)) {
          expect.that(std::isnan(got.in_float),
                      "in_float is " + show_value(got.in_float) + ", and no NaN");
        } else {
          expect.equal("in_float", got.in_float, want.in_float);
        }
      });
}

TEST(dot_half, RefusesTwoLengths) {
  dot.refuses({{"Two", {{kOne, kTwo}, {kOne, kOne}}, {0x4200, 3}}},
              {{"", {{kOne, kTwo}, {kOne}}}, {"", {{kOne}, {kOne, kTwo}}}, {"", {{}, {kOne}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_10_half
