// Lab 01, dequantize_from_grid: the checks.
#include "checks/01_grid/dequantize_from_grid.hpp"

#include "grid.hpp"

#include "checks/01_grid/quantize_to_grid.hpp"
#include "checks/01_grid/values.hpp"

namespace nibble::judge::lab_01_grid {
namespace {

TEST(dequantize_from_grid, MultipliesByTheScale) {
  gives(dequantizing, "x_hat",
        {{"Quarter",
          {{1, -2, 127, -128, 0}, {0.25f, 0, -128, 127}},
          {0.25f, -0.5f, 31.75f, -32, 0},
          "x_hat = scale * (q - zero_point)"},
         {"Four", {{1, -2, 7, 0}, {4, 0, -8, 7}}, {4, -8, 28, 0}}});
}

TEST(dequantize_from_grid, SubtractsTheZeroPoint) {
  gives(dequantizing, "x_hat",
        {{"OfTheDrawing",
          {{4, 7, 3}, {0.5f, 3, 0, 7}},
          {0.5f, 2, 0},
          "the code zero_point is real 0"},
         {"Negative", {{-4, 7, -5}, {2, -5, -8, 7}}, {2, 24, 0}}});
}

// A code below the zero point, and a difference that no int8 or int16 holds.
TEST(dequantize_from_grid, DoesNotWrapAround) {
  gives(dequantizing, "x_hat",
        {{"BelowZeroPoint",
          {{0, 127, 128}, {0.5f, 128, 0, 255}},
          {-64, -0.5f, 0},
          "q - zero_point is below 0 here"},
         {"AllAbove",
          {{255, 128, 0}, {1, 0, 0, 255}},
          {255, 128, 0},
          "q - zero_point is up to 255 here, more than an int8 holds"},
         {"SixteenBits",
          {{32767, 0, -32768}, {1, -32768, -32768, 32767}},
          {65535, 32768, 0},
          "q - zero_point is up to 65535 here, more than an int16 holds"},
         {"WidestGrid", {{-32768, -32001, 65535}, kWidest}, {-98303, -97536, 0}, kManySteps}});
}

// Subtracting scale * zero_point from scale * q loses the digits of every value near real 0.
TEST(dequantize_from_grid, EveryCodeOfTheGrid) {
  std::vector<Dequantizing::Input> inputs;
  for (const auto& [name, grid] : kUsualGrids) {
    Codes q(static_cast<std::size_t>(grid.qmax - grid.qmin) + 1);
    std::iota(q.begin(), q.end(), grid.qmin);
    inputs.push_back({name, {q, grid}});
  }
  dequantizing.agrees_with(by_definition, inputs);
}

TEST(dequantize_from_grid, RefusesWhatIsNotOnTheGrid) {
  auto refused = without_a_grid<Dequantizing>(Codes{0, 0});
  for (const std::int32_t code : {8, -9, 1 << 30}) refused.push_back({"", {{0, code}, kFourBits}});
  refused.push_back({"N-SIZE", {{-8, 7}, kFourBits}, /*too_many=*/1});
  dequantizing.refuses({{"Fine", {{-8, 7}, kFourBits}, {-8, 7}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_01_grid
