// Lab 15, requantize: the checks.
#include "checks/15_cpu_simd/requantize.hpp"

#include "checks/15_cpu_simd/quantize.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

TEST(requantize, ScalesEachColumn) {
  requantizing.is_right({{"Empty", {{}, {}, 3}},
                         {"NoRows", {{}, {1, 2}, 3}},
                         {"OneByTwo", {{10, 20}, {0.5f, 2}, 0}},
                         {"TwoByTwo", {{10, 20, -30, 40}, {0.5f, 2}, 0}},
                         {"ThreeByTwo", {{12, 20, -32, 40, 8, -9}, {0.25f, 1}, 0}},
                         {"OneColumn", {{10, 20, -30}, {0.5f}, 0}}});
}

/// The list `times` times.
Sums repeated(const Sums& list, std::size_t times) {
  Sums all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// Halves of both signs; with an odd zero point, rounding v + zero_point moves every tie.
TEST(requantize, RoundsThenAddsTheZeroPoint) {
  Sums halves(141);
  std::iota(halves.begin(), halves.end(), -70);
  const Reals half(halves.size(), 0.5f);
  requantizing.is_right(
      {{"Few", {{1, 3, 5, 7, -1, -3}, Reals(6, 0.5f), 0}},
       {"OddZeroPoint", {{1, 3, 5, 7, -1, -3}, Reals(6, 0.5f), 1}},
       {"ZeroPoint", {{8, 16, -24}, {0.25f, 0.25f, 0.25f}, -20}},
       // A sum, then a product, is a tie once it is a float32; beside it, one that was.
       {"RoundedSums", {{16777217, -16777217, 1}, {0x1p-25f, 0x1p-25f, 0.5f}, 0}},
       {"RoundedProducts", {{3, -3, 1}, {1 / 6.0f, 1 / 6.0f, 0.5f}, 0}},
       {"Many", {repeated(halves, 2), half, 0}},
       {"ManyOdd", {repeated(halves, 2), half, -7}}});
}

// Past the grid by themselves, by the zero point alone, and back inside by it; past int32.
TEST(requantize, StaysOnTheGrid) {
  const Sums past{100, -100, 127, -128, 150, -150, 250, -250, 1000, -1000};
  const Sums huge{2147483647, std::numeric_limits<std::int32_t>::min(), 16777217, -16777217};
  std::vector<Named<Layer>> all;
  for (const int zero_point : {0, 100, -100, 127, -128}) {
    for (const std::size_t times : {1, 9}) {
      const std::string name = std::to_string(zero_point) + "x" + std::to_string(times);
      all.push_back(
          {"Past" + name, {repeated(past, times), Reals(past.size() * times, 1), zero_point}});
      all.push_back(
          {"Huge" + name,
           {repeated(huge, 2 * times), Reals(huge.size() * times * 2, 0x1p100f), zero_point}});
    }
  }
  requantizing.is_right(all);
}

TEST(requantize, EveryShape) { requantizing.is_right(random_layers(seed)); }

TEST(requantize, RefusesWhatItMust) {
  decltype(requantizing)::Refusals rows;
  for (const float factor : kUnusableScales) {
    rows.push_back(
        {"N-DIV0", "a multiplier of " + show_value(factor), {{1, 2}, {1, factor}, 0, out(2)}});
  }
  rows.push_back({"N-RANGE", "zero_point = 128", {{1, 2}, {1, 1}, 128, out(2)}});
  rows.push_back({"N-RANGE", "zero_point = -129", {{1, 2}, {1, 1}, -129, out(2)}});
  rows.push_back({"N-SIZE", "2 sums and 3 codes", {{1, 2}, {1, 1}, 0, out(3)}});
  rows.push_back({"N-SIZE", "3 sums in rows of 2", {{1, 2, 3}, {1, 1}, 0, out(3)}});
  rows.push_back({"N-SIZE", "sums without a column", {{1}, {}, 0, out(1)}});
  requantizing.refuses({{"Fits", {{8, -16}, {0.5f, 0.25f}, 127}}}, rows);
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
