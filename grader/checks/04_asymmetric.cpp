// Lab 04: the checks.
#include "asymmetric.hpp"

#include "checks/marks/04_asymmetric.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble {

std::string show(ZeroPolicy policy) {
  return policy == ZeroPolicy::kIncludeZero ? "kIncludeZero" : "kFullRange";
}

}  // namespace nibble

namespace nibble::judge {
namespace {

constexpr ZeroPolicy kInclude = ZeroPolicy::kIncludeZero;
constexpr ZeroPolicy kFull = ZeroPolicy::kFullRange;

using Codes = std::vector<std::uint8_t>;

std::string show(AsymmetricParameters p) {
  return "scale " + show_value(p.scale) + " and zero_point " + show_value(p.zero_point);
}

Reals by_definition(const AsymmetricTensor& t) {
  return each_of(t.q, [&](int q) { return t.scale * static_cast<float>(q - t.zero_point); });
}

// --- asymmetric_parameters ----------------------------------------------------------------------
//
// Wherever values were worked out by hand, scales are powers of two (but for the story of ten to
// eleven and a half), so floats are compared exactly and ties are ties for everyone.

using Choosing = Exercise<&asymmetric_parameters>;
const Choosing choosing{{"x", "num_bits", "policy"}, {"scale", "zero_point"}};

/// One thing that people write instead of the contract, and what it answers.
struct Suspicion {
  const char* code;
  const char* words;
  double lo, hi, steps;     // the range it takes, and by what it divides
  double (*round)(double);  // lo / scale
  double sign = -1;         // of the zero point
  bool clamped = false;     // the zero point, to the codes
};

double to_even(double value) { return std::nearbyint(value); }

std::vector<Suspicion> suspicions(const Choosing::Arguments& in) {
  const auto& [x, num_bits, policy] = in;
  const auto [min, max] = std::minmax_element(x.begin(), x.end());
  const double lo = *min, hi = *max, lo0 = std::min(lo, 0.0), hi0 = std::max(hi, 0.0);
  const double low = policy == kInclude ? lo0 : lo, high = policy == kInclude ? hi0 : hi;
  const double steps = unsigned_range(num_bits).qmax;
  const double amax = std::max(std::fabs(lo), std::fabs(hi));
  return {
      {"N-ZP-CLAMP", "the zero point is clamped, the range is not widened", lo, hi, steps, to_even,
       -1, true},
      {"N-ZERO", "the range is not widened to include 0", lo, hi, steps, to_even},
      {"N-RANGE", "the range is widened to include 0, whatever the policy", lo0, hi0, steps,
       to_even},
      {"N-ZP-SIGN", "the zero point has the wrong sign", low, high, steps, to_even, 1},
      {"N-RANGE", "the range is divided by 2^num_bits: one too many", low, high, steps + 1,
       to_even},
      {"N-RANGE", "the range is that of another num_bits", low, high, 255, to_even},
      {"N-RANGE", "the range is made symmetric", -amax, amax, steps, to_even},
      {"N-TRUNC", "lo / scale is cut, not rounded", low, high, steps,
       [](double value) { return std::trunc(value); }},
      {"N-ROUND", "a tie of lo / scale goes away from zero", low, high, steps,
       [](double value) { return std::round(value); }},
      {"N-TRUNC", "lo / scale is rounded down", low, high, steps,
       [](double value) { return std::floor(value); }},
  };
}

/// What a suspicion answers: scale and zero point.
AsymmetricParameters answer_of(const Suspicion& s, int num_bits) {
  const auto scale = static_cast<float>((s.hi - s.lo) / s.steps);
  const double most = s.clamped ? unsigned_range(num_bits).qmax : kLargestZeroPoint;
  const double zero_point = s.sign * s.round(static_cast<float>(s.lo) / scale);
  return {scale, static_cast<std::int32_t>(std::clamp(zero_point, s.clamped ? 0 : -most, most))};
}

/// x through the codes and back with these parameters, for a message.
Reals there_and_back(const Reals& x, AsymmetricParameters p, int num_bits) {
  Reals real;
  for (const float value : x) {
    const float code = std::nearbyint(value / p.scale) + static_cast<float>(p.zero_point);
    const float qmax = static_cast<float>(unsigned_range(num_bits).qmax);
    real.push_back(p.scale * (std::clamp(code, 0.0f, qmax) - static_cast<float>(p.zero_point)));
  }
  return real;
}

bool close(AsymmetricParameters got, AsymmetricParameters want) {
  return is_near(got.scale, want.scale, one_ulp()) && got.zero_point == want.zero_point;
}

/// The wanted parameters, and no guess at what others are but for the arithmetic.
void has_these_parameters(Expect& expect, const Choosing::Arguments&, AsymmetricParameters got,
                          AsymmetricParameters want) {
  const bool another_rounding =
      got.scale != want.scale && is_near(got.scale, want.scale, one_ulp());
  expect.that(!another_rounding,
              "hi - lo and its quotient by qmax, each rounded to float32 once, give " + show(want) +
                  ", not " + show(got),
              "N-FORMULA");
  // Far from 0, what an int16 or a uint8 keeps of the zero point is another.
  expect.suspect("N-OVERFLOW", "zero_point", static_cast<std::int16_t>(want.zero_point));
  expect.suspect("N-OVERFLOW", "zero_point", static_cast<std::uint8_t>(want.zero_point));
  expect.equal("scale", got.scale, want.scale);
  expect.equal("zero_point", got.zero_point, want.zero_point);
}

/// The wanted parameters; others are named, if they are what a known mistake answers.
void has_parameters(Expect& expect, const Choosing::Arguments& in, AsymmetricParameters got,
                    AsymmetricParameters want) {
  const auto& [x, num_bits, policy] = in;
  for (const Suspicion& s : x.empty() ? std::vector<Suspicion>{} : suspicions(in)) {
    if (close(got, want) || !close(got, answer_of(s, num_bits))) continue;
    expect.that(false,
                std::string(s.words) + ": " + show(got) + " instead of " + show(want) +
                    " bring x back as " + show_values(there_and_back(x, got, num_bits)),
                s.code);
    return;
  }
  has_these_parameters(expect, in, got, want);
}

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

/// The range that the policy asks for, as the contract defines it.
struct Range {
  float lo, hi;
  float amax() const { return std::max(std::fabs(lo), std::fabs(hi)); }
  float scale(int num_bits) const {
    const auto steps = static_cast<float>(unsigned_range(num_bits).qmax);
    const float step = (hi - lo) / steps;
    return amax() == 0 ? 1.0f : std::max({step, FLT_MIN, amax() * 0x1p-24f});
  }
  int reach(int num_bits) const {  // the most steps from 0
    return static_cast<int>(amax() / scale(num_bits)) + 1;
  }
};

Range range_of(const Choosing::Arguments& in) {
  const auto& [x, num_bits, policy] = in;
  const auto [lo, hi] = std::minmax_element(x.begin(), x.end());
  const bool widen = policy == kInclude || *lo == *hi;
  return {widen ? std::min(*lo, 0.0f) : *lo, widen ? std::max(*hi, 0.0f) : *hi};
}

// Around 0, all above it and all below it.
Choosing::Input random_input(std::size_t count, int num_bits, ZeroPolicy policy, float middle,
                             std::uint64_t seed) {
  Reals x = normal_tensor(count, seed, /*stddev=*/0.02f);
  for (float& value : x) value += middle;
  // Whoever stops short of the last value gets another range.
  std::swap(x.back(), *std::max_element(x.begin(), x.end()));
  return {std::to_string(count) + "x" + std::to_string(num_bits) + "bits around " +
              show_value(middle) + " " + show(policy),
          {std::move(x), num_bits, policy}};
}

// One value; one less than, as many as and one more than 32 bytes of codes; and one more.
std::vector<Choosing::Input> every_width_and_length(Seed seed_of, std::size_t longest) {
  std::vector<Choosing::Input> inputs;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, longest}) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      for (const ZeroPolicy policy : {kInclude, kFull}) {
        for (const float middle : {0.0f, 0.5f, -0.25f}) {
          if (count == longest && num_bits % 2 == 1 && middle != 0.0f) continue;  // time
          inputs.push_back(random_input(
              count, num_bits, policy, middle,
              seed_of(count * 100 + static_cast<std::size_t>(num_bits) * 8 + inputs.size() % 6)));
          std::ranges::replace(inputs.back().in.a, 0.0f, 0x1p-30f);  // 0 has a check of its own
        }
      }
    }
  }
  return inputs;
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
                  {"TinyConstant", {{-4 * FLT_MIN, -4 * FLT_MIN}, 8, kFull}, {FLT_MIN, 4}},
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

