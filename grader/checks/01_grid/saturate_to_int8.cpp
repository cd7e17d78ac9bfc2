// Lab 01, saturate_to_int8: the checks.
#include "checks/01_grid/saturate_to_int8.hpp"

namespace nibble::judge::lab_01_grid {
namespace {

struct Number {
  float x;
  int want;
};

void saturates(const std::vector<Number>& numbers, const char* rule = "") {
  std::vector<Saturating::Row> rows;
  for (const auto& [x, want] : numbers) {
    rows.push_back({show_value(x), {x}, static_cast<std::int8_t>(want), rule});
  }
  saturating.gives(rows);
}

// 127.4 is where a careless clamp and a careless rounding still agree with the contract.
TEST(saturate_to_int8, InsideIsKept) {
  std::vector<Number> numbers{{127.4f, 127}};
  for (int code = -128; code <= 127; ++code) numbers.push_back({static_cast<float>(code), code});
  saturates(numbers);
}

TEST(saturate_to_int8, RoundsToNearest) {
  saturates({{0.75f, 1}, {2.25f, 2}, {-2.25f, -2}, {-0.75f, -1}, {-127.75f, -128}});
}

// floor(x + 0.5) fails the even ties; and 0.49999997, because the sum is rounded up to 1.
TEST(saturate_to_int8, TiesGoToEven) {
  saturates({{0.5f, 0}, {1.5f, 2}, {2.5f, 2}, {126.5f, 126}, {0.49999997f, 0}});
  saturates({{-0.5f, 0}, {-1.5f, -2}, {-2.5f, -2}},
            "a tie goes to the even neighbour below 0, too, where % 2 of an odd number is -1");
}

// One beyond, a tie beyond, twice around an int8, beyond int32, and as far as it goes.
TEST(saturate_to_int8, StopsAtTheEnds) {
  saturates({{128, 127}, {127.5f, 127}, {300, 127}, {3e9f, 127}, {FLT_MAX, 127}});
  saturates({{-129, -128}, {-300, -128}, {-3e9f, -128}});
}

TEST(saturate_to_int8, NanAndInfinity) {
  saturates({{NAN, 0}, {-NAN, 0}}, "a NaN becomes 0, and no end of the range");
  saturates({{INFINITY, 127}, {-INFINITY, -128}}, "an infinity becomes the end of its side");
}

}  // namespace
}  // namespace nibble::judge::lab_01_grid
