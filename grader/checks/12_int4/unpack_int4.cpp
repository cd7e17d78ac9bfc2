// Lab 12, unpack_int4: the checks.
#include "checks/12_int4/unpack_int4.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

TEST(unpack_int4, LowNibbleIsEven) {
  unpacking.gives({{"OneByte", {{0x21}, 2}, {1, 2}},
                   {"TwoBytes", {{0x70, 0x35}, 4}, {0, 7, 5, 3}},
                   {"Counting", {{0x10, 0x32, 0x54, 0x76}, 8}, {0, 1, 2, 3, 4, 5, 6, 7}}});
}

TEST(unpack_int4, EveryByte) {
  unpacking.gives({{"Ends", {{0x87}, 2}, {7, -8}},
                   {"MinusOne", {{0xff}, 2}, {-1, -1}},
                   {"EveryByte", {every_byte(), 512}, unpacked(every_byte(), 512, code_in)}});
}

// The half of a byte that nobody asks for is noise.
TEST(unpack_int4, AnyCount) {
  unpacking.gives({{"None", {Bytes{}, 0}, {}},
                   {"Half", {{0xa5}, 1}, {5}},
                   {"Three", {{0xfe, 0x7d}, 3}, {-2, -1, -3}}});
  unpacking.agrees_with([](const auto& in) { return unpacked(in.a, in.b, code_in); },
                        bytes_of_every_count(seed, 509));
}

TEST(unpack_int4, RefusesWrongSizes) {
  unpacking.refuses({{"Even", {{0x43}, 2}, {3, 4}}, {"Odd", {{0x43, 0x65}, 3}, {3, 4, 5}}},
                    {{"", {{0x11}, 3}},
                     {"", {{0x11, 0x11, 0x11}, 3}},
                     {"", {{0x11, 0x11, 0x11}, 4}},
                     {"", {Bytes{}, 1}},
                     {"", {{0x11}, 0}},
                     {"N-OVERFLOW", {Bytes{}, std::numeric_limits<std::size_t>::max()}}});
}

}  // namespace
}  // namespace nibble::judge::lab_12_int4
