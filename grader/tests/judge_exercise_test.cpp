// What an exercise makes of a contract's signature: leaves, their text, and simpler arguments.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "nibble/exercises.hpp"

namespace nibble {

struct Codes {
  std::vector<int> q;
  float scale;
};
enum class Side { kLeft, kRight };
std::string show(Side side) { return side == Side::kLeft ? "kLeft" : "kRight"; }
Codes turned(std::span<const float> x, const Codes& codes, Side side);
NIBBLE_EXERCISES(turned);

}  // namespace nibble

#include "judge/exercise.hpp"  // behind the contract

namespace nibble::judge {
namespace {

using Turning = Exercise<&turned>;
const Turning turning{{"x", "q", "scale", "side"}, {"q", "scale"}};

TEST(Exercise, NamesTheLeavesOfItsArguments) {
  EXPECT_EQ(turning.text({{1, 2.5f}, {{3}, 0.5f}, Side::kRight}),
            "x = [1, 2.5], q = [3], scale = 0.5, side = kRight");
}

TEST(Exercise, ShrinksListsOfOneLengthTogether) {
  const Turning::Arguments in{{1, 2, 3, 4}, {{5, 6, 7, 8}, 0.5f}, Side::kLeft};
  const auto all = smaller_arguments(in);
  ASSERT_GE(all.size(), 6u);
  EXPECT_EQ(turning.text(all[0]), "x = [1, 2], q = [5, 6], scale = 0.5, side = kLeft");
  EXPECT_EQ(turning.text(all[1]), "x = [3, 4], q = [7, 8], scale = 0.5, side = kLeft");
  EXPECT_EQ(turning.text(all[2]), "x = [2, 3, 4], q = [6, 7, 8], scale = 0.5, side = kLeft");
}

TEST(Exercise, ShrinksAShorterListByItself) {
  const Turning::Arguments in{{1, 2, 3, 4}, {{5, 6}, 0.5f}, Side::kLeft};
  const auto all = smaller_arguments(in);
  const auto has = [&](const std::string& text) {
    return std::ranges::any_of(all, [&](const auto& one) { return turning.text(one) == text; });
  };
  EXPECT_TRUE(has("x = [1, 2], q = [5, 6], scale = 0.5, side = kLeft"));
  EXPECT_TRUE(has("x = [1, 2, 3, 4], q = [5], scale = 0.5, side = kLeft"));
  EXPECT_TRUE(has("x = [0, 2, 3, 4], q = [5, 6], scale = 0.5, side = kLeft"));
}

TEST(Exercise, MakesNothingSmallerOfNothing) {
  EXPECT_TRUE(smaller_arguments(Turning::Arguments{{}, {{}, 1.0f}, Side::kLeft}).empty());
}

TEST(Exercise, RefusesToRefuseEverything) {
  EXPECT_THROW(turning.refuses({}, {{"N-NAN", {{1}, {{1}, 1.0f}, Side::kLeft}}}), KitError);
}

}  // namespace
}  // namespace nibble::judge
