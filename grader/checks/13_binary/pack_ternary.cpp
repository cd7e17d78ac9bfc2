// Lab 13, pack_ternary: the checks.
#include "checks/13_binary/pack_ternary.hpp"

namespace nibble::judge::lab_13_binary {
namespace {

Bytes bytes_by_definition(const PackingTrits::Arguments& in) {
  return bytes_by(in.a, kLowestFirst, 1);
}

TEST(pack_ternary, FirstTritIsLowest) {
  packing_trits.gives({{"OfTheContract", {{-1, 0, 1, 1, -1}}, {75}},
                       {"OnlyTheFirst", {{1, -1, -1, -1, -1}}, {2}},
                       {"OnlyTheLast", {{-1, -1, -1, -1, 0}}, {81}},
                       {"Zeros", {{0, 0, 0, 0, 0}}, {121}},
                       {"TwoBytes", {{1, 1, 1, 1, 1, -1, -1, -1, -1, 1}}, {242, 162}},
                       {"None", {{}}, {}}});
}

/// All 243 rows of five trits, in the order of their bytes.
Trits every_five() {
  Trits trits;
  for (int byte = 0; byte < 243; ++byte) {
    for (int rest = byte, t = 0; t < 5; ++t, rest /= 3) trits.push_back(std::int8_t(rest % 3 - 1));
  }
  return trits;
}

TEST(pack_ternary, EveryByte) {
  packing_trits.agrees_with(bytes_by_definition, {{"every byte", {every_five()}}});
}

// All rows of one to four trits, and behind five others.
TEST(pack_ternary, PadsWithTheTritZero) {
  std::vector<PackingTrits::Input> inputs;
  for (int count = 1, rows = 3; count <= 4; ++count, rows *= 3) {
    for (int row = 0; row < rows; ++row) {
      Trits trits;
      for (int rest = row, t = 0; t < count; ++t, rest /= 3) {
        trits.push_back(std::int8_t(rest % 3 - 1));
      }
      inputs.push_back({std::to_string(count) + " trits", {trits}});
      if (count == 4) continue;
      trits.insert(trits.begin(), {1, -1, 0, 1, 1});
      inputs.push_back({std::to_string(5 + count) + " trits", {trits}});
    }
  }
  packing_trits.agrees_with(bytes_by_definition, inputs);
}

// Every other int8, and in each of the seven places.
TEST(pack_ternary, RefusesWhatIsNoTrit) {
  std::vector<PackingTrits::Refused> refused;
  for (std::size_t place = 0; place < 7; ++place) {
    for (const std::int8_t value : {2, -2}) {
      Trits trits(7, 1);
      trits[place] = value;
      refused.push_back({"", {trits}});
    }
  }
  for (int value = -128; value <= 127; ++value) {
    if (std::abs(value) > 1) refused.push_back({"", {Trits{0, static_cast<std::int8_t>(value)}}});
  }
  packing_trits.refuses({{"Ten", {{1, 1, 1, 1, 1, -1, 0, 0, 0, 0}}, {242, 120}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_13_binary
