// Floats to integers, integers to floats, and arithmetic with a rounding in its name: against
// the CPU under that rounding.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "every_float.hpp"
#include "nibble/simt/bfloat16.hpp"
#include "nibble/simt/conversions.hpp"
#include "nibble/simt/half.hpp"
#include "rounding_by_cpu.hpp"
#include "staircase.hpp"

namespace nibble::simt {
namespace {

/// The definition: the whole number, clamped. (2^63 and 2^64 are floats, the largest integers not.)
template <class Integer, class Real>
Integer clamped_by_cpu(Real x, Rounding rounding) {
  using Limits = std::numeric_limits<Integer>;
  const Real whole = under(rounding, [&] { return std::nearbyint(opaque(x)); });
  if (whole <= static_cast<Real>(Limits::min())) {
    return Limits::min();
  }
  return whole >= std::ldexp(Real{1}, Limits::digits) ? Limits::max() : static_cast<Integer>(whole);
}

template <class Integer, class Real>
void check_to_integer(Real x) {
  for (const Rounding rounding : kEveryRounding) {
    ASSERT_EQ((to_integer<Integer>(x, rounding)), (clamped_by_cpu<Integer>(x, rounding)))
        << x << " rounding " << static_cast<int>(rounding);
  }
}

template <class Real>
void check_to_integers(Real x) {
  check_to_integer<signed char>(x);
  check_to_integer<unsigned char>(x);
  check_to_integer<short>(x);
  check_to_integer<unsigned short>(x);
  check_to_integer<int>(x);
  check_to_integer<unsigned>(x);
  check_to_integer<long long>(x);
  check_to_integer<unsigned long long>(x);
}

TEST(ToInteger, EveryHalf) {
  for (std::uint32_t code = 0; code <= HalfFormat::kMaxFinite + 1; ++code) {
    check_to_integers(decode<HalfFormat>(code));
    check_to_integers(decode<HalfFormat>(code | HalfFormat::kSign));
  }
}

TEST(ToInteger, Floats) {
  for_every_float([] {},
                  [](std::uint32_t bits) {
                    if ((bits & 0x7FFFFFFF) <= 0x7F800000) {
                      check_to_integers(float_of(bits));
                    }
                  },
                  300'007);
}

TEST(ToInteger, DoublesOfEverySize) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    // A double of random bits is hardly ever near an integer: take exponents from 2^-3 to 2^66.
    const std::uint64_t r = random();
    check_to_integers(std::ldexp(static_cast<double>(static_cast<std::int64_t>(r)),
                                 static_cast<int>(r % 70) - 66));
  }
}

// Ties to even, on both sides of zero, and the ends of the range.
TEST(ToInteger, ByHand) {
  EXPECT_EQ(__float2int_rn(0.5f), 0);
  EXPECT_EQ(__float2int_rn(1.5f), 2);
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rn(-2.5f), -2);
  EXPECT_EQ(__float2int_rn(-3.5f), -4);
  EXPECT_EQ(__float2int_rz(-3.9f), -3);
  EXPECT_EQ(__float2int_rd(-3.1f), -4);
  EXPECT_EQ(__float2int_ru(3.1f), 4);
  EXPECT_EQ(__float2int_rn(3e9f), 2147483647);
  EXPECT_EQ(__float2int_rn(-HUGE_VALF), -2147483647 - 1);
  EXPECT_EQ(__float2uint_rn(-1), 0u);
  EXPECT_EQ(__float2uint_rn(5e9f), 0xFFFFFFFFu);
  EXPECT_EQ(__float2ll_rn(1e30f), 0x7FFFFFFFFFFFFFFF);
  EXPECT_EQ(__float2ull_rz(1e30f), 0xFFFFFFFFFFFFFFFF);
}

TEST(ToInteger, NanIsZeroOrTheTopBit) {
  EXPECT_EQ(__float2int_rn(NAN), 0);
  EXPECT_EQ(__float2uint_rn(NAN), 0u);
  EXPECT_EQ(__half2short_rn(__half(NAN)), 0);
  EXPECT_EQ(__float2ll_rn(NAN), std::numeric_limits<long long>::min());
  EXPECT_EQ(__float2ull_rn(NAN), 1ull << 63);
  EXPECT_EQ(__half2ll_rn(__half(NAN)), std::numeric_limits<long long>::min());
  EXPECT_EQ(__double2int_rn(NAN), std::numeric_limits<int>::min());
  EXPECT_EQ(__double2uint_rn(NAN), 1u << 31);
}

template <class Integer>
void check_to_float(Integer n) {
  for (const Rounding rounding : kEveryRounding) {
    const float want = under(rounding, [&] { return static_cast<float>(opaque(n)); });
    ASSERT_EQ(bits_of(to_float(n, rounding)), bits_of(want)) << n;
  }
}