/// What has no range, whichever function is asked for one.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_range() {
  return {{"N-NAN", {{1, kNan, 2}, 8, kInclude}},
          {"N-NAN", {{kNan}, 8, kFull}},
          {"N-NAN", {{1, 2, -kInfinity}, 8, kFull}},
          {"N-NAN", {{kInfinity, 2}, 8, kInclude}},
          {"N-RANGE", {{1, 2}, 1, kInclude}},
          {"N-RANGE", {{1, 2}, 9, kFull}},
          {"N-RANGE", {{}, 0, kInclude}}};
}

TEST(asymmetric_parameters, RefusesWhatHasNoRange) {
  choosing.refuses({{"TwoBits", {{-1, 2}, 2, kInclude}, {1.0f, 1}},
                    {"EightBits", {{-1, 254}, 8, kInclude}, {1.0f, 1}}},
                   without_a_range<&asymmetric_parameters>());
}

// --- quantize_with_parameters -------------------------------------------------------------------

using Quantizing = Exercise<&quantize_with_parameters>;

/// The codes that `to_code(x / scale)` would give, for what a known mistake answers.
template <class ToCode>
std::vector<double> codes_by(const Reals& x, float scale, ToCode to_code) {
  return each_of(x, [&](float value) { return to_code(static_cast<double>(value / scale)); });
}

