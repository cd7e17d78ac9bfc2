// a * b + c with one rounding, against arithmetic of more than 100 bits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "nibble/simt/float_arithmetic.hpp"
#include "staircase.hpp"

namespace nibble::simt {
namespace {

#if defined(__SIZEOF_FLOAT128__)
using Wide = __float128;
#else
using Wide = long double;  // 113 bits on aarch64
#endif
static_assert(static_cast<Wide>(1) + static_cast<Wide>(0x1p-100) != static_cast<Wide>(1));

/// The code of sum + rest, where |rest| is at most half of a last place of sum: found by halving
/// the range of codes, and deciding on the midpoint of two neighbours.
std::uint32_t nearest(Shape shape, Wide sum, Wide rest) {
  const bool negative = sum < 0 || (sum == 0 && rest < 0);
  const Wide magnitude = negative ? -sum : sum;
  const Wide beyond = negative ? -rest : rest;
  std::uint32_t low = 0, high = shape.largest + 1;
  while (low < high) {  // the largest code that the magnitude reaches
    const std::uint32_t middle = low + (high - low + 1) / 2;
    const Wide tie = (static_cast<Wide>(value_of(shape, middle - 1)) +
                      static_cast<Wide>(value_of(shape, middle))) /
                     2;
    const bool above = magnitude > tie || (magnitude == tie && beyond > 0);
    const bool even = magnitude == tie && beyond == 0 && middle % 2 == 0;
    (above || even ? low : high) = above || even ? middle : middle - 1;
  }
  return low | (negative ? 0x8000 : 0);
}

std::uint32_t fma_by_wide(Shape shape, float a, float b, float c) {
  const float by_float = std::fma(a, b, c);  // for what is no number, and for the sign of 0
  if (std::isnan(by_float)) {
    return 0x7FFF;
  }
  const Wide product = static_cast<Wide>(a) * static_cast<Wide>(b);
  const Wide addend = c;
  if (std::isinf(a) || std::isinf(b) || std::isinf(c)) {
    return (shape.largest + 1) | (by_float < 0 ? 0x8000 : 0);
  }
  const Wide sum = product + addend;
  const Wide part = sum - product;
  const Wide rest = (product - (sum - part)) + (addend - part);
  if (sum == 0) {
    return std::signbit(by_float) ? 0x8000 : 0;
  }
  return nearest(shape, sum, rest);
}

template <class Format>
class Fma {
 public:
  explicit Fma(Shape shape) : shape_(shape) {}

  void check(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t want =
        fma_by_wide(shape_, decode<Format>(a), decode<Format>(b), decode<Format>(c));
    if (multiply_add<Format>(a, b, c) != want && wrong_++ == 0) {
      ADD_FAILURE() << std::hex << a << " * " << b << " + " << c << " is " << want << ", not "
                    << multiply_add<Format>(a, b, c);
    }
    // How often rounding twice, by way of a float, would have failed: the cases must show it.
    const float twice = std::fma(decode<Format>(a), decode<Format>(b), decode<Format>(c));
    fooled_ += encode<Format>(twice) != want ? 1 : 0;
  }

