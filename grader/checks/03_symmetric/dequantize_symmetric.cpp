// Lab 03, dequantize_symmetric: the checks.
#include "checks/03_symmetric/dequantize_symmetric.hpp"

#include "checks/03_symmetric/quantize_symmetric.hpp"

namespace nibble::judge::lab_03_symmetric {
namespace {

// -128 is legal in a tensor one is given.
TEST(dequantize_symmetric, MultipliesByTheScale) {
  dequantizing.gives(
      {{"Quarters", {{{-128, -1, 0, 127, 2}, 0.25f}}, {-32, -0.25f, 0, 31.75f, 0.5f}},
       {"LargeScale", {{{-128, -1, 0, 127, 2}, 8.0f}}, {-1024, -8, 0, 1016, 16}},
       {"Empty", {{{}, 0.25f}}, {}},
       {"Smallest", {{{-1, 0, 4}, FLT_MIN}}, {-FLT_MIN, 0, 4 * FLT_MIN}},
       {"Overflowing", {{{-4, 1}, 0x1p126f}}, {-kInfinity, 0x1p126f}}});
}

TEST(dequantize_symmetric, EveryCodeAndLength) {
  dequantizing.agrees_with([](const auto& in) { return by_definition(in.a); },
                           given_tensors(seed, 4099));
}

TEST(dequantize_symmetric, RefusesAnUnusableScale) {
  std::vector<Dequantizing::Refused> refused;
  for (const float scale : kUnusableScales)
    refused.push_back({"", {SymmetricTensor{{1, -2}, scale}}});
  dequantizing.refuses({{"Smallest", {{{1, -2}, FLT_MIN}}, {FLT_MIN, -2 * FLT_MIN}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_03_symmetric