double wrapped(double code) {
  return static_cast<std::uint8_t>(static_cast<std::int64_t>(std::clamp(code, -0x1p60, 0x1p60)));
}

/// The usual wrong ways from x to q. `as` turns codes into what is compared.
template <class As>
void suspect_codes(Expect& expect, std::string_view what, const Reals& x, AsymmetricParameters p,
                   int num_bits, As as) {
  const double zp = p.zero_point, qmax = unsigned_range(num_bits).qmax;
  const auto grid = [=](double code) { return std::clamp(code, 0.0, qmax); };
  const auto suspect = [&](const char* code, const auto& to_code, const char* words = "") {
    expect.suspect(code, what, as(codes_by(x, p.scale, to_code)), words);
  };
  each_wrong_code(zp, [&](const char* code, const char* words, const auto& from) {
    suspect(
        code, [&](double steps) { return grid(from(steps)); }, words);
  });
  suspect("N-CLAMP", [&](double steps) { return wrapped(to_even(steps) + zp); });
  suspect("N-CLAMP", [&](double steps) { return wrapped(grid(to_even(steps)) + zp); });
  suspect("N-RANGE", [&](double steps) { return std::clamp(to_even(steps) + zp, 0.0, 255.0); });
  suspect("N-SIGN", [&](double steps) {
    const double half = (qmax + 1) / 2;
    return wrapped(std::clamp(to_even(steps) + zp, -half, half - 1));
  });
}

constexpr const char* kFromLo =
    "as if codes were counted from lo: x / scale is rounded by itself, and then zero_point is "
    "added";

/// Codes counted from lo itself, not from real 0: the grid is shifted by part of a step.
std::vector<double> codes_from_lo(const Reals& x, float scale, float lo, int num_bits) {
  const double qmax = unsigned_range(num_bits).qmax;
  return codes_by(x, scale, [=](double steps) {
    return std::clamp(to_even(steps - static_cast<double>(lo / scale)), 0.0, qmax);
  });
}

void suspect_all_codes(Expect& expect, const Quantizing::Arguments& in, const Codes& right) {
  const auto& [x, p, num_bits] = in;
  suspect_codes(expect, "q", x, p, num_bits, [](const auto& q) { return q; });
  const auto divided = [&expect, &x = x, zp = p.zero_point,
                        qmax = unsigned_range(num_bits).qmax](auto divide) {
    expect.suspect("N-FORMULA", "q", each_of(x, [&](float value) {
                     return std::clamp(to_even(divide(value)) + zp, 0.0, double(qmax));
                   }));
  };
  divided([scale = p.scale](double value) { return value / scale; });
  divided([scale = p.scale](float value) { return value * (1 / scale); });
  suspect_lost_tail(expect, "q", right);
}

const Quantizing quantizing{{"x", "scale", "zero_point", "num_bits"}, {"q"}, suspect_all_codes};

