// The integer intrinsics, against loops over bits and bytes that are written another way,
// and by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "nibble/simt/integer_intrinsics.hpp"

namespace nibble::simt {
namespace {

template <class Lane>
using Lanes = std::array<Lane, 4 / sizeof(Lane)>;

template <class Lane>
Lanes<Lane> lanes_of(unsigned word) {
  Lanes<Lane> lanes;
  std::memcpy(lanes.data(), &word, 4);  // little-endian, as every machine of the kit is
  return lanes;
}

/// A word that has what matters: any bytes, or bytes from the ends of the range.
unsigned some_word(std::mt19937& random) {
  constexpr unsigned char kEnds[] = {0, 1, 2, 0x7E, 0x7F, 0x80, 0x81, 0xFE, 0xFF};
  unsigned word = random();
  for (int i = 0; i < 4; ++i) {
    if (random() % 2 == 0) {
      word = (word & ~(0xFFu << (8 * i))) | static_cast<unsigned>(kEnds[random() % 9]) << (8 * i);
    }
  }
  return word;
}

using Word2 = unsigned (*)(unsigned, unsigned);

/// word(a, b) against lane_by_lane(a_i, b_i), cut to the lane.
template <class Lane>
void check_lanes(Word2 word, int (*lane_by_lane)(int, int)) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const unsigned a = some_word(random), b = some_word(random);
    const auto left = lanes_of<Lane>(a), right = lanes_of<Lane>(b),
               got = lanes_of<Lane>(word(a, b));
    for (std::size_t j = 0; j < left.size(); ++j) {
      ASSERT_EQ(got[j], static_cast<Lane>(lane_by_lane(left[j], right[j])))
          << std::hex << a << ", " << b << ", lane " << j;
    }
  }
}

using S8 = std::int8_t;
using U8 = std::uint8_t;
using S16 = std::int16_t;
using U16 = std::uint16_t;

template <class Lane>
int clamp_to(int x) {
  return std::clamp<int>(x, std::numeric_limits<Lane>::min(), std::numeric_limits<Lane>::max());
}

TEST(Words, SumsAndDifferences) {
  check_lanes<S8>(__vadd4, [](int a, int b) { return a + b; });
  check_lanes<S16>(__vadd2, [](int a, int b) { return a + b; });
  check_lanes<S8>(__vsub4, [](int a, int b) { return a - b; });
  check_lanes<S16>(__vsub2, [](int a, int b) { return a - b; });
  check_lanes<S8>(__vaddss4, [](int a, int b) { return clamp_to<S8>(a + b); });
  check_lanes<S16>(__vaddss2, [](int a, int b) { return clamp_to<S16>(a + b); });
  check_lanes<U8>(__vaddus4, [](int a, int b) { return clamp_to<U8>(a + b); });
  check_lanes<U16>(__vaddus2, [](int a, int b) { return clamp_to<U16>(a + b); });
  check_lanes<S8>(__vsubss4, [](int a, int b) { return clamp_to<S8>(a - b); });
  check_lanes<S16>(__vsubss2, [](int a, int b) { return clamp_to<S16>(a - b); });
  check_lanes<U8>(__vsubus4, [](int a, int b) { return clamp_to<U8>(a - b); });
  check_lanes<U16>(__vsubus2, [](int a, int b) { return clamp_to<U16>(a - b); });
}

TEST(Words, ExtremesAndDistances) {
  const auto larger = [](int a, int b) { return std::max(a, b); };
  const auto smaller = [](int a, int b) { return std::min(a, b); };
  const auto distance = [](int a, int b) { return std::abs(a - b); };
  check_lanes<S8>(__vmaxs4, larger);
  check_lanes<U8>(__vmaxu4, larger);
  check_lanes<S16>(__vmaxs2, larger);
  check_lanes<U16>(__vmaxu2, larger);
  check_lanes<S8>(__vmins4, smaller);
  check_lanes<U8>(__vminu4, smaller);
  check_lanes<S16>(__vmins2, smaller);
  check_lanes<U16>(__vminu2, smaller);
  check_lanes<S8>(__vabsdiffs4, distance);
  check_lanes<U8>(__vabsdiffu4, distance);
  check_lanes<S16>(__vabsdiffs2, distance);
  check_lanes<U16>(__vabsdiffu2, distance);
}

TEST(Words, Means) {
  const auto nearest = [](int a, int b) { return static_cast<int>(std::round((a + b) / 2.0)); };
  const auto half_up = [](int a, int b) { return static_cast<int>(std::floor((a + b + 1) / 2.0)); };
  // Signed: -1.5 becomes -2 when rounded away from zero; the hardware's rule is that of nvcc's own
  // code for it: one more, unless the sum is negative.
  const auto signed_mean = [](int a, int b) {
    return static_cast<int>(std::floor((a + b + (a + b >= 0 ? 1 : 0)) / 2.0));
  };
  EXPECT_EQ(signed_mean(-3, 0), nearest(-3, 0));
  check_lanes<S8>(__vavgs4, signed_mean);
  check_lanes<S16>(__vavgs2, signed_mean);
  check_lanes<U8>(__vavgu4, half_up);
  check_lanes<U16>(__vavgu2, half_up);
  check_lanes<U8>(__vhaddu4, [](int a, int b) { return (a + b) / 2; });
  check_lanes<U16>(__vhaddu2, [](int a, int b) { return (a + b) / 2; });
}

