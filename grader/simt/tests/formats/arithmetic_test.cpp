// Arithmetic on fp16 and bf16 codes: every pair, or a sample of them, against float arithmetic that
// another conversion rounds, and against exact sums.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "every_float.hpp"
#include "half_by_cpu.hpp"
#include "nibble/simt/float_arithmetic.hpp"
#include "staircase.hpp"

namespace nibble::simt {
namespace {

constexpr std::uint32_t kCodes = 65536;

/// The values of all codes, without decode().
std::vector<float> all_values(Shape shape, std::uint32_t sign) {
  std::vector<float> values(kCodes, NAN);
  for (std::uint32_t code = 0; code <= shape.largest; ++code) {
    values[code] = static_cast<float>(value_of(shape, code));
    values[code | sign] = -values[code];
  }
  values[shape.largest + 1] = HUGE_VALF;
  values[(shape.largest + 1) | sign] = -HUGE_VALF;
  return values;
}

// 24 >= 2 * 11 + 2: one float operation, rounded again to 11 or 8 bits, is rounded correctly.
std::uint32_t round_half(float x) { return std::isnan(x) ? 0x7FFF : half_by_cpu(x); }
std::uint32_t round_bfloat16(float x) {
  const std::uint32_t bits = bits_of(x);
  return std::isnan(x) ? 0x7FFF : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

/// Every pair of codes, or every n-th, by the operator of float and by ours.
template <auto ours, auto round, class Operator>
void check_pairs(Shape shape, Operator by_float) {
  if (shape.exponent_bits == 5 && !cpu_converts_halves()) {
    GTEST_SKIP() << "this CPU converts no halves";
  }
  const std::vector<float> values = all_values(shape, 0x8000);
  std::uint64_t wrong = 0;
  std::uint32_t example = 0;
  for (std::uint64_t pair = 0, step = every(); pair < 1ull << 32; pair += step) {
    const auto a = static_cast<std::uint32_t>(pair >> 16),
               b = static_cast<std::uint32_t>(pair) & 0xFFFF;
    if (ours(a, b) != round(by_float(values[a], values[b])) && wrong++ == 0) {
      example = a << 16 | b;
    }
  }
  EXPECT_EQ(wrong, 0u) << "first wrong pair: " << std::hex << example;
}

constexpr auto kPlus = [](float a, float b) { return a + b; };
constexpr auto kMinus = [](float a, float b) { return a - b; };
constexpr auto kTimes = [](float a, float b) { return a * b; };
constexpr auto kOver = [](float a, float b) { return a / b; };

TEST(HalfPairs, Add) { check_pairs<add<HalfFormat>, round_half>(kHalf, kPlus); }
TEST(HalfPairs, Subtract) { check_pairs<subtract<HalfFormat>, round_half>(kHalf, kMinus); }
TEST(HalfPairs, Multiply) { check_pairs<multiply<HalfFormat>, round_half>(kHalf, kTimes); }
TEST(HalfPairs, Divide) { check_pairs<divide<HalfFormat>, round_half>(kHalf, kOver); }
TEST(Bfloat16Pairs, Add) { check_pairs<add<Bfloat16Format>, round_bfloat16>(kBfloat16, kPlus); }
TEST(Bfloat16Pairs, Subtract) {
  check_pairs<subtract<Bfloat16Format>, round_bfloat16>(kBfloat16, kMinus);
}
TEST(Bfloat16Pairs, Multiply) {
  check_pairs<multiply<Bfloat16Format>, round_bfloat16>(kBfloat16, kTimes);
}
TEST(Bfloat16Pairs, Divide) {
  check_pairs<divide<Bfloat16Format>, round_bfloat16>(kBfloat16, kOver);
}

/// The order that maximum and minimum are about: -Inf .. -0 < +0 .. +Inf.
template <class Format>
int rank(std::uint32_t code) {
  const auto magnitude = static_cast<int>(code & 0x7FFF);
  return (code & 0x8000) != 0 ? -1 - magnitude : magnitude;
}

template <class Format>
void check_order(Shape shape) {
  const std::vector<float> values = all_values(shape, 0x8000);
  std::uint64_t wrong = 0;
  for (std::uint64_t pair = 0, step = every(); pair < 1ull << 32; pair += step) {
    const auto a = static_cast<std::uint32_t>(pair >> 16),
               b = static_cast<std::uint32_t>(pair) & 0xFFFF;
    const float x = values[a], y = values[b];
    const bool first = rank<Format>(a) >= rank<Format>(b);
    const bool nan = std::isnan(x) || std::isnan(y);
    const std::uint32_t number = std::isnan(x) ? b : a;  // the only one, if there is one
    const std::uint32_t lonely = std::isnan(x) && std::isnan(y) ? 0x7FFF : number;
    wrong += maximum<Format>(a, b) != (nan ? lonely : first ? a : b) ? 1 : 0;
    wrong += minimum<Format>(a, b) != (nan ? lonely : first ? b : a) ? 1 : 0;
    wrong += maximum_nan<Format>(a, b) != (nan ? 0x7FFF : first ? a : b) ? 1 : 0;
    wrong += minimum_nan<Format>(a, b) != (nan ? 0x7FFF : first ? b : a) ? 1 : 0;
    wrong += is_equal<Format>(a, b) != (x == y) ? 1 : 0;
    wrong += is_less<Format>(a, b) != (x < y) ? 1 : 0;
    wrong += is_less_or_equal<Format>(a, b) != (x <= y) ? 1 : 0;
    wrong += is_different<Format>(a, b) != (!nan && x != y) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(HalfPairs, Order) { check_order<HalfFormat>(kHalf); }
TEST(Bfloat16Pairs, Order) { check_order<Bfloat16Format>(kBfloat16); }

template <class Format>
void check_single(Shape shape) {
  const std::vector<float> values = all_values(shape, 0x8000);
  for (std::uint32_t a = 0; a < kCodes; ++a) {
    const float x = values[a];
    const bool nan = std::isnan(x);
    ASSERT_EQ(negate<Format>(a), nan ? 0x7FFF : a ^ 0x8000);
    ASSERT_EQ(absolute<Format>(a), nan ? 0x7FFF : a & 0x7FFF);
    ASSERT_EQ(rectify<Format>(a), nan ? 0x7FFF : a >= 0x8000 ? 0 : a);
    ASSERT_EQ(value<Format>(saturate<Format>(a)), nan ? 0 : std::fmin(1, std::fmax(0, x)));
    ASSERT_EQ(infinity_sign<Format>(a), std::isinf(x) ? (x > 0 ? 1 : -1) : 0);
  }
}

TEST(HalfSingle, SignsAndClamps) { check_single<HalfFormat>(kHalf); }
TEST(Bfloat16Single, SignsAndClamps) { check_single<Bfloat16Format>(kBfloat16); }

TEST(HalfSingle, SquareRoot) {
  if (!cpu_converts_halves()) {
    GTEST_SKIP() << "this CPU converts no halves";
  }
  const std::vector<float> values = all_values(kHalf, 0x8000);
  for (std::uint32_t a = 0; a < kCodes; ++a) {
    ASSERT_EQ(square_root<HalfFormat>(a), round_half(std::sqrt(values[a]))) << a;
  }
}

TEST(Words, AreTwoCodes) {
  EXPECT_EQ((in_both<add<HalfFormat>>(0x3C00'4000u, 0x4000'3C00u)), 0x4200'4200u);
  EXPECT_EQ((mask_of_both<is_less<HalfFormat>>(0x3C00'4000u, 0x4000'3C00u)), 0xFFFF'0000u);
  EXPECT_EQ(ones<HalfFormat>(0xFFFF'0000u), 0x3C00'0000u);
  EXPECT_EQ(ones<Bfloat16Format>(0x0000'FFFFu), 0x0000'3F80u);
}

}  // namespace
}  // namespace nibble::simt