  std::uint64_t wrong_ = 0, fooled_ = 0;
  Shape shape_;
};

std::uint64_t cases() {
  const char* wanted = std::getenv("NIBBLE_FORMATS_FMA");
  return wanted == nullptr ? 10'000 : std::strtoull(wanted, nullptr, 10);
}

template <class Format>
void check_random(Shape shape) {
  std::mt19937_64 random(1);
  Fma<Format> fma(shape);
  for (std::uint64_t i = 0, end = cases(); i < end; ++i) {
    const std::uint64_t r = random();
    fma.check(r & 0xFFFF, r >> 16 & 0xFFFF, r >> 32 & 0xFFFF);
  }
  EXPECT_EQ(fma.wrong_, 0u);
}

/// Products that are ties of the format, or close to them, and a third number that decides.
template <class Format>
void check_adversarial(Shape shape) {
  std::mt19937_64 random(2);
  Fma<Format> fma(shape);
  constexpr std::uint32_t kOne = static_cast<std::uint32_t>(Format::kBias) << Format::kMantissaBits;
  constexpr std::uint32_t kQuarter = 1u << (Format::kMantissaBits - 2);
  constexpr std::uint32_t kTiny =
      (2u << Format::kMantissaBits) - 1;  // subnormals, and one more octave
  for (std::uint64_t i = 0, end = cases(); i < end; ++i) {
    const auto r = static_cast<std::uint32_t>(random());
    const std::uint32_t sign = (r & 1) << 15, other_sign = (r >> 1 & 1) << 15;
    const std::uint32_t any = r >> 2 & 0x7FFF, tiny = r >> 17 & kTiny, few = r >> 17 & 31;
    // 1.5 and 1.25 times a code end one and two bits below its last place.
    fma.check(kOne + 2 * kQuarter, any | sign, tiny | other_sign);
    fma.check(kOne + kQuarter, any | sign, tiny | other_sign);
    // A large third number, and a product far below its last place or just there.
    fma.check(tiny | sign, tiny, any | other_sign);
    fma.check(tiny | sign, any, kOne | other_sign);
    // Cancellation that leaves the product's own last bits.
    fma.check((kOne + few) | sign, kOne + (any & 31), (kOne + few + (any & 31)) | (sign ^ 0x8000));
  }
  EXPECT_EQ(fma.wrong_, 0u);
  EXPECT_GT(fma.fooled_, 0u) << "no case here tells one rounding from two";
}

TEST(HalfFma, Random) { check_random<HalfFormat>(kHalf); }
TEST(HalfFma, Adversarial) { check_adversarial<HalfFormat>(kHalf); }
TEST(Bfloat16Fma, Random) { check_random<Bfloat16Format>(kBfloat16); }
TEST(Bfloat16Fma, Adversarial) { check_adversarial<Bfloat16Format>(kBfloat16); }

// (1 + 2^-1) * (1 + 2^-10) = 1.5 + 2^-10 + 2^-11 is half way between two halves; 2^-24 decides.
TEST(HalfFma, ByHand) {
  EXPECT_EQ(multiply_add<HalfFormat>(0x3E00, 0x3C01, 0x0000), 0x3E02u);  // the tie goes to even
  EXPECT_EQ(multiply_add<HalfFormat>(0x3E00, 0x3C01, 0x0001), 0x3E02u);
  EXPECT_EQ(multiply_add<HalfFormat>(0x3E00, 0x3C01, 0x8001), 0x3E01u);
  EXPECT_EQ(multiply_add<HalfFormat>(0x7BFF, 0x7BFF, 0xFC00), 0xFC00u);
  EXPECT_EQ(multiply_add<HalfFormat>(0x7C00, 0x0000, 0x3C00), 0x7FFFu);
  EXPECT_EQ(multiply_add<HalfFormat>(0x3C00, 0x3C00, 0xBC00), 0x0000u);
  EXPECT_EQ(multiply_add<HalfFormat>(0x8000, 0x3C00, 0x8000), 0x8000u);
}

// The same with 2^-133, which is too small for a double to hold beside 1.5: the sum must be rounded
// to odd. (Two halves and a third never need more than 53 bits where it matters.)
TEST(Bfloat16Fma, ByHand) {
  EXPECT_EQ(multiply_add<Bfloat16Format>(0x3F81, 0x3FC0, 0x0000), 0x3FC2u);
  EXPECT_EQ(multiply_add<Bfloat16Format>(0x3F81, 0x3FC0, 0x8001), 0x3FC1u);
  EXPECT_EQ(multiply_add<Bfloat16Format>(0x3F83, 0x3FC0, 0x0000), 0x3FC4u);
  EXPECT_EQ(multiply_add<Bfloat16Format>(0x3F83, 0x3FC0, 0x0001), 0x3FC5u);
}

}  // namespace
}  // namespace nibble::simt
