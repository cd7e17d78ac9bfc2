// Lab 07, moving_average_observe: the checks.
#include "checks/07_calibration/moving_average_observe.hpp"

namespace nibble::judge::lab_07_calibration {
namespace {

// 0.01f is not a hundredth, but 100 times it rounds to 1.
TEST(moving_average_observe, OneStepInAHundred) {
  moving.gives({{"Wider", {seen(-100, 100), {0, -200, 300, 1}}, seen(-101, 102)},
                {"Narrower", {seen(-100, 100), {0, 0}}, seen(-99, 99)},
                {"OneSide", {seen(-100, 300), {300, -200}}, seen(-101, 300)},
                {"AboveZero", {seen(100, 200), {200, 300}}, seen(101, 201)},
                {"Huge", {seen(-3e38f, 3e38f), {-3e38f, 3e38f}}, seen(-3e38f, 3e38f)}});
}

// "Low" comes out one float further down where product and sum are not rounded one by one, in
// double or together; "High" as 0.99f * end + 0.01f * to alone. In "Neighbours" lo rises to
// 0.034837205, and hi by one float less.
TEST(moving_average_observe, InFloatInThisOrder) {
  moving.gives({{"NoWay", {seen(-0.7f, 0.3f), {0.3f, -0.7f}}, seen(-0.7f, 0.3f)},
                {"Low", {seen(-0.0625f, 0), {-3.6875f, 0}}, seen(moved(-0.0625f, -3.6875f), 0)},
                {"High", {seen(0, 0.0625f), {0, 1.1875f}}, seen(0, moved(0.0625f, 1.1875f))},
                {"Neighbours",
                 {seen(0.0137008419f, 0.0137008429f), {2.12733698f}},
                 seen(0.034837205f, 0.034837205f),
                 "where rounding puts lo' above hi', hi' becomes lo'"}});
  moving.agrees_with(
      [](const auto& in) {
        if (in.b.empty()) return in.a;
        return moved_range(in.a, in.b);
      },
      ranges(seed, 257));
}

TEST(moving_average_observe, BeginsAndEndsAsMinMax) {
  auto rows = first_batches<&moving_average_observe>();
  rows.push_back({"NotFrozen", {seen(-100, 100), {-200, 300}}, seen(-101, 102)});
  std::ranges::copy(frozen_ones<&moving_average_observe>(), std::back_inserter(rows));
  moving.gives(rows);
}

// The way from -3e38 to 3e38 is no float32.
TEST(moving_average_observe, RefusesWhatHasNoRange) {
  auto refused = no_ranges<&moving_average_observe>();
  refused.push_back({"N-NAN", {seen(-3e38f, 0), {3e38f}}});
  refused.push_back({"N-NAN", {seen(0, 3e38f), {-3e38f}}});
  moving.refuses({{"Narrower", {seen(-100, 100), {0}}, seen(-99, 99)},
                  {"Point", {seen(100, 100), {200}}, seen(101, 101)}},
                 refused);
}

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
