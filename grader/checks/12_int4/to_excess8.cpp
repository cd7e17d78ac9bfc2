// Lab 12, to_excess8: the checks.
#include "checks/12_int4/to_excess8.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

std::uint8_t byte_in_excess(int byte) {
  return as<std::uint8_t>(code_in(byte % 16) + 8 + (code_in(byte / 16) + 8) * 16);
}

Bytes in_excess(const Excess::Arguments& in) { return each_of(in.a, byte_in_excess); }

TEST(to_excess8, EveryByte) {
  excess.gives({{"Ends",
                 {Bytes{0x78, 0x87}},
                 {0xf0, 0x0f},
                 "each nibble by itself: nothing is carried from the low one into the high one"},
                {"MinusOneAndOne", {Bytes{0x1f}}, {0x97}},
                {"ZerosLast", {Bytes{0x78, 0x00}}, {0xf0, 0x88}},
                {"None", {Bytes{}}, {}},
                {"EveryByte", {every_byte()}, in_excess({every_byte()})}});
}

TEST(to_excess8, IsItsOwnWayBack) {
  excess.on_each({{"OneByte", {Bytes{0x4d}}}, {"EveryByte", {every_byte()}}},
                 [](Expect& expect, const auto& in) {
                   const Bytes once = excess(in);
                   expect.that(once != in.a, "returned what it was given", "N-SIGN");
                   expect.equal("what it makes of its result", excess({once}), in.a);
                 });
}

}  // namespace
}  // namespace nibble::judge::lab_12_int4
