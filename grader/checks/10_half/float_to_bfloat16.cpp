// Lab 10, float_to_bfloat16: the checks.
#include "checks/10_half/float_to_bfloat16.hpp"

#include "half.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_10_half {
namespace {

TEST(float_to_bfloat16, RoundsToNearest) {
  to_bfloat16.gives({{"One", {{1}}, {0x3F80}},
                     {"Whole", {{-1, 2, 3, -128}}, {0xBF80, 0x4000, 0x4040, 0xC300}},
                     {"Zeros", {{0, -0.0f}}, {0x0000, 0x8000}},
                     {"FarApart", {{0x1p-126f, 0x1p127f}}, {0x0080, 0x7F00}},
                     {"Down", {{256.5f, 3.1415927f, -0.7f}}, {0x4380, 0x4049, 0xBF33}},
                     {"Up", {{257.5f, 0.1f, -0.3f}}, {0x4381, 0x3DCD, 0xBE9A}}},
                    same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, TiesGoToEven) {
  to_bfloat16.gives(
      {{"Around256", {{254.5f, 257, 259, 257.5f}}, {0x437E, 0x4380, 0x4382, 0x4381}},
       {"BelowZero", {{-254.5f, -257, -259, -257.5f}}, {0xC37E, 0xC380, 0xC382, 0xC381}},
       {"NearOne", {{1 + 0x1p-8f, 1 + 0x3p-8f, 257.5f}}, {0x3F80, 0x3F82, 0x4381}}},
      same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, CarriesIntoTheExponent) {
  to_bfloat16.gives({{"To256", {{255.5f, -255.75f, 257.5f}}, {0x4380, 0xC380, 0x4381}},
                     {"To512", {{511, -511.5f, 257.5f}}, {0x4400, 0xC400, 0x4381}}},
                    same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, KeepsSubnormals) {
  to_bfloat16.gives({{"Counted", {{0x1p-133f, -0x3p-133f}}, {0x0001, 0x8003}},
                     {"Ties", {{0x1p-134f, 0x3p-134f, 0xFFp-134f}}, {0x0000, 0x0002, 0x0080}},
                     {"Tiny", {{FLT_TRUE_MIN, -FLT_TRUE_MIN}}, {0x0000, 0x8000}}},
                    same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, OverflowsAtTheLastTie) {
  to_bfloat16.gives(
      {{"Below", {{0x1.FEp127f, 0x1.FEFFFEp127f}}, {0x7F7F, 0x7F7F}},
       {"FromTheTieOn", {{0x1.FFp127f, -FLT_MAX, 259, 257.5f}}, {0x7F80, 0xFF80, 0x4382, 0x4381}},
       {"Infinity", {{kInfinity, -kInfinity}}, {0x7F80, 0xFF80}}},
      same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, KeepsNan) {
  to_bfloat16.gives(
      {{"LastBitOnly", {{from_bits(0x7F800001), 1}}, {0x7FC0, 0x3F80}},
       {"Quiet", {{from_bits(0x7FC00000), from_bits(0xFFC00000)}}, {0x7FC0, 0xFFC0}},
       {"AllBits", {{from_bits(0x7FFFFFFF), from_bits(0xFFFFFFFF)}}, {0x7FFF, 0xFFFF}},
       {"Signaling", {{from_bits(0x7F818001), from_bits(0xFFA00000)}}, {0x7FC1, 0xFFE0}}},
      same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, EveryTieAndBothSides) {
  to_bfloat16.agrees_with([](const auto& in) { return codes_of(in.a, kBfloat16); },
                          every_tie<ToBfloat16::Input>(kBfloat16), same_codes<kBfloat16>);
}

}  // namespace
}  // namespace nibble::judge::lab_10_half
