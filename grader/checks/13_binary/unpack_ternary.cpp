// Lab 13, unpack_ternary: the checks.
#include "checks/13_binary/unpack_ternary.hpp"

namespace nibble::judge::lab_13_binary {
namespace {

Trits trits_by_definition(const Unpacking::Arguments& in) {
  return trits_with(in, kLowestFirst, 1);
}

TEST(unpack_ternary, FirstTritIsLowest) {
  unpacking.gives({{"OfTheContract", {{75}, 5}, {-1, 0, 1, 1, -1}},
                   {"OnlyTheFirst", {{2}, 5}, {1, -1, -1, -1, -1}},
                   {"OnlyTheLast", {{81}, 5}, {-1, -1, -1, -1, 0}},
                   {"Zeros", {{121}, 5}, {0, 0, 0, 0, 0}},
                   {"TwoBytes", {{242, 162}, 10}, {1, 1, 1, 1, 1, -1, -1, -1, -1, 1}},
                   {"None", {{}, 0}, {}}});
}

TEST(unpack_ternary, EveryByte) {
  Bytes bytes(243);
  std::iota(bytes.begin(), bytes.end(), 0);
  std::vector<Unpacking::Input> inputs;
  for (const int count : {1, 4, 6, 9, 11}) inputs.push_back(packed_trits(count, seed));
  inputs.push_back({"every byte", {bytes, 1215}});
  unpacking.agrees_with(trits_by_definition, inputs);
}

// Every byte as the last one, of which one to four trits are wanted.
TEST(unpack_ternary, AnythingBehindTheLast) {
  std::vector<Unpacking::Input> inputs;
  for (int byte = 0; byte < 243; ++byte) {
    const Bytes last{static_cast<std::uint8_t>(byte)};
    inputs.push_back({std::to_string(byte), {last, 1 + byte % 4}});
  }
  unpacking.agrees_with(trits_by_definition, inputs);
}

// Each of the 13: alone, first, in the middle, and last, where one trit of it is wanted.
TEST(unpack_ternary, RefusesWhatIsNoCode) {
  std::vector<Unpacking::Refused> refused;
  for (int byte = 243; byte <= 255; ++byte) {
    const auto code = static_cast<std::uint8_t>(byte);
    refused.push_back({"", {{code}, 5}});
    for (const Bytes& bytes : {Bytes{code, 2, 3}, Bytes{1, code, 3}, Bytes{1, 2, code}}) {
      refused.push_back({"", {bytes, 11}});
    }
  }
  unpacking.refuses({{"Largest", {{242, 120}, 6}, {1, 1, 1, 1, 1, -1}}}, refused);
}

TEST(unpack_ternary, RefusesWrongSizes) {
  const std::vector<Unpacking::Refused> refused{{"", {{121, 121}, 5}}, {"", {{121}, 6}},
                                                {"", {{121}, 0}},      {"", {{}, 1}},
                                                {"", {{}, -1}},        {"", {{121}, -1}}};
  unpacking.refuses({{"Fits", {{242, 120}, 6}, {1, 1, 1, 1, 1, -1}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_13_binary
