// Lab 11, float_to_e4m3: the checks.
#include "checks/11_fp8/float_to_e4m3.hpp"

#include "fp8.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_11_fp8 {
namespace {

void gives_e4m3(const std::vector<ToE4m3::Row>& rows) { to_e4m3.gives(rows, same_codes<kFour>); }

// Nothing here is a tie, carries, or is subnormal.
TEST(float_to_e4m3, RoundsToNearest) {
  gives_e4m3({{"One", {{1}, kSaturate}, {0x38}},
              {"Whole", {{1, -1, 2, 3, -112}, kSaturate}, {0x38, 0xB8, 0x40, 0x44, 0xEE}},
              {"Fractions", {{0.5f, -0.75f, 1.5f, -0.875f}, kSaturate}, {0x30, 0xB4, 0x3C, 0xB6}},
              {"Zeros", {{0, -0.0f}, kSaturate}, {0x00, 0x80}},
              {"Down", {{16.5f, 0.32f, -0.7f, 99}, kSaturate}, {0x58, 0x2A, 0xB3, 0x6C}},
              {"Up", {{17.5f, 0.1f, -0.3f, 110}, kSaturate}, {0x59, 0x1D, 0xAA, 0x6E}},
              {"Ends", {{0x1p-6f, 0x3p-6f, -448, 300}, kSaturate}, {0x08, 0x14, 0xFE, 0x79}},
              {"NonFinite", {{0x1p-6f, 17.5f, 320, -448}, kNonFinite}, {0x08, 0x59, 0x7A, 0xFE}}});
}

// From here on each row holds a number that simply rounds up, too: who cuts is told so. What is
// beside a tie by less than a half or a bfloat16 can say would be one, rounded to that first.
TEST(float_to_e4m3, TiesGoToEven) {
  gives_e4m3({{"OfTheContract", {{400, 432, 17.5f}, kSaturate}, {0x7C, 0x7E, 0x59}},
              {"BelowZero", {{-400, -432, -17.5f}, kSaturate}, {0xFC, 0xFE, 0xD9}},
              {"Around18", {{17, 19, 21, 17.5f}, kSaturate}, {0x58, 0x5A, 0x5A, 0x59}},
              {"NearOne", {{1.0625f, 1.1875f, 17.5f}, kNonFinite}, {0x38, 0x3A, 0x59}},
              {"BesideATie", {{17.001f, 18.999f, 17.5f}, kSaturate}, {0x59, 0x59, 0x59}},
              {"Smallest", {{0x13p-10f, 0x11p-10f, 17.5f}, kSaturate}, {0x0A, 0x08, 0x59}}});
}

// Beyond an even exponent and beyond an odd one: there an | in place of a + shows.
TEST(float_to_e4m3, CarriesIntoTheExponent) {
  gives_e4m3({{"To16", {{15.75f, -15.9f, 17.5f}, kSaturate}, {0x58, 0xD8, 0x59}},
              {"To32", {{31.5f, -31, 17.5f}, kSaturate}, {0x60, 0xE0, 0x59}},
              {"ToOne", {{1 - 0x1p-6f, 1 - 0x1p-7f, 17.5f}, kSaturate}, {0x38, 0x38, 0x59}},
              {"To256", {{255, -250, 17.5f}, kNonFinite}, {0x78, 0xF8, 0x59}}});
}

// Codes 0 to 3, the two on both sides of 2^-6, ties between them, and what is next to nothing.
TEST(float_to_e4m3, KeepsSubnormals) {
  gives_e4m3(
      {{"Counted", {{0x1p-9f, -0x1p-8f, 0x3p-9f}, kSaturate}, {0x01, 0x82, 0x03}},
       {"Last", {{0x1p-7f, 0x7p-9f, 0x1p-6f}, kSaturate}, {0x04, 0x07, 0x08}},
       {"Between", {{0x5p-11f, 0x7p-11f, 0.01f}, kSaturate}, {0x01, 0x02, 0x05}},
       {"Ties", {{0x3p-10f, 0x5p-10f, 0xFp-10f, 0x7p-11f}, kSaturate}, {0x02, 0x02, 0x08, 0x02}},
       {"HalfTheSmallest", {{0x1p-10f, -0x1p-10f, 0x7p-11f}, kSaturate}, {0x00, 0x80, 0x02}},
       {"JustAbove", {{0x1.000002p-10f, 0x3p-11f, 0x7p-11f}, kNonFinite}, {0x01, 0x01, 0x02}},
       {"Tiny", {{0x1p-11f, -1e-30f, FLT_TRUE_MIN, -1e-40f}, kSaturate}, {0, 0x80, 0, 0x80}}});
}

TEST(float_to_e4m3, SaturatesAt448) {
  gives_e4m3({{"Largest", {{448, -448, 449}, kSaturate}, {0x7E, 0xFE, 0x7E}},
              {"Tie", {{464, -464}, kSaturate}, {0x7E, 0xFE}},
              {"Beyond", {{464.00003f, -465, 480, 496}, kSaturate}, {0x7E, 0xFE, 0x7E, 0x7E}},
              {"FarBeyond", {{512, -1000, 1e10f, -FLT_MAX}, kSaturate}, {0x7E, 0xFE, 0x7E, 0xFE}},
              {"Infinity", {{kInfinity, -kInfinity}, kSaturate}, {0x7E, 0xFE}}});
}

// 17 and 19 are ties, and one of them goes up. 17.5 is none, and goes up as well.
TEST(float_to_e4m3, OverflowsBeyond464) {
  gives_e4m3({{"Largest", {{448, -448, 463.99997f}, kNonFinite}, {0x7E, 0xFE, 0x7E}},
              {"Tie", {{464, -464, 17, 19}, kNonFinite}, {0x7E, 0xFE, 0x58, 0x5A}},
              {"Beyond", {{464.00003f, -465, 480, 17.5f}, kNonFinite}, {0x7F, 0xFF, 0x7F, 0x59}},
              {"FarBeyond", {{512, -1000, 1e10f, -FLT_MAX}, kNonFinite}, {0x7F, 0xFF, 0x7F, 0xFF}},
              {"Infinity", {{kInfinity, -kInfinity}, kNonFinite}, {0x7F, 0xFF}}});
}

TEST(float_to_e4m3, KeepsNan) {
  const Codes codes = {0x7F, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF};
  gives_e4m3({{"OneOfOthers", {{1, kNan, -1}, kSaturate}, {0x38, 0x7F, 0xB8}},
              {"Saturate", {kEachNan, kSaturate}, codes},
              {"NonFinite", {kEachNan, kNonFinite}, codes}});
}

TEST(float_to_e4m3, EveryTieAndBothSides) {
  to_e4m3.agrees_with(by_definition<kFour>, every_tie<ToE4m3::Input>(kFour), same_codes<kFour>);
}

}  // namespace
}  // namespace nibble::judge::lab_11_fp8
