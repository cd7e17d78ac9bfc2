// Every code of every format: its value, and the way back.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "half_by_cpu.hpp"
#include "nibble/simt/float_arithmetic.hpp"
#include "nibble/simt/fp8.hpp"
#include "staircase.hpp"

namespace nibble::simt {
namespace {

template <class Format>
void check_values(Shape shape) {
  for (std::uint32_t code = 0; code <= Format::kMaxFinite; ++code) {
    const double value = value_of(shape, code);
    ASSERT_EQ(decode<Format>(code), value) << code;
    ASSERT_EQ(bits_of(decode<Format>(code | Format::kSign)), bits_of(static_cast<float>(-value)));
    ASSERT_EQ(encode<Format>(decode<Format>(code)), code);
    ASSERT_EQ(encode<Format>(decode<Format>(code | Format::kSign)), code | Format::kSign);
    ASSERT_FALSE(code_is_nan<Format>(code));
    ASSERT_FALSE(code_is_infinite<Format>(code));
  }
}

/// The codes above the largest number; returns how many there are.
template <class Format>
int check_specials() {
  int codes = 0;
  for (std::uint32_t code = Format::kMaxFinite + 1; code < Format::kSign; ++code, ++codes) {
    const bool infinite = Format::kHasInfinity && code == Format::kMaxFinite + 1;
    for (const std::uint32_t sign : {0u, Format::kSign}) {
      EXPECT_EQ(code_is_infinite<Format>(code | sign), infinite);
      EXPECT_EQ(code_is_nan<Format>(code | sign), !infinite);
      const float x = decode<Format>(code | sign);
      EXPECT_EQ(std::isinf(x), infinite);
      EXPECT_EQ(std::isnan(x), !infinite);
      EXPECT_EQ(encode<Format>(x), infinite ? code | sign : Format::kNan);
    }
  }
  return codes;
}

TEST(Half, Codes) {
  check_values<HalfFormat>(kHalf);
  EXPECT_EQ(check_specials<HalfFormat>(), 1024);
}
TEST(Bfloat16, Codes) {
  check_values<Bfloat16Format>(kBfloat16);
  EXPECT_EQ(check_specials<Bfloat16Format>(), 128);
}
TEST(E4m3, Codes) {
  check_values<E4m3Format>(kE4m3);
  EXPECT_EQ(check_specials<E4m3Format>(), 1);
  EXPECT_EQ(decode<E4m3Format>(0x7E), 448);
  EXPECT_EQ(decode<E4m3Format>(0x01), 0x1p-9f);
}
TEST(E5m2, Codes) {
  check_values<E5m2Format>(kE5m2);
  EXPECT_EQ(check_specials<E5m2Format>(), 4);
  EXPECT_EQ(decode<E5m2Format>(0x7B), 57344);
  EXPECT_EQ(decode<E5m2Format>(0x01), 0x1p-16f);
}

// A NaN loses its payload where the GPU's cvt is at work; bf16 to float is only a shift.
TEST(Nan, IsCanonical) {
  EXPECT_EQ(bits_of(decode<HalfFormat>(0xFE01)), 0x7FFFFFFFu);
  EXPECT_EQ(bits_of(decode<E4m3Format>(0xFF)), 0x7FFFFFFFu);
  EXPECT_EQ(bits_of(decode<E5m2Format>(0xFD)), 0x7FFFFFFFu);
  EXPECT_EQ(bits_of(decode<Bfloat16Format>(0xFFC1)), 0xFFC10000u);
  EXPECT_EQ(encode<HalfFormat>(float_of(0xFF800001)), 0x7FFFu);
  EXPECT_EQ(encode<Bfloat16Format>(float_of(0xFF800001)), 0x7FFFu);
  EXPECT_EQ(encode<E4m3Format>(float_of(0xFF800001)), 0x7Fu);
  EXPECT_EQ(encode<E5m2Format>(float_of(0xFF800001)), 0x7Fu);
}

TEST(Fp8, TypesSaturateAndConvertBack) {
  for (std::uint32_t code = 0; code < 256; ++code) {
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = static_cast<unsigned char>(code);
    ASSERT_EQ(bits_of(static_cast<float>(a)), bits_of(decode<E4m3Format>(code)));
    ASSERT_EQ(bits_of(static_cast<float>(b)), bits_of(decode<E5m2Format>(code)));
    const bool number = !code_is_nan<E4m3Format>(code);
    ASSERT_EQ(__nv_fp8_e4m3(static_cast<float>(a)).__x, number ? code : 0x7F);
    ASSERT_EQ(__nv_fp8_e4m3(static_cast<__half>(a)).__x, number ? code : 0x7F);
    ASSERT_EQ(__nv_fp8_e4m3(static_cast<__nv_bfloat16>(a)).__x, number ? code : 0x7F);
    if (number) {
      ASSERT_EQ(static_cast<int>(a), static_cast<int>(decode<E4m3Format>(code)));
    }
  }
  EXPECT_EQ(__nv_fp8_e4m3(1e9).__x, 0x7E);
  EXPECT_EQ(__nv_fp8_e5m2(-1e9).__x, 0xFB);
  EXPECT_EQ(__nv_fp8_e4m3(300).__x, __nv_fp8_e4m3(300.0f).__x);
  EXPECT_EQ(static_cast<int>(__nv_fp8_e4m3(NAN)), 0);
}

TEST(Fp8, TheFirstOfSeveralIsInTheLowestByte) {
  const __nv_fp8x4_e4m3 four(float4{1, 2, 3, 1e9f});
  EXPECT_EQ(four.__x, 0x7E444038u);
  EXPECT_EQ(static_cast<float4>(four).y, 2);
  EXPECT_EQ(static_cast<float4>(four).w, 448);
  EXPECT_EQ(__nv_fp8x4_e4m3(__half2(1.0f, 2.0f), __half2(3.0f, 500.0f)).__x, four.__x);
  EXPECT_EQ(__nv_fp8x2_e5m2(float2{1, 2}).__x, 0x403C);
  EXPECT_EQ(__nv_cvt_float2_to_fp8x2({1, 2}, __NV_SATFINITE, __NV_E5M2), 0x403C);
  EXPECT_EQ(__nv_cvt_fp8x2_to_halfraw2(0x403C, __NV_E5M2).y, 0x4000);
}

}  // namespace
}  // namespace nibble::simt