TEST(Words, Comparisons) {
  check_lanes<S8>(__vseteq4, [](int a, int b) { return a == b ? 1 : 0; });
  check_lanes<S8>(__vcmpeq4, [](int a, int b) { return a == b ? 255 : 0; });
  check_lanes<S8>(__vsetne4, [](int a, int b) { return a != b ? 1 : 0; });
  check_lanes<S8>(__vsetgts4, [](int a, int b) { return a > b ? 1 : 0; });
  check_lanes<U8>(__vsetgtu4, [](int a, int b) { return a > b ? 1 : 0; });
  check_lanes<S8>(__vcmpgts4, [](int a, int b) { return a > b ? 255 : 0; });
  check_lanes<U8>(__vcmpgeu4, [](int a, int b) { return a >= b ? 255 : 0; });
  check_lanes<S8>(__vcmplts4, [](int a, int b) { return a < b ? 255 : 0; });
  check_lanes<U8>(__vcmpleu4, [](int a, int b) { return a <= b ? 255 : 0; });
  check_lanes<S16>(__vcmpges2, [](int a, int b) { return a >= b ? 65535 : 0; });
  check_lanes<U16>(__vcmpltu2, [](int a, int b) { return a < b ? 65535 : 0; });
  check_lanes<S16>(__vsetles2, [](int a, int b) { return a <= b ? 1 : 0; });
}

TEST(Words, OfOneOperand) {
  EXPECT_EQ(__vneg4(0x80FF0102), 0x8001FFFEu);
  EXPECT_EQ(__vnegss4(0x80FF0102), 0x7F01FFFEu);
  EXPECT_EQ(__vabs4(0x80FF0102), 0x80010102u);
  EXPECT_EQ(__vabsss4(0x80FF0102), 0x7F010102u);
  EXPECT_EQ(__vneg2(0x8000FFFF), 0x80000001u);
  EXPECT_EQ(__vabsss2(0x8000FFFF), 0x7FFF0001u);
  EXPECT_EQ(__vsads4(0x80000000, 0x7F010203), 255u + 1 + 2 + 3);
  EXPECT_EQ(__vsadu4(0x80000000, 0x7F010203), 1u + 1 + 2 + 3);
  EXPECT_EQ(__vsads2(0x80000000, 0x7FFF0001), 65536u);
  EXPECT_EQ(__vsadu2(0x80000000, 0x7FFF0001), 2u);
}

template <class Byte>
std::int64_t dot4(unsigned a, unsigned b) {
  const auto x = lanes_of<Byte>(a), y = lanes_of<Byte>(b);
  std::int64_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += std::int64_t{x[i]} * y[i];
  }
  return sum;
}

TEST(DotProducts, OfFourBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const unsigned a = some_word(random), b = some_word(random), c = some_word(random);
    ASSERT_EQ(dp4a_exact<S8>(a, b, c), static_cast<unsigned>(dot4<S8>(a, b) + c));
    ASSERT_EQ(dp4a_exact<U8>(a, b, c), static_cast<unsigned>(dot4<U8>(a, b) + c));
  }
  EXPECT_EQ(dp4a_exact<S8>(0x80808080, 0x80808080, 0), 4u * 16384);
  EXPECT_EQ(dp4a_exact<U8>(0xFFFFFFFF, 0xFFFFFFFF, 0), 4u * 65025);
  EXPECT_EQ(dp4a_exact<S8>(1, 1, 0x7FFFFFFF), 0x80000000u);  // wraps
}

TEST(DotProducts, OfTwoShortsAndTwoBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const unsigned a = some_word(random), b = some_word(random), c = some_word(random);
    const auto x = lanes_of<S16>(a);
    const auto y = lanes_of<S8>(b);
    const auto ux = lanes_of<U16>(a);
    const auto uy = lanes_of<U8>(b);
    const auto sum = [&](std::int64_t p, std::int64_t q) {
      return static_cast<unsigned>(p + q + c);
    };
    const int sa = static_cast<int>(a), sb = static_cast<int>(b), sc = static_cast<int>(c);
    ASSERT_EQ(static_cast<unsigned>(__dp2a_lo(sa, sb, sc)), sum(x[0] * y[0], x[1] * y[1]));
    ASSERT_EQ(static_cast<unsigned>(__dp2a_hi(sa, sb, sc)), sum(x[0] * y[2], x[1] * y[3]));
    ASSERT_EQ(__dp2a_lo(a, b, c), sum(ux[0] * uy[0], ux[1] * uy[1]));
    ASSERT_EQ(__dp2a_hi(a, b, c), sum(ux[0] * uy[2], ux[1] * uy[3]));
  }
  EXPECT_EQ(__dp2a_lo(short2{2, 3}, char4{5, -7, 1, 1}, 100), 100 + 10 - 21);
  EXPECT_EQ(__dp2a_hi(ushort2{2, 3}, uchar4{5, 7, 11, 13}, 1u), 1u + 22 + 39);
}