// zero_point is 0 or even here, and what is wrong with it shows in the next check.
TEST(quantize_with_parameters, RoundsToNearest) {
  quantizing.gives({{"Whole", {{1, 0, 200, 9}, {1, 0}, 8}, {1, 0, 200, 9}},
                    {"Empty", {{}, {1, 0}, 8}, {}},
                    {"SmallScale", {{1, 2.5f, 50, 20}, {0.25f, 0}, 8}, {4, 10, 200, 80}},
                    {"LargeScale", {{48, 80, 0, 112}, {16, 0}, 4}, {3, 5, 0, 7}},
                    {"UpAndDown", {{1.75f, 1.25f, 0.75f, 9}, {1, 0}, 8}, {2, 1, 1, 9}},
                    {"BelowZero", {{-1.75f, -1.25f, 9}, {1, 100}, 8}, {98, 99, 109}}});
}

constexpr std::int32_t kFar = kLargestZeroPoint;

TEST(quantize_with_parameters, AddsTheZeroPoint) {
  quantizing.gives(
      {{"Inside", {{-50, 0, 1, 60}, {0.5f, 100}, 8}, {0, 100, 102, 220}},
       {"FourBits", {{-14, 0, 16, 2}, {2, 7}, 4}, {0, 7, 15, 8}},
       {"BelowTheCodes", {{1000, 1010, 1255, 1001}, {1, -1000}, 8}, {0, 10, 255, 1}},
       {"AboveTheCodes", {{-30, -20, -15, -29}, {1, 30}, 4}, {0, 10, 15, 1}},
       {"AsFarAsItGoes", {{-16777216, -16777215, -16777211}, {1, kFar}, 8}, {0, 1, 5}},
       {"AsFarTheOtherWay", {{8388608, 8388609, 8388612}, {0.5f, -kFar}, 8}, {0, 2, 8}}});
}

/// Half of its values are ties. Random data has none: in 65,536 values, not one.
Quantizing::Row half_steps(std::size_t count, float scale, std::int32_t zero_point) {
  Reals x;
  Codes q;
  for (const int k : code_tensor<std::int16_t>(count, seed(count), -140, 140)) {
    x.push_back(scale * 0.5f * static_cast<float>(k));
    q.push_back(static_cast<std::uint8_t>(half_steps_to_even(k) + zero_point));
  }
  return {std::to_string(count), {x, {scale, zero_point}, 8}, q};
}

// Odd zero points: with an even one, rounding before and after the sum is the same.
TEST(quantize_with_parameters, TiesGoToEven) {
  quantizing.gives({{"AboveZero", {{0.5f, 1.5f, 2.5f, 9}, {1, 0}, 8}, {0, 2, 2, 9}},
                    {"BelowZero", {{-0.5f, -1.5f, -2.5f, 9}, {1, 10}, 8}, {10, 8, 8, 19}},
                    {"OddZeroPoint", {{1, 3, -1, -3, 4}, {2, 7}, 8}, {7, 9, 7, 5, 9}},
                    {"FourBits", {{0.5f, 1.5f, -0.5f, 4}, {1, 3}, 4}, {3, 5, 3, 7}},
                    // In double none of the first four is a tie; times 1 / 1.1f two are not.
                    {"OneDivision",
                     {{1.65f, 8.25f, 9.35f, 25.85f, 2}, {1.1f, 100}, 8},
                     {102, 108, 108, 124, 102},
                     "x / scale is one float32 division, not in double and not times 1 / scale"},
                    {"BesideTies",
                     {{0.50000006f, 1.4999999f, 2.5000002f, -0.50000006f, 9}, {1, 3}, 8},
                     {4, 4, 6, 2, 12},
                     kNoTies},
                    half_steps(33, 0.125f, 127),
                    half_steps(1021, 4.0f, 101)});
}

