// Lab 11: e4m3_to_float and e5m2_to_float: the checks.
#include "checks/11_fp8/to_float.hpp"

namespace nibble::judge::lab_11_fp8 {
namespace {

Reals values_of(const Codes& codes, const Format& f) {
  Reals x;
  for (const std::uint8_t code : codes) {
    const int magnitude = code & 0x7F;
    float value = static_cast<float>(value_of(magnitude, f));
    if (magnitude > f.largest) value = kNan;
    if (magnitude == f.largest + 1 && magnitude != f.nan) value = kInfinity;
    x.push_back(code < 0x80 ? value : -value);
  }
  return x;
}

/// Sixteen codes at a time: most of these lists hold no NaN, which is equal to no suspect.
template <class Input>
std::vector<Input> every_code() {
  std::vector<Input> inputs;
  for (int first = 0; first < 256; first += 16) {
    Codes codes(16);
    std::iota(codes.begin(), codes.end(), static_cast<std::uint8_t>(first));
    inputs.push_back({"From" + std::to_string(first), {codes}});
  }
  return inputs;
}

TEST(e4m3_to_float, NormalNumbers) {
  from_e4m3.gives({{"One", {{0x38}}, {1}},
                   {"Whole", {{0xB8, 0x40, 0x44, 0xEE}}, {-1, 2, 3, -112}},
                   {"Fractions", {{0x30, 0xB4, 0x1D}}, {0.5f, -0.75f, 0.1015625f}},
                   {"Zeros", {{0x00, 0x80}}, {0, -0.0f}},
                   {"Ends", {{0x08, 0x88, 0x77}}, {0x1p-6f, -0x1p-6f, 240}}},
                  same_bits);
}

TEST(e4m3_to_float, SubnormalNumbers) {
  from_e4m3.gives({{"Smallest", {{0x01, 0x81}}, {0x1p-9f, -0x1p-9f}},
                   {"Counted", {{0x02, 0x83, 0x04}}, {0x1p-8f, -0x3p-9f, 0x1p-7f}},
                   {"Last", {{0x07, 0x87, 0x08}}, {0x7p-9f, -0x7p-9f, 0x1p-6f}}},
                  same_bits);
}

TEST(e4m3_to_float, HasNoInfinity) {
  const float minus_nan = from_bits(0xFFC00000);
  from_e4m3.gives({{"Not78", {{0x78, 0xF8}}, {256, -256}},
                   {"Numbers", {{0x79, 0x7A, 0xFB, 0x7C, 0x7D}}, {288, 320, -352, 384, 416}},
                   {"Largest", {{0x7E, 0xFE}}, {448, -448}},
                   {"Nan", {{0x7F, 0xFF}}, {from_bits(0x7FC00000), minus_nan}}},
                  same_bits);
}

TEST(e4m3_to_float, EveryCode) {
  from_e4m3.agrees_with([](const auto& in) { return values_of(in.a, kFour); },
                        every_code<FromE4m3::Input>(), same_bits);
}

TEST(e5m2_to_float, NormalNumbers) {
  from_e5m2.gives({{"One", {{0x3C}}, {1}},
                   {"Whole", {{0xBC, 0x40, 0x42, 0xD7}}, {-1, 2, 3, -112}},
                   {"Fractions", {{0x38, 0xBA, 0x2F}}, {0.5f, -0.75f, 0.109375f}},
                   {"Zeros", {{0x00, 0x80}}, {0, -0.0f}},
                   {"Ends", {{0x04, 0x84, 0x7B}}, {0x1p-14f, -0x1p-14f, 57344}}},
                  same_bits);
}

TEST(e5m2_to_float, SubnormalNumbers) {
  from_e5m2.gives({{"Smallest", {{0x01, 0x81}}, {0x1p-16f, -0x1p-16f}},
                   {"Last", {{0x02, 0x83, 0x04}}, {0x1p-15f, -0x3p-16f, 0x1p-14f}}},
                  same_bits);
}

TEST(e5m2_to_float, InfinityAndNan) {
  const float nan = from_bits(0x7FC00000), minus_nan = from_bits(0xFFC00000);
  from_e5m2.gives({{"Infinity", {{0x7C, 0xFC}}, {kInfinity, -kInfinity}},
                   {"Nan", {{0x7D, 0x7E, 0x7F}}, {nan, nan, nan}},
                   {"NanBelowZero", {{0xFD, 0xFE, 0xFF}}, {minus_nan, minus_nan, minus_nan}}},
                  same_bits);
}

TEST(e5m2_to_float, EveryCode) {
  from_e5m2.agrees_with([](const auto& in) { return values_of(in.a, kFive); },
                        every_code<FromE5m2::Input>(), same_bits);
}

}  // namespace
}  // namespace nibble::judge::lab_11_fp8