TEST(Bits, AgainstStrings) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t x = i == 0 ? 0 : random() >> (i % 64);
    const auto low = static_cast<unsigned>(x);
    std::string bits = std::bitset<64>(x).to_string(), bits32 = std::bitset<32>(low).to_string();
    const auto first_one = [](const std::string& s) {
      return static_cast<int>(std::min(s.find('1'), s.size()));
    };
    const auto last_one = [](const std::string& s) {
      const std::size_t at = s.rfind('1');
      return at == std::string::npos ? 0 : static_cast<int>(s.size() - at);
    };
    ASSERT_EQ(__clzll(static_cast<long long>(x)), first_one(bits));
    ASSERT_EQ(__clz(static_cast<int>(low)), first_one(bits32));
    ASSERT_EQ(__ffsll(static_cast<long long>(x)), last_one(bits));
    ASSERT_EQ(__ffs(static_cast<int>(low)), last_one(bits32));
    std::reverse(bits.begin(), bits.end());
    std::reverse(bits32.begin(), bits32.end());
    ASSERT_EQ(__brevll(x), std::bitset<64>(bits).to_ullong());
    ASSERT_EQ(__brev(low), std::bitset<32>(bits32).to_ulong());
  }
}

TEST(Bits, PermutedAndShifted) {
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x3210), 0x33221100u);
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7564), 0x77556644u);
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0xFFFF'8765), 0x00776655u);  // bit 3 is not used
  for (unsigned shift = 0; shift < 80; ++shift) {
    const std::uint64_t both = 0x89ABCDEF'01234567;
    const unsigned low = 0x01234567, high = 0x89ABCDEF, wrapped = shift % 32;
    ASSERT_EQ(__funnelshift_l(low, high, shift), static_cast<unsigned>(both << wrapped >> 32));
    ASSERT_EQ(__funnelshift_r(low, high, shift), static_cast<unsigned>(both >> wrapped));
    const unsigned clamped = std::min(shift, 32u);
    ASSERT_EQ(__funnelshift_rc(low, high, shift), static_cast<unsigned>(both >> clamped));
    ASSERT_EQ(__funnelshift_lc(low, high, shift),
              clamped == 32 ? low : static_cast<unsigned>(both << clamped >> 32));
  }
}

TEST(Products, HighHalvesAnd24Bits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto a = static_cast<int>(random()), b = static_cast<int>(random());
    const auto product = static_cast<long double>(a) * b;  // 64 bits of mantissa, or more
    ASSERT_EQ(__mulhi(a, b), static_cast<int>(std::floor(product / 0x1p32L)));
    const auto ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
    ASSERT_EQ(__umulhi(ua, ub), (std::uint64_t{ua} * ub) >> 32);
    const unsigned a24 = ua % (1u << 24), b24 = ub % (1u << 24);
    ASSERT_EQ(__umul24(ua, ub), static_cast<unsigned>(std::uint64_t{a24} * b24));
    const std::int64_t s24 = a24 >= 1u << 23 ? std::int64_t{a24} - (1 << 24) : a24;
    ASSERT_EQ(__mul24(a, 3), static_cast<int>(3 * s24));
  }
  EXPECT_EQ(__umul64hi(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(__mul64hi(-1, 1), -1);
  EXPECT_EQ(__mul64hi(1ll << 62, 4), 1);
}

TEST(Products, MeansAndDistances) {
  EXPECT_EQ(__hadd(-3, 0), -2);
  EXPECT_EQ(__rhadd(-3, 0), -1);
  EXPECT_EQ(__hadd(0x7FFFFFFF, 0x7FFFFFFF), 0x7FFFFFFF);
  EXPECT_EQ(__uhadd(0xFFFFFFFF, 0xFFFFFFFE), 0xFFFFFFFEu);
  EXPECT_EQ(__urhadd(0xFFFFFFFF, 0xFFFFFFFE), 0xFFFFFFFFu);
  EXPECT_EQ(__sad(-2147483647, 2147483647, 5), 0xFFFFFFFEu + 5);
  EXPECT_EQ(__usad(3, 10, 1), 8u);
}

TEST(Extremes, MixAsInCuda) {
  EXPECT_EQ(min(-1, 2), -1);
  EXPECT_EQ(max(-1, 2u), 0xFFFFFFFFu);
  EXPECT_EQ(min(-1ll, 2ll), -1);
  EXPECT_EQ(max(1.0f, 2.0f), 2);
  EXPECT_EQ(max(1.0f, 2.5), 2.5);
  EXPECT_EQ(min(NAN, 1.0f), 1);
  EXPECT_EQ(max(1.0f, NAN), 1);
  static_assert(std::is_same_v<decltype(min(1.0f, 2.0f)), float>);
  static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned>);
  static_assert(std::is_same_v<decltype(max(1ll, 2ll)), long long>);
}

}  // namespace
}  // namespace nibble::simt
