// Lab 34, write_varint: the checks.
#include "checks/34_onnx_export/write_varint.hpp"

namespace nibble::judge::lab_34_onnx_export {
namespace {

TEST(write_varint, SevenBitsAByte) {
  varying.gives({{"OfTheContract", {300}, hex("AC 02")},
                 {"Zero", {0}, hex("00")},
                 {"One", {1}, hex("01")},
                 {"SevenBits", {127}, hex("7F")},
                 {"EightBits", {128}, hex("80 01")},

                 {"FourteenBits", {16'383}, hex("FF 7F")},
                 {"FifteenBits", {16'384}, hex("80 80 01")},
                 {"Mixed", {0x12345}, hex("C5 C6 04")}},
                kSameBytes);
}

TEST(write_varint, HoldsSixtyFourBits) {
  const auto minus = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  varying.gives({{"ThirtyTwo", {0xFFFFFFFF}, hex("FF FF FF FF 0F")},
                 {"More", {std::uint64_t{1} << 32}, hex("80 80 80 80 10")},
                 {"ThirtySix", {std::uint64_t{1} << 35}, hex("80 80 80 80 80 01")},
                 {"MinusOne", {minus(-1)}, hex("FF FF FF FF FF FF FF FF FF 01")},
                 {"MinusThree", {minus(-3)}, hex("FD FF FF FF FF FF FF FF FF 01")},
                 {"Top", {std::uint64_t{1} << 63}, hex("80 80 80 80 80 80 80 80 80 01")}},
                kSameBytes);
}

}  // namespace
}  // namespace nibble::judge::lab_34_onnx_export
