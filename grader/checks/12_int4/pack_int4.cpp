// Lab 12, pack_int4: the checks.
#include "checks/12_int4/pack_int4.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

// Codes from 0 on: order, and nothing else.
TEST(pack_int4, LowNibbleIsEven) {
  packing.gives({{"OneByte", {Codes{1, 2}}, {0x21}},
                 {"TwoBytes", {Codes{0, 7, 5, 3}}, {0x70, 0x35}},
                 {"Counting", {Codes{0, 1, 2, 3, 4, 5, 6, 7}}, {0x10, 0x32, 0x54, 0x76}}});
}

// Each code beside each: every byte there is.
TEST(pack_int4, EveryPair) {
  Codes pairs;
  for (int byte = 0; byte < 256; ++byte) {
    pairs.push_back(as<std::int8_t>((byte % 16 + 8) % 16 - 8));
    pairs.push_back(as<std::int8_t>((byte / 16 + 8) % 16 - 8));
  }
  packing.gives({{"LowIsNegative", {Codes{-3, 5}}, {0x5d}},
                 {"HighIsNegative", {Codes{1, -8}}, {0x81}},
                 {"Both", {Codes{-1, -1, -8, -8}}, {0xff, 0x88}},
                 {"EveryPair", {pairs}, every_byte()}});
}

TEST(pack_int4, PadsWithZero) {
  packing.gives({{"Three", {Codes{-2, 1, -3}}, {0x1e, 0x0d}},
                 {"One", {Codes{-8}}, {0x08}},
                 {"None", {Codes{}}, {}}});
  packing.agrees_with([](const auto& in) { return packed(in.a); }, codes_of_every_count(seed, 509));
}

TEST(pack_int4, RefusesOtherCodes) {
  std::vector<Packing::Refused> refused;
  for (const int code : {8, -9, 15, 127, -128}) {
    refused.push_back({"", {Codes{as<std::int8_t>(code)}}});
    refused.push_back({"", {Codes{1, as<std::int8_t>(code), 2}}});
  }
  packing.refuses({{"Ends", {Codes{7, -8, -8}}, {0x87, 0x08}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_12_int4