TEST(quantize_with_parameters, StaysOnTheGrid) {
  quantizing.gives(
      {{"EightBits", {{255, 256, 300, -1, -129, 5}, {1, 0}, 8}, {255, 255, 255, 0, 0, 5}},
       {"FourBits", {{3.5f, 4, 200, -4, -200, 1}, {0.5f, 8}, 4}, {15, 15, 15, 0, 0, 10}},
       {"TwoBits", {{1, 2, 3, -1, -2, 1}, {1, 1}, 2}, {2, 3, 3, 0, 0, 2}},
       {"ZeroPointInside", {{-128, -129, 127, 128, 3}, {1, 128}, 8}, {0, 0, 255, 255, 131}},
       {"FarOutside",
        {{1e9f, -1e9f, 1e19f, -1e19f, 1}, {1, 9}, 8},
        {255, 0, 255, 0, 10},
        "it is clamped before it is made an integer"},
       {"FarZeroPoint", {{3e9f, -3e9f, 0, -16777215}, {1, kFar}, 8}, {255, 0, 255, 1}},
       {"FarTheOtherWay",
        {{3e9f, -3e9f, 16777216, 16777470}, {1, -kFar}, 8},
        {255, 0, 0, 254},
        "qmax - zero_point is 2^24 + 255 here, which is no float32: clamp the code, not the steps"},
       {"Overflowing", {{FLT_MAX, -FLT_MAX, 0x1p-100f}, {0x1p-100f, 9}, 8}, {255, 0, 10}}});
}

// Only the parameters and the width have rules: whoever refuses x looks for what has none.
TEST(quantize_with_parameters, TakesNanAndInfinity) {
  const Quantizing unsuspecting{{"x", "scale", "zero_point", "num_bits"}, {"q"}};
  unsuspecting.gives(
      {{"Nan",
        {{1, kNan, -kNan, 2}, {1, 77}, 8},
        {78, 77, 77, 79},
        "a NaN becomes the zero point, which is real 0"},
       {"NanBelowTheCodes",
        {{kNan, 1001}, {1, -1000}, 8},
        {0, 1},
        "a NaN becomes the zero point, clamped to the codes"},
       {"NanAboveTheCodes", {{kNan, -29}, {1, 30}, 4}, {15, 1}},
       {"Infinity",
        {{1, kInfinity, -kInfinity, 2}, {0.5f, 77}, 8},
        {79, 255, 0, 81},
        "an infinity becomes the nearer end of the grid"},
       {"FourBits", {{kNan, kInfinity, -kInfinity, 2}, {0.5f, 3}, 4}, {3, 15, 0, 7}}},
      /*if_refused=*/"N-NAN");
}

constexpr AsymmetricParameters kUnusable[] = {{0.0f, 0},        {-0.5f, 0},       {kNan, 0},
                                              {kInfinity, 0},   {FLT_MIN / 2, 0}, {1.0f, kFar + 1},
                                              {1.0f, -kFar - 1}};

const char* code_of(AsymmetricParameters unusable) {
  return std::abs(unusable.zero_point) > kFar ? "N-OVERFLOW" : "N-DIV0";
}

TEST(quantize_with_parameters, RefusesUnusableParameters) {
  const Reals x{4 * FLT_MIN, 1000 * FLT_MIN};
  std::vector<Quantizing::Refused> refused;
  for (const AsymmetricParameters p : kUnusable) refused.push_back({code_of(p), {x, p, 8}});
  for (const int num_bits : {1, 9}) refused.push_back({"N-RANGE", {x, {1, 0}, num_bits}});
  quantizing.refuses(
      {{"TwoBits", {x, {FLT_MIN, 1}, 2}, {3, 3}}, {"EightBits", {x, {FLT_MIN, 1}, 8}, {5, 255}}},
      refused);
}

// --- quantize_asymmetric ------------------------------------------------------------------------

using Asymmetric = Exercise<&quantize_asymmetric>;
const Asymmetric asymmetric{{"x", "num_bits", "policy"}, {"q", "scale", "zero_point"}};