TEST(ToFloat, IntegersOfEverySize) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t r = random() >> (i % 64);
    check_to_float(static_cast<long long>(r));
    check_to_float(-static_cast<long long>(r >> 1));
    check_to_float(static_cast<int>(r));
    check_to_float(static_cast<unsigned>(r));
    check_to_float((r | 1ull << 63) >> (i % 40) << (i % 24));  // ties, mostly
  }
}

// 2^24 + 1, and 64-bit numbers that a double would make a tie of.
TEST(ToFloat, ByHand) {
  EXPECT_EQ(__int2float_rn(16777217), 16777216.0f);
  EXPECT_EQ(__int2float_ru(16777217), 16777218.0f);
  EXPECT_EQ(__int2float_rd(-16777217), -16777218.0f);
  EXPECT_EQ(__ll2float_rn((1ll << 62) + (1ll << 38)), 0x1p62f);
  EXPECT_EQ(__ll2float_rn((1ll << 62) + (1ll << 38) + 1), 0x1p62f + 0x1p39f);
  EXPECT_EQ(__double2float_rn(1 + 0x1p-24 + 0x1p-50), 1 + 0x1p-23f);
  EXPECT_EQ(__double2float_rz(1 + 0x1.8p-23), 1 + 0x1p-23f);
  EXPECT_EQ(__half2float(__ll2half_rn(2049 * (1ll << 30))), HUGE_VALF);
  EXPECT_EQ(__half2float(__int2half_rn(2049)), 2048);
  EXPECT_EQ(__half2float(__int2half_ru(2049)), 2050);
  EXPECT_EQ(__half2float(__int2half_rz(100'000)), 65504);
}

/// Floats whose sums and products round: exponents near each other, and now and then far apart.
float some_float(std::mt19937_64& random) {
  const std::uint64_t r = random();
  const auto exponent =
      static_cast<std::uint32_t>(r % 8 == 0 ? r >> 40 & 0xFF : 120 + (r >> 40 & 15));
  const std::uint32_t bits = exponent << 23 | (static_cast<std::uint32_t>(r >> 8) & 0x807FFFFF);
  return exponent == 255 ? 1 : float_of(bits);
}

TEST(Arithmetic, RoundsAsNamed) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const float a = some_float(random), b = some_float(random), c = some_float(random);
    for (const Rounding rounding : kEveryRounding) {
      const float sum = under(rounding, [&] { return opaque(a) + opaque(b); });
      const float product = under(rounding, [&] { return opaque(a) * opaque(b); });
      const float fma = under(rounding, [&] { return std::fma(opaque(a), opaque(b), opaque(c)); });
      ASSERT_EQ(bits_of(add_floats(a, b, rounding)), bits_of(sum)) << a << " + " << b;
      ASSERT_EQ(bits_of(multiply_floats(a, b, rounding)), bits_of(product)) << a << " * " << b;
      ASSERT_EQ(bits_of(multiply_add_floats(a, b, c, rounding)), bits_of(fma))
          << a << " * " << b << " + " << c;
    }
  }
}

TEST(Arithmetic, ByHand) {
  EXPECT_EQ(__fadd_rz(1, 0x1.8p-24f), 1);
  EXPECT_EQ(bits_of(__fadd_rd(1, -1)), bits_of(-0.0f));
  EXPECT_EQ(bits_of(__fadd_rd(0, 0)), bits_of(0.0f));
  EXPECT_EQ(bits_of(__fsub_ru(1, 1)), bits_of(0.0f));
  EXPECT_EQ(__fadd_ru(1, 0x1p-60f), 1 + 0x1p-23f);
  EXPECT_EQ(__fmaf_rn(0x1.000002p0f, 0x1.000002p0f, -1), 0x1.000001p-22f);
  EXPECT_EQ(__saturatef(-1), 0);
  EXPECT_EQ(__saturatef(0.25f), 0.25f);
  EXPECT_EQ(__saturatef(HUGE_VALF), 1);
  EXPECT_EQ(__saturatef(NAN), 0);
  EXPECT_EQ(__float_as_int(-0.0f), std::numeric_limits<int>::min());
  EXPECT_EQ(__uint_as_float(0x3F800000), 1);
}

TEST(WholeHalves, RoundAsNamed) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const __half h = __ushort_as_half(static_cast<unsigned short>(code));
    const float x = __half2float(h);
    if (std::isnan(x)) {
      ASSERT_EQ(__half_as_ushort(hrint(h)), 0x7FFF);
      continue;
    }
    ASSERT_EQ(bits_of(__half2float(hrint(h))), bits_of(std::nearbyint(x)));
    ASSERT_EQ(bits_of(__half2float(htrunc(h))), bits_of(std::trunc(x)));
    ASSERT_EQ(bits_of(__half2float(hceil(h))), bits_of(std::ceil(x)));
    ASSERT_EQ(bits_of(__half2float(hfloor(h))), bits_of(std::floor(x)));
  }
}

}  // namespace
}  // namespace nibble::simt
