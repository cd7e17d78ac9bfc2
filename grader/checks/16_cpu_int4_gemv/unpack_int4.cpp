// Lab 16, unpack_int4: the checks.
#include "checks/16_cpu_int4_gemv/unpack_int4.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

// Codes below 8 only: order, and nothing else.
TEST(unpack_int4, LowNibbleIsEven) {
  unpacking.gives({{{"OneByte", {{0x21}, 2}}, {1, 2}},
                   {{"TwoBytes", {{0x70, 0x35}, 4}}, {0, 7, 5, 3}},
                   {{"Counting", {{0x10, 0x32, 0x54, 0x76}, 8}}, {0, 1, 2, 3, 4, 5, 6, 7}}});
}

TEST(unpack_int4, HighestBitIsNegative) {
  unpacking.gives({{{"Ends", {{0x87}, 2}}, {7, -8}},
                   {{"MinusOne", {{0xFF}, 2}}, {-1, -1}},
                   {{"Both", {{0xF8, 0x9A, 0xBC, 0xDE}, 8}}, {-8, -1, -6, -7, -4, -5, -2, -3}}});
}

// Nothing; half a byte, whose other half is noise; one less than, as many as and one more than the
// 32 and 64 codes of a vector.
TEST(unpack_int4, AnyCount) {
  unpacking.gives({{{"None", {{}, 0}}, {}},
                   {{"Half", {{0xA5}, 1}}, {5}},
                   {{"Three", {{0x1E, 0x7D}, 3}}, {-2, 1, -3}}});
  unpacking.is_right(random_nibbles({31, 32, 33, 63, 64, 65, 127}, seed));
}

TEST(unpack_int4, RefusesWrongSizes) {
  unpacking.refuses({{"Fits", {{0x43}, 2}}}, {{"", "1 byte for 3 codes", {Bytes(1), out(3)}},
                                              {"", "3 bytes for 4 codes", {Bytes(3), out(4)}},
                                              {"", "no byte for 1 code", {Bytes(), out(1)}},
                                              {"", "1 byte for no code", {Bytes(1), out(0)}}});
}

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