// No x is 0 here: what becomes of 0 is a check of its own.
TEST(quantize_asymmetric, FollowsTheFormula) {
  asymmetric.gives(
      {{"AroundZero", {{3, -5, 10}, 4, kInclude}, {{8, 0, 15}, 1, 5}},
       {"EightBits", {{191, 7, -64}, 8, kInclude}, {{255, 71, 0}, 1, 64}},
       {"TenToElevenAndAHalf",
        {{10, 10.5f, 11, 11.5f}, 8, kInclude},
        {{222, 233, 244, 255}, 11.5f / 255, 0}},
       {"TenFullRange", {{10, 10.5f, 11, 11.5f}, 8, kFull}, {{0, 85, 170, 255}, 1.5f / 255, -1700}},
       {"AllNegative", {{-15, -30, -19}, 4, kFull}, {{15, 0, 11}, 1, 30}},
       {"FarFromZero",
        {{875, 875.0078125f, 876.9921875f}, 8, kFull},
        {{0, 1, 255}, 0x1p-7f, -112000},
        "the zero point is an int32, and far from 0 it needs more than 16 bits"},
       {"Fractions", {{1.75f, -5.25f, 249.75f, -1.75f}, 8, kInclude}, {{7, 0, 255, 3}, 1, 5}},
       {"Ties", {{-5, 0.5f, 1.5f, -2.5f, 250}, 8, kInclude}, {{0, 5, 7, 3, 255}, 1, 5}},
       {"BothEndsAreTies",
        {{-3.5f, 11.5f, 1.75f}, 4, kInclude},
        {{0, 15, 6}, 1, 4},
        "-3.5 and 11.5 steps round to -4 and 12, a step too far apart: num_bits clamps the codes"},
       {"Constant", {{-63.75f, -63.75f}, 8, kFull}, {{0, 0}, 0.25f, 255}},
       {"Empty", {{}, 8, kInclude}, {{}, 1, 0}},
       {"Tiny", {{3 * FLT_MIN, -FLT_MIN}, 8, kInclude}, {{4, 0}, FLT_MIN, 1}}},
      [](Expect& expect, const auto& in, const AsymmetricTensor& got,
         const AsymmetricTensor& want) {
        const auto& [x, num_bits, policy] = in;
        const AsymmetricParameters p{want.scale, want.zero_point};
        has_parameters(expect, {x, num_bits, policy}, {got.scale, got.zero_point}, p);
        suspect_codes(expect, "q", x, p, num_bits, [](const auto& q) { return q; });
        if (!x.empty()) {
          const float lo = *std::min_element(x.begin(), x.end());
          expect.suspect("N-ZERO", "q", codes_from_lo(x, p.scale, lo, num_bits), kFromLo);
        }
        suspect_lost_tail(expect, "q", want.q);
        expect.equal("q", got.q, want.q);
      });
}

/// The same inputs, for the function that quantizes as well.
std::vector<Asymmetric::Input> to_quantize(Seed seed_of, std::size_t longest) {
  std::vector<Asymmetric::Input> inputs;
  for (auto& [name, in] : every_width_and_length(seed_of, longest)) inputs.push_back({name, in});
  return inputs;
}

TEST(quantize_asymmetric, EveryValueWithinHalfAStep) {
  asymmetric.on_each(to_quantize(seed, 4099), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits, policy] = in;
    const AsymmetricTensor got = asymmetric(in);
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const Range range = range_of(in);
    const float scale = range.scale(num_bits);
    const auto zp = -static_cast<std::int32_t>(std::nearbyint(range.lo / scale));
    const auto real = [&](const std::vector<double>& codes) {
      return by_definition({Codes(codes.begin(), codes.end()), scale, zp});
    };
    suspect_codes(expect, "real values", x, {scale, zp}, num_bits, real);
    expect.suspect("N-ZERO", "real values", real(codes_from_lo(x, scale, range.lo, num_bits)),
                   kFromLo);
    expect.near("real values", by_definition(got), x,
                round_trip_tolerance(scale, range.reach(num_bits)));
  });
}

TEST(quantize_asymmetric, RealZeroIsExact) {
  asymmetric.on_each(to_quantize(seed, 1021), [](Expect& expect, const auto& in) {
    auto [x, num_bits, policy] = in;
    for (std::size_t i = 1; i < x.size(); i += 2) x[i] = i % 4 == 1 ? 0.0f : -0.0f;
    const AsymmetricTensor got = asymmetric({x, num_bits, kInclude});
    expect.that(0 <= got.zero_point && got.zero_point <= unsigned_range(num_bits).qmax,
                "real 0 has no code: zero_point = " + show_value(got.zero_point));
    const Reals real = by_definition(got);
    expect.every("real values", real, x,
                 [&, &values = x](std::size_t i) { return values[i] != 0.0f || real[i] == 0.0f; });
  });
}

TEST(quantize_asymmetric, RefusesWhatHasNoRange) {
  asymmetric.refuses({{"TwoBits", {{-1, 2}, 2, kInclude}, {{0, 3}, 1, 1}},
                      {"EightBits", {{-1, 254}, 8, kInclude}, {{0, 255}, 1, 1}}},
                     without_a_range<&quantize_asymmetric>());
}

