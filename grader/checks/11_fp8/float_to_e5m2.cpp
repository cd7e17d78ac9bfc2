// Lab 11, float_to_e5m2: the checks.
#include "checks/11_fp8/float_to_e5m2.hpp"

#include "fp8.hpp"

#include "checks/11_fp8/float_to_e4m3.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_11_fp8 {
namespace {

void gives_e5m2(const std::vector<ToE5m2::Row>& rows) { to_e5m2.gives(rows, same_codes<kFive>); }

TEST(float_to_e5m2, RoundsToNearest) {
  gives_e5m2({{"One", {{1}, kSaturate}, {0x3C}},
              {"Whole", {{1, -1, 2, 3, -112}, kSaturate}, {0x3C, 0xBC, 0x40, 0x42, 0xD7}},
              {"Fractions", {{0.5f, -0.75f, 1.5f}, kSaturate}, {0x38, 0xBA, 0x3E}},
              {"Zeros", {{0, -0.0f}, kSaturate}, {0x00, 0x80}},
              {"Down", {{16.5f, 0.33f, -0.65f, 57}, kSaturate}, {0x4C, 0x35, 0xB9, 0x53}},
              {"Up", {{19.5f, 0.12f, -0.3f, 110}, kSaturate}, {0x4D, 0x30, 0xB5, 0x57}},
              {"Ends", {{0x1p-14f, 0x3p-14f, -57344}, kSaturate}, {0x04, 0x0A, 0xFB}},
              {"NonFinite", {{0x1p-14f, 19.5f, -57344}, kNonFinite}, {0x04, 0x4D, 0xFB}}});
}

TEST(float_to_e5m2, TiesGoToEven) {
  gives_e5m2({{"OfTheContract", {{45056, 53248, 19}, kSaturate}, {0x7A, 0x7A, 0x4D}},
              {"BelowZero", {{-45056, -53248, -19}, kSaturate}, {0xFA, 0xFA, 0xCD}},
              {"NearOne", {{1.125f, 1.375f, 19}, kNonFinite}, {0x3C, 0x3E, 0x4D}},
              {"Smallest", {{0xBp-17f, 0x9p-17f, 19}, kSaturate}, {0x06, 0x04, 0x4D}},
              {"BesideATie",
               {{18.0001f, 21.9999f, 19}, kSaturate},
               {0x4D, 0x4D, 0x4D},
               "these lie beside a tie, and x is rounded only once"},
              {"Carry", {{15, -15.5f, 31, -30, 19}, kSaturate}, {0x4C, 0xCC, 0x50, 0xD0, 0x4D}}});
}

TEST(float_to_e5m2, KeepsSubnormals) {
  gives_e5m2(
      {{"Counted", {{0x1p-16f, -0x1p-15f, 0x3p-16f, 0x1p-14f}, kSaturate}, {1, 0x82, 3, 4}},
       {"Between", {{0x5p-18f, 0x7p-18f, 4.3e-5f}, kSaturate}, {0x01, 0x02, 0x03}},
       {"Ties", {{0x3p-17f, 0x5p-17f, 0x7p-17f, 0x7p-18f}, kSaturate}, {0x02, 0x02, 0x04, 0x02}},
       {"HalfTheSmallest", {{0x1p-17f, -0x1p-17f, 0x7p-18f}, kSaturate}, {0x00, 0x80, 0x02}},
       {"JustAbove", {{0x1.000002p-17f, 0x3p-18f, 0x7p-18f}, kNonFinite}, {0x01, 0x01, 0x02}},
       {"Tiny", {{0x1p-18f, -1e-30f, FLT_TRUE_MIN, -1e-40f}, kSaturate}, {0, 0x80, 0, 0x80}}});
}

TEST(float_to_e5m2, SaturatesAt57344) {
  gives_e5m2({{"Largest", {{57344, -57344, 60000}, kSaturate}, {0x7B, 0xFB, 0x7B}},
              {"FromTheTieOn", {{61440, -61440, 65536}, kSaturate}, {0x7B, 0xFB, 0x7B}},
              {"FarBeyond", {{131072, -1e10f, FLT_MAX}, kSaturate}, {0x7B, 0xFB, 0x7B}},
              {"Infinity", {{kInfinity, -kInfinity}, kSaturate}, {0x7B, 0xFB}}});
}

// 22 is a tie that goes up: who lets all of them go down is told so.
TEST(float_to_e5m2, OverflowsAt61440) {
  gives_e5m2({{"Below", {{57344, 61439.996f, -61439.996f}, kNonFinite}, {0x7B, 0x7B, 0xFB}},
              {"FromTheTieOn",
               {{61440, -61440, 65536, 22, 19}, kNonFinite},
               {0x7C, 0xFC, 0x7C, 0x4E, 0x4D}},
              {"FarBeyond", {{131072, -1e10f, FLT_MAX}, kNonFinite}, {0x7C, 0xFC, 0x7C}},
              {"Infinity", {{kInfinity, -kInfinity}, kNonFinite}, {0x7C, 0xFC}}});
}

TEST(float_to_e5m2, KeepsNan) {
  const Codes codes = {0x7E, 0x7E, 0x7E, 0xFE, 0xFE, 0xFE, 0xFE};
  gives_e5m2({{"OneOfOthers", {{1, kNan, -1}, kSaturate}, {0x3C, 0x7E, 0xBC}},
              {"Saturate", {kEachNan, kSaturate}, codes},
              {"NonFinite", {kEachNan, kNonFinite}, codes}});
}

TEST(float_to_e5m2, EveryTieAndBothSides) {
  to_e5m2.agrees_with(by_definition<kFive>, every_tie<ToE5m2::Input>(kFive), same_codes<kFive>);
}

}  // namespace
}  // namespace nibble::judge::lab_11_fp8
