// Lab 10, float_to_half: the checks.
#include "checks/10_half/float_to_half.hpp"

#include "half.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_10_half {
namespace {

// Nothing here is a tie, carries, or is subnormal.
TEST(float_to_half, RoundsToNearest) {
  to_half.gives({{"One", {{1}}, {0x3C00}},
                 {"Whole", {{1, -1, 2, 3, -1024}}, {0x3C00, 0xBC00, 0x4000, 0x4200, 0xE400}},
                 {"Fractions", {{0.5f, -0.75f, 1.5f}}, {0x3800, 0xBA00, 0x3E00}},
                 {"Zeros", {{0, -0.0f}}, {0x0000, 0x8000}},
                 {"Down", {{2048.5f, 0.1f, 1.0f / 3}}, {0x6800, 0x2E66, 0x3555}},
                 {"Up", {{2049.5f, -0.7f, 1001.8f}}, {0x6801, 0xB99A, 0x63D4}},
                 {"SmallestAndLargest", {{0x1p-14f, 0x3p-14f, -65504}}, {0x0400, 0x0A00, 0xFBFF}}},
                same_codes<kHalf>);
}

// From here on each row holds a number that simply rounds up, too: who cuts is told so.
TEST(float_to_half, TiesGoToEven) {
  to_half.gives(
      {{"OfTheContract", {{2046.5f, 2049, 2051, 2049.5f}}, {0x67FE, 0x6800, 0x6802, 0x6801}},
       {"BelowZero", {{-2046.5f, -2049, -2051, -2049.5f}}, {0xE7FE, 0xE800, 0xE802, 0xE801}},
       {"NearOne", {{1 + 0x1p-11f, 1 + 0x3p-11f, 1 + 0x3p-12f}}, {0x3C00, 0x3C02, 0x3C01}},
       {"Smallest",
        {{0x401p-24f + 0x1p-25f, 0x1p-14f + 0x1p-25f, 0x1p-14f + 0x3p-26f}},
        {0x0402, 0x0400, 0x0401}},
       {"Largest", {{32784, 32816, 32790}}, {0x7800, 0x7802, 0x7801}}},
      same_codes<kHalf>);
}

// Beyond an even exponent and beyond an odd one: there an | in place of a + shows.
TEST(float_to_half, CarriesIntoTheExponent) {
  to_half.gives({{"To2048", {{2047.5f, -2047.75f, 2049.5f}}, {0x6800, 0xE800, 0x6801}},
                 {"To4096", {{4095, -4095.5f, 2049.5f}}, {0x6C00, 0xEC00, 0x6801}},
                 {"ToOne", {{1 - 0x1p-12f, 1 - 0x1p-14f, 2049.5f}}, {0x3C00, 0x3C00, 0x6801}},
                 {"ToTwo", {{2 - 0x1p-11f, 2 - 0x1p-20f, 2049.5f}}, {0x4000, 0x4000, 0x6801}}},
                same_codes<kHalf>);
}

// Codes 0 to 3, the two on both sides of 2^-14, ties between them, and what is next to nothing.
TEST(float_to_half, KeepsSubnormals) {
  to_half.gives(
      {{"Counted", {{0x1p-24f, -0x1p-23f, 0x3p-24f}}, {0x0001, 0x8002, 0x0003}},
       {"Last", {{0x1p-15f, 0x3FFp-24f, 0x1p-14f}}, {0x0200, 0x03FF, 0x0400}},
       {"Between", {{0x5p-26f, 0x7p-26f, 1e-5f}}, {0x0001, 0x0002, 0x00A8}},
       {"Ties", {{0x3p-25f, 0x5p-25f, 0x7FFp-25f, 0x7p-26f}}, {0x0002, 0x0002, 0x0400, 0x0002}},
       {"HalfTheSmallest", {{0x1p-25f, -0x1p-25f, 0x7p-26f}}, {0x0000, 0x8000, 0x0002}},
       {"JustAbove",
        {{0x1.000002p-25f, 0x3p-26f, 0x7p-26f}},
        {0x0001, 0x0001, 0x0002},
        "what is above a tie goes up: x is rounded once, to whole 2^-24"},
       {"Tiny", {{0x1p-26f, -1e-30f, FLT_TRUE_MIN}}, {0x0000, 0x8000, 0x0000}}},
      same_codes<kHalf>);
}

// 2051 is a tie that goes up: who lets all of them go down is told so.
TEST(float_to_half, OverflowsAt65520) {
  to_half.gives({{"Below", {{65504, 65519.996f, -65519.996f}}, {0x7BFF, 0x7BFF, 0xFBFF}},
                 {"FromTheTieOn",
                  {{65520, -65520, 65536, 2051, 2049.5f}},
                  {0x7C00, 0xFC00, 0x7C00, 0x6802, 0x6801}},
                 {"FarBeyond", {{131072, -1e10f, FLT_MAX}}, {0x7C00, 0xFC00, 0x7C00}},
                 {"Infinity", {{kInfinity, -kInfinity}}, {0x7C00, 0xFC00}}},
                same_codes<kHalf>);
}

// A NaN whose only bit is cut off, all bits, one that is not quiet, one of either sign. What is cut
// off the signaling one would round up.
TEST(float_to_half, KeepsNan) {
  to_half.gives({{"LastBitOnly", {{from_bits(0x7F800001), 1}}, {0x7E00, 0x3C00}},
                 {"Quiet", {{from_bits(0x7FC00000), from_bits(0xFFC00000)}}, {0x7E00, 0xFE00}},
                 {"AllBits", {{from_bits(0x7FFFFFFF), from_bits(0xFFFFFFFF)}}, {0x7FFF, 0xFFFF}},
                 {"Signaling", {{from_bits(0x7F803001), from_bits(0xFFA00000)}}, {0x7E01, 0xFF00}}},
                same_codes<kHalf>);
}

TEST(float_to_half, EveryTieAndBothSides) {
  to_half.agrees_with([](const auto& in) { return codes_of(in.a, kHalf); },
                      every_tie<ToHalf::Input>(kHalf), same_codes<kHalf>);
}

}  // namespace
}  // namespace nibble::judge::lab_10_half