// --- dequantize_asymmetric ----------------------------------------------------------------------

using Dequantizing = Exercise<&dequantize_asymmetric>;

void suspect_reals(Expect& expect, const Dequantizing::Arguments& in, const Reals&) {
  const auto& [tensor] = in;
  const float scale = tensor.scale;
  const std::int32_t zp = tensor.zero_point;
  const auto suspect = [&, &codes = tensor.q](const char* code, const auto& steps,
                                              std::string_view words = "") {
    expect.suspect(code, "real",
                   each_of(codes, [&](int q) { return scale * static_cast<float>(steps(q)); }),
                   words);
  };
  suspect("N-ZP-SIGN", [&](int q) { return q + zp; });
  suspect("N-ZP-SIGN", [&](int q) { return zp - q; });
  suspect("N-ZERO", [&](int q) { return q; });
  suspect("N-SIGN", [&](int q) { return static_cast<std::int8_t>(q) - zp; });
  suspect("N-OVERFLOW", [&](int q) { return static_cast<std::uint8_t>(q - zp); });
  suspect("N-OVERFLOW", [&](int q) { return static_cast<std::int8_t>(q - zp); });
  suspect(
      "N-OVERFLOW", [&](int q) { return static_cast<std::int16_t>(q - zp); },
      "as if the difference had 16 bits");
  suspect("N-OVERFLOW", [&](int q) { return std::max(q - zp, 0); });
  const float low = scale * static_cast<float>(zp);
  expect.suspect("N-CANCEL", "real", each_of(tensor.q, [&](float q) {
                   const float high = scale * q;
                   return high - low;
                 }));
  expect.suspect("N-FORMULA", "real", each_of(tensor.q, [&](int q) {
                   return static_cast<float>(static_cast<double>(scale) * (q - zp));
                 }));
}

const Dequantizing dequantizing{{"q", "scale", "zero_point"}, {"real"}, suspect_reals};

// Codes below the zero point are in all of them: a difference in uint8 wraps around there.
TEST(dequantize_asymmetric, SubtractsTheZeroPoint) {
  dequantizing.gives(
      {{"Quarters", {{{0, 9, 10, 255, 12}, 0.25f, 10}}, {-2.5f, -0.25f, 0, 61.25f, 0.5f}},
       {"OtherZeroPoint", {{{0, 9, 10, 255, 12}, 0.25f, 6}}, {-1.5f, 0.75f, 1, 62.25f, 1.5f}},
       {"OtherScale", {{{0, 9, 10, 255, 12}, 0.5f, 6}}, {-3, 1.5f, 2, 124.5f, 3}},
       {"LargeScale", {{{0, 130, 128, 255}, 8, 128}}, {-1024, 16, 0, 1016}},
       {"BelowTheCodes", {{{0, 1, 200}, 0.5f, -1000}}, {500, 500.5f, 600}},
       {"AboveTheCodes", {{{0, 15}, 1, 30}}, {-30, -15}},
       {"Far", {{{0, 1, 255}, 0.5f, 70000}}, {-35000, -34999.5f, -34872.5f}},
       {"AsFarAsItGoes", {{{0, 1, 255}, 0.5f, kFar}}, {-8388608, -8388607.5f, -8388480.5f}},
       {"BeyondFloat", {{{0, 1, 2}, 0.75f, 1 - kFar}}, {12582911, 12582912, 12582912}},
       {"Empty", {{{}, 0.25f, 3}}, {}},
       {"Smallest", {{{0, 1, 5}, FLT_MIN, 1}}, {-FLT_MIN, 0, 4 * FLT_MIN}},
       {"Overflowing",
        {{{0, 1, 6, 3}, 0x1p126f, 2}},
        {-0x1p127f, -0x1p126f, kInfinity, 0x1p126f}}});
}

