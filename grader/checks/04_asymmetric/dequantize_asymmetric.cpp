// Lab 04, dequantize_asymmetric: the checks.
#include "checks/04_asymmetric/dequantize_asymmetric.hpp"

#include "checks/04_asymmetric/quantize_with_parameters.hpp"

namespace nibble::judge::lab_04_asymmetric {
namespace {

// Codes below the zero point are in all of them: a difference in uint8 wraps around there.
TEST(dequantize_asymmetric, SubtractsTheZeroPoint) {
  dequantizing.gives(
      {{"Quarters", {{{0, 9, 10, 255, 12}, 0.25f, 10}}, {-2.5f, -0.25f, 0, 61.25f, 0.5f}},
       {"OtherZeroPoint", {{{0, 9, 10, 255, 12}, 0.25f, 6}}, {-1.5f, 0.75f, 1, 62.25f, 1.5f}},
       {"OtherScale", {{{0, 9, 10, 255, 12}, 0.5f, 6}}, {-3, 1.5f, 2, 124.5f, 3}},
       {"LargeScale", {{{0, 130, 128, 255}, 8, 128}}, {-1024, 16, 0, 1016}},
       {"BelowTheCodes", {{{0, 1, 200}, 0.5f, -1000}}, {500, 500.5f, 600}},
       {"AboveTheCodes", {{{0, 15}, 1, 30}}, {-30, -15}},
       {"Far", {{{0, 1, 255}, 0.5f, 70000}}, {-35000, -34999.5f, -34872.5f}},
       {"AsFarAsItGoes", {{{0, 1, 255}, 0.5f, kFar}}, {-8388608, -8388607.5f, -8388480.5f}},
       {"BeyondFloat", {{{0, 1, 2}, 0.75f, 1 - kFar}}, {12582911, 12582912, 12582912}},
       {"Empty", {{{}, 0.25f, 3}}, {}},
       {"Smallest", {{{0, 1, 5}, FLT_MIN, 1}}, {-FLT_MIN, 0, 4 * FLT_MIN}},
       {"Overflowing",
        {{{0, 1, 6, 3}, 0x1p126f, 2}},
        {-0x1p127f, -0x1p126f, kInfinity, 0x1p126f}}});
}

TEST(dequantize_asymmetric, EveryCodeAndLength) {
  dequantizing.agrees_with([](const auto& in) { return by_definition(in.a); },
                           given_tensors(seed, 4099));
}

TEST(dequantize_asymmetric, RefusesUnusableParameters) {
  std::vector<Dequantizing::Refused> refused;
  for (const AsymmetricParameters p : kUnusable) {
    refused.push_back({code_of(p), {AsymmetricTensor{{1, 3}, p.scale, p.zero_point}}});
  }
  dequantizing.refuses({{"Smallest", {{{1, 3}, FLT_MIN, 2}}, {-FLT_MIN, FLT_MIN}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_04_asymmetric
