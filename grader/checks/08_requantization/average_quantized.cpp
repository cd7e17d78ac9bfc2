// Lab 08, average_quantized: the checks.
#include "checks/08_requantization/average_quantized.hpp"

namespace nibble::judge::lab_08_requantization {
namespace {

TEST(average_quantized, AveragesEachChannel) {
  averaging.gives(
      {{"OneChannel", {{2, 4, 6, 8, 10, 20}, 1, 2}, {3, 7, 15}},
       {"BelowZero",
        {{-2, -4, -6, -8, -10, -20}, 1, 2},
        {-3, -7, -15},
        "opposite codes have the opposite mean: half of the count is added above 0 alone"},
       {"TwoChannels", {{2, 10, 4, 20, 6, 30, 8, 50}, 2, 2}, {3, 15, 7, 40}},
       {"ThreeRows", {{1, -1, 2, -2, 3, -3}, 2, 3}, {2, -2}},
       {"OneRow", {{5, -128, 127}, 3, 1}, {5, -128, 127}},
       {"ToTheNearest", {{5, 5, 6, -5, -5, -6, 5, 6, 6, -5, -6, -6}, 1, 3}, {5, -5, 6, -6}},
       {"Nothing", {{}, 4, 2}, {}}});
}

TEST(average_quantized, HalvesGoAwayFromZero) {
  averaging.gives(
      {{"Above", {{2, 3, 3, 4, 0, 1, 126, 127}, 1, 2}, {3, 4, 1, 127}},
       {"Below", {{-2, -3, -3, -4, 0, -1, -128, -127}, 1, 2}, {-3, -4, -1, -128}},
       {"OfFour", {{1, 1, 0, 0, -1, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0}, 1, 4}, {1, -1, 0, 0}},
       {"NoHalfOfThree", {{1, 0, 0, -1, 0, 0, 1, 1, 0, -1, -1, 0}, 1, 3}, {0, 0, 1, -1}}});
}

// A window past the end, one that is all of it, one that no int times its rows would hold.
TEST(average_quantized, TheLastWindowMayBeShort) {
  averaging.gives({{"OneLeft", {{3, 3, 3, 9}, 1, 3}, {3, 9}},
                   {"TwoLeft", {{30, -3, 30, -3, 30, -3, 8, -8, 9, -9}, 2, 3}, {30, -3, 9, -9}},
                   {"AllOfIt", {{1, 10, 3, 20}, 2, 2}, {2, 15}},
                   {"MoreThanAll", {{1, 10, 3, 20}, 2, 100}, {2, 15}},
                   {"Largest",
                    {{1, 10, 3, 20}, 2, std::numeric_limits<int>::max()},
                    {2, 15},
                    "window may be INT_MAX: m + window is no int"}});
}

Averaging::Input constant(std::size_t rows, std::int8_t code) {
  return {std::to_string(rows) + " of " + std::to_string(code),
          {Codes(rows, code), 1, static_cast<int>(rows)}};
}

// 2 of 127 leave an int8, 300 an int16. Of 100, a reciprocal of 1000 that is cut to 16 bits makes
// 99. The last sum is 1 short of a half: a float32 beyond 2^24 holds no such number, and 127 counts
// as 128 there.
TEST(average_quantized, SumsAreExact) {
  std::vector<Averaging::Input> inputs{
      constant(2, 127),    constant(3, -128),    constant(300, 127),    constant(300, -128),
      constant(1000, 100), constant(1000, -100), constant(140'000, 126)};
  auto& [x, channels, window] = inputs.back().in;
  std::fill(x.begin() + 70'001, x.end(), std::int8_t{127});
  averaging.agrees_with(averaged, inputs);
}

TEST(average_quantized, RefusesWhatDoesNotFit) {
  averaging.refuses({{"Fits", {{1, 2, 3, 4}, 2, 1}, {1, 2, 3, 4}}},
                    {{"N-SIZE", {{1, 2, 3}, 2, 1}},
                     {"N-SIZE", {{1}, 2, 1}},
                     {"N-SIZE", {{1, 2, 3, 4}, 0, 1}},
                     {"N-SIZE", {{}, -1, 1}},
                     {"N-SIZE", {{}, 2, 0}},
                     {"N-SIZE", {{1, 2, 3, 4}, 2, -1}},
                     {"N-SIZE", {{}, 0, 1}}});
}

}  // namespace
}  // namespace nibble::judge::lab_08_requantization