// Lengths as above; scales that are no power of two; zero points inside and outside the codes.
std::vector<Dequantizing::Input> given_tensors(Seed seed_of, std::size_t longest) {
  std::vector<Dequantizing::Input> inputs;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, longest}) {
    for (const std::int32_t zero_point : {117, -1701, 3'000'001}) {
      const std::uint64_t salt = count * 4 + static_cast<std::uint64_t>(zero_point & 3);
      const float scale = uniform_tensor(1, seed_of(salt), 0.01f, 100.0f).front();
      const Codes q = code_tensor<std::uint8_t>(count, seed_of(salt + 1'000'000), 0, 255);
      Expect::healthy(count < longest || distinct(q) == 256, "a code is missing");
      inputs.push_back({std::to_string(count) + " with " + std::to_string(zero_point),
                        {AsymmetricTensor{q, scale, zero_point}}});
    }
  }
  return inputs;
}

TEST(dequantize_asymmetric, EveryCodeAndLength) {
  dequantizing.agrees_with([](const auto& in) { return by_definition(in.a); },
                           given_tensors(seed, 4099));
}

TEST(dequantize_asymmetric, RefusesUnusableParameters) {
  std::vector<Dequantizing::Refused> refused;
  for (const AsymmetricParameters p : kUnusable) {
    refused.push_back({code_of(p), {AsymmetricTensor{{1, 3}, p.scale, p.zero_point}}});
  }
  dequantizing.refuses({{"Smallest", {{{1, 3}, FLT_MIN, 2}}, {-FLT_MIN, FLT_MIN}}}, refused);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt. The longest input is longer than any public one.

constexpr std::size_t kLongest = 10'007;

Reals times(Reals x, float factor) {
  for (float& value : x) value *= factor;
  return x;
}

/// Agreeing on an input with few different codes proves little.
void expect_many_codes(const Codes& q, const Choosing::Arguments& in) {
  if (q.size() < kLongest || in.c != kFull) return;
  Expect::healthy(distinct(q) * 2 >= std::size_t{1} << in.b, "few distinct codes");
}

TEST(asymmetric_parameters, EqualsTheReference) {
  std::vector<Choosing::Input> inputs;
  for (const float factor : {1.0f, 0x1p60f, 0x1p-60f}) {
    for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest)) {
      inputs.push_back({name + " times " + show_value(factor), {times(in.a, factor), in.b, in.c}});
    }
  }
  choosing.agrees_with(choosing.reference, inputs, has_parameters);
}

// The codes cover the middle three quarters of the range: some values lie outside.
TEST(quantize_with_parameters, EqualsTheReference) {
  std::vector<Quantizing::Input> inputs;
  for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest)) {
    const Range range = range_of(in);
    const float scale = 0.75f * range.scale(in.b), lowest = range.lo * 0.875f + range.hi / 8;
    const AsymmetricParameters p{scale, -static_cast<std::int32_t>(lowest / scale)};
    inputs.push_back({name, {in.a, p, in.b}});
    expect_many_codes(quantizing.reference(inputs.back().in), in);
  }
  quantizing.agrees_with(quantizing.reference, inputs);
}

TEST(quantize_asymmetric, EqualsTheReference) {
  asymmetric.agrees_with(asymmetric.reference, to_quantize(hidden_seed, kLongest),
                         [](Expect& expect, const auto& in, const AsymmetricTensor& got,
                            const AsymmetricTensor& want) {
                           const auto& [x, num_bits, policy] = in;
                           expect_many_codes(want.q, in);
                           has_these_parameters(expect, in, {got.scale, got.zero_point},
                                                {want.scale, want.zero_point});
                           suspect_codes(expect, "q", x, {want.scale, want.zero_point}, num_bits,
                                         [](const auto& q) { return q; });
                           expect.equal("q", got.q, want.q);
                         });
}

TEST(quantize_asymmetric, KeepsItsSymmetries) {
  asymmetric.on_each(to_quantize(hidden_seed, 1021), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits, policy] = in;
    const Codes got = asymmetric(in).q;
    if (x.size() > 1000 && policy == kFull) {  // a constant has every symmetry
      expect.that(distinct(got) * 3 >= std::size_t{1} << num_bits, "few distinct codes");
    }
    expect.equal("q of 2^20 x", asymmetric({times(x, 0x1p20f), num_bits, policy}).q, got);
    expect.equal("q of x reversed", asymmetric({Reals(x.rbegin(), x.rend()), num_bits, policy}).q,
                 Codes(got.rbegin(), got.rend()));
  });
}

TEST(dequantize_asymmetric, EqualsTheReference) {
  dequantizing.agrees_with(dequantizing.reference, given_tensors(hidden_seed, kLongest));
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
