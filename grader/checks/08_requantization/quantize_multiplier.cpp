// Lab 08, quantize_multiplier: the checks.
#include "checks/08_requantization/quantize_multiplier.hpp"

namespace nibble::judge::lab_08_requantization {
namespace {

TEST(quantize_multiplier, TakesTheFactorApart) {
  quantizing.gives(
      {{"Half", {{0.5}}, {{kHalf}, {0}}},
       {"ThreeQuarters", {{0.75}}, {{kThreeQuarters}, {0}}},
       {"One", {{1.0}}, {{kHalf}, {1}}},
       {"Three", {{3.0}}, {{kThreeQuarters}, {2}}},
       {"Quarter", {{0.25}}, {{kHalf}, {-1}}},
       {"Several", {{0.375, 20, 0x1p-20}}, {{kThreeQuarters, 5 << 28, kHalf}, {-1, 5, -19}}},
       {"None", {Reals{}}, {}}});
}

// (2^30 + k + 1/2) / 2^31 lies between two multipliers. No float holds such a mantissa.
TEST(quantize_multiplier, RoundsTheMantissa) {
  const auto between = [](std::int64_t k, double rest) {
    return (static_cast<double>(kHalf + k) + rest) * 0x1p-31;
  };
  quantizing.gives({{"UpAndDown",
                     {{between(7, 0.75), between(7, 0.25), between(100, 0.9), between(100, 0.1)}},
                     {{kHalf + 8, kHalf + 7, kHalf + 101, kHalf + 100}, {0, 0, 0, 0}}},
                    {"OneThird", {{1.0 / 3, 0.003}}, {{1431655765, 1649267442}, {-1, -8}}},
                    {"Halves",
                     {{between(0, 0.5), between(1, 0.5), between(2, 0.5), between(kHalf - 2, 0.5)}},
                     {{kHalf + 1, kHalf + 2, kHalf + 3, kLast}, {0, 0, 0, 0}}}});
  quantizing.agrees_with([](const auto& in) { return Quantized{}(in.a); },
                         random_factors(seed, 1021, 60));
}

// 0.003 stands beside each, so that a mantissa that is cut, or a shift off by one, is seen as that.
TEST(quantize_multiplier, NeverReachesTwoToThe31) {
  const auto beside = [](const char* name, double factor, std::int32_t multiplier, int shift) {
    return Quantizing::Row{name, {{factor, 0.003}}, {{multiplier, 1649267442}, {shift, -8}}};
  };
  quantizing.gives({beside("AlmostOne", 1 - 0x1p-40, kHalf, 1),
                    beside("NextToOne", 1 - 0x1p-53, kHalf, 1),
                    beside("HalfBelow", 1 - 0x1p-32, kHalf, 1),
                    beside("LastThatIsLess", 1 - 0x1.8p-32, kLast, 0),
                    beside("AlmostASixteenth", 0x1p-4 - 0x1p-50, kHalf, -3),
                    beside("AlmostEight", 8 - 0x1p-40, kHalf, 4)});
}

// 2^-32 times -2^31 is one half; a little less is none.
TEST(quantize_multiplier, VanishesBelowOneHalf) {
  quantizing.gives(
      {{"Last", {{0x1p-32, 0x1.8p-32}}, {{kHalf, kThreeQuarters}, {-31, -31}}},
       {"RoundedToTheLast",
        {{0x1p-32 - 0x1p-80, 0.003}},
        {{kHalf, 1649267442}, {-31, -8}},
        "rounding makes the shift one more here, and the shift is judged behind the rounding"},
       {"Below", {{0x1p-33, 0x1.8p-33}}, {{0, 0}, {0, 0}}},
       {"Tiny", {{1e-300, 0x1p-1074}}, {{0, 0}, {0, 0}}},
       {"Zero", {{0.0, -0.0}}, {{0, 0}, {0, 0}}}});
}

TEST(quantize_multiplier, RefusesWhatHasNoShift) {
  quantizing.refuses({{"Largest", {{1.0, 0x1p30 - 0.5}}, {{kHalf, kLast}, {1, 30}}}},
                     {{"N-SHIFT", {{1.0, 0x1p30}}},
                      {"N-SHIFT", {{0x1p30 - 0x1p-20}}},
                      {"N-SHIFT", {{1e300}}},
                      {"N-SCALE", {{-0.5}}},
                      {"N-SCALE", {{-1e-300, 0.5}}},
                      {"N-NAN", {{std::numeric_limits<double>::quiet_NaN()}}},
                      {"N-NAN", {{std::numeric_limits<double>::infinity()}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_08_requantization
