// The published solution of lab 11 and the conversions that the kit's CUDA engine has, bit by bit:
// two authors of one specification.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "nibble/float_format.hpp"

namespace nibble {

// As lab 11's contract has them; the kit's tests include no lab. The linker sees that they agree.
enum class Overflow : int { kSaturate, kNonFinite };
std::uint8_t encode_e4m3(float x, Overflow overflow);
float decode_e4m3(std::uint8_t code);
std::uint8_t encode_e5m2(float x, Overflow overflow);
float decode_e5m2(std::uint8_t code);

namespace {

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

/// A GPU has one NaN, without a sign; the lab's NaN keeps its own.
template <class Format>
void expect_every_code(float (*decode)(std::uint8_t)) {
  for (int code = 0; code < 256; ++code) {
    const float own = decode(static_cast<std::uint8_t>(code));
    const float engine = simt::decode<Format>(static_cast<std::uint32_t>(code));
    ASSERT_EQ(std::signbit(own), code >= 128) << code;
    ASSERT_EQ(std::isnan(own), std::isnan(engine)) << code;
    if (std::isnan(own)) continue;
    ASSERT_EQ(bits_of(own), bits_of(engine)) << code;
  }
}

template <class Format>
std::uint32_t encoded(float x, Overflow overflow) {
  const bool saturates = overflow == Overflow::kSaturate;
  return simt::encode<Format>(x, simt::Rounding::kNearestEven,
                              saturates ? simt::Overflow::kSaturate : simt::Overflow::kToInfinity);
}

/// One float of 1,021.
template <class Format>
void expect_floats(std::uint8_t (*encode)(float, Overflow), std::uint32_t nan) {
  for (std::uint64_t bits = 0; bits >> 32 == 0; bits += 1021) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const std::uint32_t sign = std::signbit(x) ? 0x80 : 0;
    for (const Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
      const std::uint32_t want = std::isnan(x) ? nan | sign : encoded<Format>(x, overflow);
      ASSERT_EQ(encode(x, overflow), want) << bits << " " << static_cast<int>(overflow);
    }
  }
}

TEST(fp8_bits, EveryCodeMeansWhatTheEngineSays) {
  expect_every_code<simt::E4m3Format>(decode_e4m3);
  expect_every_code<simt::E5m2Format>(decode_e5m2);
}

TEST(fp8_bits, FloatsGoWhereTheEngineSendsThem) {
  expect_floats<simt::E4m3Format>(encode_e4m3, 0x7F);
  expect_floats<simt::E5m2Format>(encode_e5m2, 0x7E);
}

}  // namespace
}  // namespace nibble
