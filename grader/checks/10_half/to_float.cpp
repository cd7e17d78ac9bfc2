// Lab 10: half_to_float and bfloat16_to_float: the checks.
#include "checks/10_half/to_float.hpp"

namespace nibble::judge::lab_10_half {
namespace {

/// What `codes` stand for. A NaN of half has its first bit set, one of bfloat16 stays as it is.
Reals values_of(const Codes& codes, const Format& f) {
  Reals x;
  for (const std::uint16_t code : codes) {
    const int magnitude = code & 0x7FFF;
    std::uint32_t bits = (code & 0x8000u) << 16 | 0x7F800000u |
                         static_cast<std::uint32_t>(magnitude % f.steps())
                             << (23 - f.fraction_bits);
    if (magnitude > f.infinity() && f.bias == kHalf.bias) bits |= 0x00400000u;
    const auto value = static_cast<float>(value_of(magnitude, f));
    x.push_back(magnitude < f.infinity() ? (code & 0x8000 ? -value : value) : from_bits(bits));
  }
  return x;
}

/// All codes, 1,024 to a case.
template <class Input>
std::vector<Input> every_code() {
  std::vector<Input> inputs;
  for (int first = 0; first < 0x10000; first += 1024) {
    Codes codes(1024);
    std::iota(codes.begin(), codes.end(), static_cast<std::uint16_t>(first));
    inputs.push_back({"From" + show_value(codes.front()), {codes}});
  }
  return inputs;
}

TEST(half_to_float, NormalNumbers) {
  from_half.gives({{"One", {{0x3C00}}, {1}},
                   {"Whole", {{0xBC00, 0x4000, 0x4200, 0xE400}}, {-1, 2, 3, -1024}},
                   {"Fractions", {{0x3800, 0xBA00, 0x3555}}, {0.5f, -0.75f, 0x1.554p-2f}},
                   {"Zeros", {{0x0000, 0x8000}}, {0, -0.0f}},
                   {"Ends", {{0x0400, 0x7BFF, 0xFBFF}}, {0x1p-14f, 65504, -65504}}},
                  same_bits);
}

TEST(half_to_float, SubnormalNumbers) {
  from_half.gives({{"Smallest", {{0x0001, 0x8001}}, {0x1p-24f, -0x1p-24f}},
                   {"Counted", {{0x0002, 0x8003, 0x0200}}, {0x1p-23f, -0x3p-24f, 0x1p-15f}},
                   {"Last", {{0x03FF, 0x83FF}}, {0x3FFp-24f, -0x3FFp-24f}}},
                  same_bits);
}

TEST(half_to_float, InfinityAndNan) {
  from_half.gives(
      {{"Infinity", {{0x7C00, 0xFC00}}, {kInfinity, -kInfinity}},
       {"Quiet", {{0x7E00, 0xFE00}}, {from_bits(0x7FC00000), from_bits(0xFFC00000)}},
       {"AllBits", {{0x7FFF, 0xFFFF}}, {from_bits(0x7FFFE000), from_bits(0xFFFFE000)}},
       {"Signaling", {{0x7C01, 0xFD00}}, {from_bits(0x7FC02000), from_bits(0xFFE00000)}}},
      same_bits);
}

TEST(half_to_float, EveryCode) {
  from_half.agrees_with([](const auto& in) { return values_of(in.a, kHalf); },
                        every_code<FromHalf::Input>(), same_bits);
}

TEST(bfloat16_to_float, IsTheUpperHalf) {
  from_bfloat16.gives({{"One", {{0x3F80}}, {1}},
                       {"Whole", {{0xBF80, 0x4000, 0x4040}}, {-1, 2, 3}},
                       {"Fractions", {{0x3F00, 0xBE80, 0x3DCD}}, {0.5f, -0.25f, 0x1.9Ap-4f}},
                       {"Zeros", {{0x0000, 0x8000}}, {0, -0.0f}},
                       {"Largest", {{0x7F7F, 0xFF7F}}, {0x1.FEp127f, -0x1.FEp127f}}},
                      same_bits);
}

TEST(bfloat16_to_float, KeepsSubnormals) {
  from_bfloat16.gives({{"Smallest", {{0x0001, 0x8001}}, {0x1p-133f, -0x1p-133f}},
                       {"Last", {{0x007F, 0x0080}}, {0x7Fp-133f, 0x1p-126f}}},
                      same_bits);
}

TEST(bfloat16_to_float, EveryCode) {
  from_bfloat16.agrees_with([](const auto& in) { return values_of(in.a, kBfloat16); },
                            every_code<FromBfloat16::Input>(), same_bits);
}

}  // namespace
}  // namespace nibble::judge::lab_10_half
