// Lab 04, asymmetric_parameters: the checks.
#include "checks/04_asymmetric/asymmetric_parameters.hpp"

namespace nibble::judge::lab_04_asymmetric {
namespace {

// 0 lies inside all of these, so both policies say the same.
TEST(asymmetric_parameters, SpreadsTheCodes) {
  choosing.gives({{"FourBits", {{3, -5, 10}, 4, kInclude}, {1.0f, 5}},
                  {"EightBits", {{191, 7, -64}, 8, kInclude}, {1.0f, 64}},
                  {"TwoBits", {{-2, 4, 1}, 2, kInclude}, {2.0f, 1}},
                  {"FullRange", {{191, 7, -64}, 8, kFull}, {1.0f, 64}},
                  {"FromZero", {{0, 63.75f, 1}, 8, kInclude}, {0.25f, 0}},
                  {"UpToZero", {{-63.75f, -1, 0}, 8, kInclude}, {0.25f, 255}},
                  {"BetweenCodes", {{-5.75f, 9.25f}, 4, kInclude}, {1.0f, 6}},
                  {"CloserToTheUpper", {{-5.25f, 9.75f}, 4, kInclude}, {1.0f, 5}},
                  {"EvenTie", {{-4.5f, 10.5f}, 4, kInclude}, {1.0f, 4}},
                  {"OddTie", {{-11, 19}, 4, kInclude}, {2.0f, 6}}},
                 has_parameters);
  // A rounding more or less in hi - lo, in the scale or in lo / scale shows in the zero point.
  choosing.gives({{"OneDivision", {{-7, 7}, 8, kInclude}, {14.0f / 255, 128}},
                  {"FloatDifference",
                   {{-5.374657154f, 5.54596138f, 1, -2.2f}, 8, kInclude},
                   {0x1.5ed488p-5f, 126}}},
                 [](Expect& expect, const auto&, auto got, auto want) {
                   expect.that(got.scale == want.scale && got.zero_point == want.zero_point,
                               "hi - lo, its quotient by qmax and lo / scale, each rounded to "
                               "float32 once, give " +
                                   show(want) + ", not " + show(got),
                               "N-FORMULA");
                 });
}

// The textbook clamps the zero point and leaves the range as it is. Then ten, ten and a half,
// eleven and eleven and a half come back as 1.5, four times.
TEST(asymmetric_parameters, WidensTheRangeToZero) {
  choosing.gives({{"TenToElevenAndAHalf", {{10, 10.5f, 11, 11.5f}, 8, kInclude}, {11.5f / 255, 0}},
                  {"AllPositive", {{255, 127.5f}, 8, kInclude}, {1.0f, 0}},
                  {"AllNegative", {{-7.5f, -30}, 4, kInclude}, {2.0f, 15}},
                  {"FarFromZero", {{3 * 0x1p20f, 2.75f * 0x1p20f}, 2, kInclude}, {0x1p20f, 0}},
                  {"OneValue", {{-127.5f}, 8, kInclude}, {0.5f, 255}}},
                 has_parameters);
}

TEST(asymmetric_parameters, FullRangeKeepsTheFineStep) {
  choosing.gives({{"TenToElevenAndAHalf", {{10, 10.5f, 11, 11.5f}, 8, kFull}, {1.5f / 255, -1700}},
                  {"AllPositive", {{1255, 1000}, 8, kFull}, {1.0f, -1000}},
                  {"AllNegative", {{-15, -30}, 4, kFull}, {1.0f, 30}},
                  {"JustOutside", {{1, 16}, 4, kFull}, {1.0f, -1}},
                  {"TwoBits", {{-10.5f, -9}, 2, kFull}, {0.5f, 21}},
                  {"FarFromZero", {{0x1p20f, 0x1p20f + 255}, 8, kFull}, {1.0f, -(1 << 20)}}},
                 has_parameters);
}

TEST(asymmetric_parameters, CoversTheData) {
  choosing.on_each(every_width_and_length(seed, 1021), [](Expect& expect, const auto& in) {
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const auto& [x, num_bits, policy] = in;
    const auto [qmin, qmax] = unsigned_range(num_bits);
    const Range range = range_of(in);
    const Tolerance half_a_step =
        round_trip_tolerance(range.scale(num_bits), range.reach(num_bits));
    const AsymmetricParameters got = choosing(in);
    if (policy == kInclude) {
      expect.that(qmin <= got.zero_point && got.zero_point <= qmax,
                  "real 0 has no code: zero_point = " + show_value(got.zero_point), "N-ZERO");
    }
    const auto real = [&](int q) { return got.scale * static_cast<double>(q - got.zero_point); };
    suspect_short_ranges(expect, in);
    expect.near("what code 0 stands for", real(qmin), range.lo, half_a_step);
    expect.near("what code qmax stands for", real(qmax), range.hi, half_a_step);
  });
}

TEST(asymmetric_parameters, ScaleIsNeverZero) {
  choosing.gives({{"AllZero",
                   {{0, -0.0f, 0}, 8, kInclude},
                   {1.0f, 0},
                   "where all x are 0 the scale is 1 and the zero point 0"},
                  {"AllZeroFullRange", {{0, -0.0f, 0}, 8, kFull}, {1.0f, 0}},
                  {"Empty", {{}, 8, kInclude}, {1.0f, 0}},
                  {"EmptyFullRange", {{}, 4, kFull}, {1.0f, 0}},
                  {"Tiny",
                   {{-2 * FLT_MIN, 3 * FLT_MIN}, 8, kInclude},
                   {FLT_MIN, 2},
                   "a scale below FLT_MIN is raised to FLT_MIN, and then lo / scale is taken"},
                  {"TinyFullRange", {{2 * FLT_MIN, 5 * FLT_MIN}, 8, kFull}, {FLT_MIN, -2}},
                  {"TinyConstant",
                   {{-4 * FLT_MIN, -4 * FLT_MIN}, 8, kFull},
                   {FLT_MIN, 4},
                   "a scale below FLT_MIN is raised to FLT_MIN where all x are equal, too"},
                  {"Subnormal",
                   {{0, FLT_TRUE_MIN}, 8, kInclude},
                   {FLT_MIN, 0},
                   "not all x are 0 here, though hi / qmax is 0 in float32"}});
}

TEST(asymmetric_parameters, ConstantsIncludeZero) {
  choosing.gives({{"Positive",
                   {{255, 255, 255}, 8, kFull},
                   {1.0f, 0},
                   "equal values have no range of their own: 0 is included, whatever the policy"},
                  {"Negative",
                   {{-7.5f, -7.5f}, 4, kFull},
                   {0.5f, 15},
                   "equal values have no range of their own: 0 is included, whatever the policy"},
                  {"OneValue", {{63.75f}, 8, kFull}, {0.25f, 0}},
                  {"Ten", {{10, 10, 10, 10}, 8, kFull}, {10.0f / 255, 0}}},
                 has_these_parameters);
}

// Ranges wider than FLT_MAX, and ranges of a few float32 steps far from 0, where lo / scale would
// be more than an int32 holds.
TEST(asymmetric_parameters, HugeAndNarrowRanges) {
  choosing.gives(
      {{"HugeFourBits",
        {{-7.25f * 0x1p125f, 7.75f * 0x1p125f}, 4, kInclude},
        {0x1p125f, 7},
        "hi - lo is beyond FLT_MAX here, and the scale is not"},
       {"HugeEightBits", {{127.75f * 0x1p121f, -127.25f * 0x1p121f}, 8, kFull}, {0x1p121f, 127}},
       {"HugeRoundedOnce", {{-3.2e38f, 1.7e38f}, 8, kInclude}, {0x1.7214a6p120f, 167}},
       {"NarrowAboveZero",
        {{2, 2 - 0x1p-20f}, 8, kFull},
        {0x1p-23f, 8 - (1 << 24)},
        "lo / scale would be more than an int32 holds: the scale is raised to amax * 2^-24"},
       {"NarrowBelowZero",
        {{-2, 0x1p-20f - 2}, 8, kFull},
        {0x1p-23f, 1 << 24},
        "lo and hi are below 0: the larger of their magnitudes says how fine the scale may be"},
       {"NeighboursFourBits", {{-1, 0x1p-24f - 1}, 4, kFull}, {0x1p-24f, 1 << 24}}},
      has_these_parameters);
}

TEST(asymmetric_parameters, RefusesWhatHasNoRange) {
  choosing.refuses({{"TwoBits", {{-1, 2}, 2, kInclude}, {1.0f, 1}},
                    {"EightBits", {{-1, 254}, 8, kInclude}, {1.0f, 1}}},
                   without_a_range<&asymmetric_parameters>());
}

}  // namespace
}  // namespace nibble::judge::lab_04_asymmetric
