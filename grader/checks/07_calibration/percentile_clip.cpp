// Lab 07, percentile_clip: the checks.
#include "checks/07_calibration/percentile_clip.hpp"

#include <set>

namespace nibble::judge::lab_07_calibration {
namespace {

const Reals one_to_ten{3, -10, 1, 8, -6, 5, 4, 7, -2, -9};

Reals one_to(int n) {
  Reals x;
  for (int i = 1; i <= n; ++i) x.push_back(static_cast<float>(i % 3 == 0 ? -i : i));
  std::ranges::reverse(x);
  return x;
}

// 0.07 * 100 and 0.57 * 100 are above 7 and below 57 in double: a share is a fraction of integers.
// The last three rows: 0.6f is above 0.6, 4.3e9 is no float32, and half a millionth is not nothing.
TEST(percentile_clip, RankIsRoundedUp) {
  percentile.gives({{"Signs", {{1, -9, 2, 3}, 1'000'000}, 9, "magnitudes are sorted, not values"},
                    {"Half", {one_to_ten, 500'000}, 5, "the rank is 5, and sorted[1] the least"},
                    {"JustAboveHalf", {one_to_ten, 500'001}, 6},
                    {"BetweenTwo", {one_to_ten, 550'000}, 6},
                    {"JustBelow", {one_to_ten, 599'999}, 6},
                    {"All", {one_to_ten, 1'000'000}, 10},
                    {"NearlyAll", {one_to_ten, 999'999}, 10},
                    {"Nine", {one_to_ten, 900'000}, 9},
                    {"One", {one_to_ten, 100'000}, 1},
                    {"Least", {one_to_ten, 1}, 1},
                    {"OneValue", {{-4}, 1}, 4},
                    {"Equals", {{5, -5, 5, -5, 1}, 400'000}, 5, "equal magnitudes count one each"},
                    {"SevenOfAHundred", {one_to(100), 70'000}, 7, "the rank is exact, in integers"},
                    {"FiftySeven", {one_to(100), 570'000}, 57},
                    {"Fifteen", {one_to(25), 600'000}, 15},
                    {"FortyThreePercent", {one_to(10'000), 430'000}, 4300},
                    {"JustAboveOneOfTwo",
                     {{1, 2}, 500'001},
                     2,
                     "the rank is rounded up, however little it is above a whole one"}});
}

TEST(percentile_clip, LooksAtMagnitudes) {
  percentile.gives({{"Negative", {{1, -9, 2, 3}, 1'000'000}, 9},
                    {"InTheMiddle", {{1, -9, 2, 3}, 500'000}, 2},
                    {"AllNegative", {{-1, -9, -2, -3}, 750'000}, 3},
                    {"Zeros", {{0, -0.0f, 0}, 999'000}, 0},
                    {"Empty", {Reals{}, 999'900}, 0}});
}

float percentile_by_definition(const Percentile::Arguments& in) {
  const auto& [x, per_million] = in;
  std::multiset<float> ascending;
  for (const float value : x) ascending.insert(std::fabs(value));
  const std::int64_t parts = std::ssize(x) * per_million;
  const std::int64_t rank = parts / 1'000'000 + (parts % 1'000'000 == 0 ? 0 : 1);
  return x.empty() ? 0 : *std::next(ascending.begin(), rank - 1);
}

// 2,148 values times a million are no int32, 4,296 values no uint32.
TEST(percentile_clip, AnyRankOfAnyLength) {
  std::vector<Percentile::Input> inputs;
  for (const std::size_t count : {1, 2, 33, 1000, 2148, 4296}) {
    for (const int per_million : {1, 250'000, 990'000, 999'000, 999'900, 1'000'000}) {
      inputs.push_back({std::to_string(count) + " values, " + std::to_string(per_million),
                        {normal_tensor(count, seed(count)), per_million}});
    }
  }
  percentile.agrees_with(percentile_by_definition, inputs);
}

TEST(percentile_clip, RefusesWhatHasNoOrder) {
  percentile.refuses({{"Least", {{-3, 4}, 1}, 3}, {"All", {{-3, 4}, 1'000'000}, 4}},
                     {{"N-NAN", {{1, kNan, 2}, 999'000}},
                      {"N-NAN", {{kInfinity, 2}, 1}},
                      {"N-NAN", {{1, -kInfinity}, 999'000}},
                      {"N-RANGE", {{1, 2}, 0}},
                      {"N-RANGE", {{1, 2}, 1'000'001}},
                      {"N-RANGE", {{1, 2}, -1}},
                      {"N-RANGE", {Reals{}, 0}}});
}

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
