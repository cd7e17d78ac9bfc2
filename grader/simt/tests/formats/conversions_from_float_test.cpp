// Every float to every format: against the staircase of its values, and against the CPU's own
// conversion where it has one.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "every_float.hpp"
#include "half_by_cpu.hpp"
#include "nibble/float_format.hpp"
#include "staircase.hpp"

namespace nibble::simt {
namespace {

constexpr std::uint32_t kInfinity = 0x7F800000;

template <class Format, const Shape& shape>
struct Case {
  using F = Format;
  static constexpr Shape kShape = shape;
};

struct CaseName {
  template <class>
  static std::string GetName(int index) {
    constexpr const char* kNames[] = {"half", "bf16", "e4m3", "e5m2"};
    return kNames[index];
  }
};

template <class T>
class FromFloat : public testing::Test {};
using Formats = testing::Types<Case<HalfFormat, kHalf>, Case<Bfloat16Format, kBfloat16>,
                               Case<E4m3Format, kE4m3>, Case<E5m2Format, kE5m2>>;
TYPED_TEST_SUITE(FromFloat, Formats, CaseName);

/// What the staircase's answer for a magnitude means: Inf and overflow, and the sign.
template <class Format>
std::uint32_t wanted(std::uint32_t bits, std::uint32_t code, Rounding rounding, Overflow overflow) {
  const std::uint32_t sign = bits >> 31 != 0 ? Format::kSign : 0;
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > kInfinity) {
    return Format::kNan;
  }
  const bool up = rounding == Rounding::kNearestEven ||
                  rounding == (sign != 0 ? Rounding::kDown : Rounding::kUp);
  if (magnitude == kInfinity || code > Format::kMaxFinite) {
    const bool finite = overflow == Overflow::kSaturate || (magnitude != kInfinity && !up);
    code = finite ? Format::kMaxFinite : Format::kOverflow;
  }
  return sign | code;
}

/// The staircase of the magnitudes, where "up" depends on the sign.
Rounding of_magnitude(Rounding rounding, bool negative) {
  if (rounding == Rounding::kNearestEven || rounding == Rounding::kTowardZero) {
    return rounding;
  }
  return (rounding == Rounding::kUp) != negative ? Rounding::kUp : Rounding::kTowardZero;
}

template <class Format>
void check_all(Shape shape, Rounding rounding, Overflow overflow, std::uint64_t usual) {
  std::uint64_t wrong = 0, looked_at = 0;
  std::uint32_t first_wrong = 0;
  Staircase staircase(shape, rounding);
  bool negative = true;
  for_every_float(
      [&] {
        negative = !negative;
        staircase = Staircase(shape, of_magnitude(rounding, negative));
      },
      [&](std::uint32_t bits) {
        const std::uint32_t code = staircase.next_code(bits & 0x7FFFFFFF);
        const std::uint32_t got = encode<Format>(float_of(bits), rounding, overflow);
        if (got != wanted<Format>(bits, code, rounding, overflow) && wrong++ == 0) {
          first_wrong = bits;
        }
        ++looked_at;
      },
      usual);
  EXPECT_EQ(wrong, 0u) << "first wrong: " << std::hex << first_wrong;
  EXPECT_GE(looked_at, (1ull << 32) / every(usual));
}

TYPED_TEST(FromFloat, ToNearestEven) {
  check_all<typename TypeParam::F>(TypeParam::kShape, Rounding::kNearestEven, Overflow::kToInfinity,
                                   1021);
}

TYPED_TEST(FromFloat, Saturating) {
  check_all<typename TypeParam::F>(TypeParam::kShape, Rounding::kNearestEven, Overflow::kSaturate,
                                   1021);
}

TYPED_TEST(FromFloat, TowardsZero) {
  check_all<typename TypeParam::F>(TypeParam::kShape, Rounding::kTowardZero, Overflow::kToInfinity,
                                   4093);
}

TYPED_TEST(FromFloat, UpAndDown) {
  for (const Rounding rounding : {Rounding::kUp, Rounding::kDown}) {
    check_all<typename TypeParam::F>(TypeParam::kShape, rounding, Overflow::kToInfinity, 4093);
  }
}

// A stride steps over almost every tie; these are all of them, with the floats beside them.
TYPED_TEST(FromFloat, EveryTieAndItsNeighbours) {
  using F = typename TypeParam::F;
  const Staircase staircase(TypeParam::kShape, Rounding::kNearestEven);
  for (const std::uint32_t first : staircase.first()) {
    for (const std::uint32_t near : {first - 2, first - 1, first, first + 1}) {
      for (const std::uint32_t bits : {near, near | 1u << 31}) {
        const std::uint32_t magnitude = bits & 0x7FFFFFFF;
        if (near > kInfinity) {
          continue;  // below 0, or beyond Inf
        }
        const std::uint32_t code = magnitude == kInfinity ? 0 : staircase.code(magnitude);
        ASSERT_EQ(encode<F>(float_of(bits)),
                  wanted<F>(bits, code, Rounding::kNearestEven, Overflow::kToInfinity))
            << std::hex << bits;
      }
    }
  }
}

// A double is rounded once: a float in between would turn these into ties.
TYPED_TEST(FromFloat, DoublesBesideATieAreNotTies) {
  using F = typename TypeParam::F;
  for (std::uint32_t code = 0; code < F::kMaxFinite; ++code) {
    const double tie =
        (value_of(TypeParam::kShape, code) + value_of(TypeParam::kShape, code + 1)) / 2;
    ASSERT_EQ(encode<F>(std::nextafter(tie, 0)), code);
    ASSERT_EQ(encode<F>(tie), code + code % 2);
    ASSERT_EQ(encode<F>(std::nextafter(tie, 1e300)), code + 1);
    ASSERT_EQ(encode<F>(-std::nextafter(tie, 1e300)), (code + 1) | F::kSign);
  }
  EXPECT_EQ(encode<F>(5e-324), 0u);
  EXPECT_EQ(encode<F>(5e-324, Rounding::kUp), 1u);
  EXPECT_EQ(encode<F>(-5e-324, Rounding::kDown), 1u | F::kSign);
  EXPECT_EQ(encode<F>(1e308, Rounding::kTowardZero), F::kMaxFinite);
}

TEST(HalfFromFloat, AsTheCpuDoes) {
  if (!cpu_converts_halves()) {
    GTEST_SKIP() << "this CPU converts no halves";
  }
  std::uint64_t wrong = 0;
  for_every_float([] {},
                  [&](std::uint32_t bits) {
                    const std::uint32_t got = encode<HalfFormat>(float_of(bits));
                    const bool nan = (bits & 0x7FFFFFFF) > kInfinity;
                    wrong += got != (nan ? 0x7FFF : half_by_cpu(float_of(bits))) ? 1 : 0;
                  });
  EXPECT_EQ(wrong, 0u);
}

// The textbook's way: add just under half of what is cut off,
// and one more if the last kept bit is set.
TEST(Bfloat16FromFloat, AsIntegerAdditionDoes) {
  std::uint64_t wrong = 0;
  for_every_float([] {},
                  [&](std::uint32_t bits) {
                    const bool nan = (bits & 0x7FFFFFFF) > kInfinity;
                    const std::uint32_t added = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
                    wrong +=
                        encode<Bfloat16Format>(float_of(bits)) != (nan ? 0x7FFF : added) ? 1 : 0;
                  });
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace nibble::simt
