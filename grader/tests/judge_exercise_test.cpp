// What an exercise makes of a contract's signature: leaves, their text, and simpler arguments.
#include <gtest/gtest.h>

#include <algorithm>
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

struct Lent {
  std::span<const float> x;
};
inline void filled(const Lent& lent, std::span<float> y, int rows) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = lent.x[i] * static_cast<float>(rows);
}
NIBBLE_EXERCISES(turned, filled);

}  // namespace nibble

#include "judge/exercise.hpp"  // behind the contract

namespace nibble::judge {

struct OwnedLent {
  std::vector<float> x;
  operator Lent() const { return {x}; }
};
template <>
struct Owned<Lent> {
  using Type = OwnedLent;
};

namespace {

using Turning = Exercise<&turned>;
const Turning turning{{"x", "q", "scale", "side"}, {"q", "scale"}};

using Filling = Exercise<&filled>;
const Filling filling{
    {"x", "rows"}, {"y"}, {}, {.tolerance = {0.5, 0.0, "half"}, .sizes = [](const auto& in) {
                                 return Shape{static_cast<std::size_t>(in.b), in.a.x.size() / in.b};
                               }}};

/// What is said of `got`, where a matrix of 2x2 is wanted.
std::string said(const std::vector<float>& got, const Filling::Compare& compare) {
  Expect expect;
  compare(expect, {{{1, 2, 3, 4}}, 2}, got, {2, 4, 6, 8});
  if (!expect.failure()) return "";
  const auto& failure = *expect.failure();
  std::string at;
  for (const std::size_t i : failure.index) at += " " + std::to_string(i);
  return failure.message + " at" + at + ", " + failure.tolerance;
}

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

TEST(Exercise, ARowsRuleIsToldWithWhatIsWrong) {
  Expect right, wrong;
  right.recall("ties go to even");
  EXPECT_FALSE(right.failure());
  wrong.equal("q", 3, 2);
  wrong.recall("ties go to even");
  EXPECT_EQ(wrong.failure()->message, "q is wrong: ties go to even");
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

TEST(Exercise, HasTheFilledSpanForAResult) {
  EXPECT_EQ(filling.text({{{1, 2}}, 2}), "x = [1, 2], rows = 2");
  EXPECT_EQ(filling.reference({{{1, 2, 3, 4}}, 2}), (std::vector<float>{2, 4, 6, 8}));
}

TEST(Exercise, LooksAtFloatsWithinItsToleranceAndAtTheirPlace) {
  EXPECT_EQ(said({2, 4.5f, 6, 7.5f}, filling.only({"y"})), "");
  EXPECT_EQ(said({2, 4, 7, 8}, filling.only({"y"})), "1 of 4 elements of y is wrong at 1 0, half");
}

TEST(Exercise, LooksOnlyAtTheNamedParts) {
  const Turning whole{{"x", "q", "scale", "side"}, {"codes.q", "scale"}};
  const auto fails = [&](const std::vector<std::string_view>& parts) {
    Expect expect;
    whole.only(parts)(expect, {}, {{1, 2}, 1.0f}, {{1, 3}, 1.0f});
    return expect.failure().has_value();
  };
  EXPECT_TRUE(fails({"scale", "q"}));
  EXPECT_FALSE(fails({"scale"}));
  EXPECT_THROW(whole.only({"codes"}), KitError);
}

}  // namespace
}  // namespace nibble::judge
