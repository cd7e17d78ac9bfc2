// Lab 04: the checks.
#include "asymmetric.hpp"

#include "checks/marks/04_asymmetric.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr ZeroPolicy kInclude = ZeroPolicy::kIncludeZero;
constexpr ZeroPolicy kFull = ZeroPolicy::kFullRange;

using Codes = std::vector<std::uint8_t>;

std::string show_policy(ZeroPolicy policy) {
  return policy == kInclude ? "kIncludeZero" : "kFullRange";
}

std::string show_input(const std::vector<float>& x, int num_bits, ZeroPolicy policy) {
  return "x = " + show_values(x) + ", num_bits = " + std::to_string(num_bits) + ", " +
         show_policy(policy);
}

std::string show(AsymmetricParameters p) {
  return "scale " + show_value(p.scale) + " and zero_point " + show_value(p.zero_point);
}

std::vector<float> by_definition(const AsymmetricTensor& t) {
  std::vector<float> real;
  for (const int q : t.q) real.push_back(t.scale * static_cast<float>(q - t.zero_point));
  return real;
}

// --- asymmetric_parameters ----------------------------------------------------------------------
//
// Wherever values were worked out by hand, scales are powers of two (but for the story of ten to
// eleven and a half), so floats are compared exactly and ties are ties for everyone.

struct ParametersCase {
  std::string name;
  int num_bits;
  ZeroPolicy policy;
  std::vector<float> x;
  float scale;
  std::int32_t zero_point;
};

std::string show(const ParametersCase& c) { return show_input(c.x, c.num_bits, c.policy); }

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

std::vector<Suspicion> suspicions(const ParametersCase& c) {
  const auto [min, max] = std::minmax_element(c.x.begin(), c.x.end());
  const double lo = *min, hi = *max, lo0 = std::min(lo, 0.0), hi0 = std::max(hi, 0.0);
  const double low = c.policy == kInclude ? lo0 : lo, high = c.policy == kInclude ? hi0 : hi;
  const double steps = unsigned_range(c.num_bits).qmax;
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
std::vector<float> there_and_back(const std::vector<float>& x, AsymmetricParameters p,
                                  int num_bits) {
  std::vector<float> real;
  for (const float value : x) {
    const float code = std::nearbyint(value / p.scale) + static_cast<float>(p.zero_point);
    const float qmax = static_cast<float>(unsigned_range(num_bits).qmax);
    real.push_back(p.scale * (std::clamp(code, 0.0f, qmax) - static_cast<float>(p.zero_point)));
  }
  return real;
}

/// Says what `got` looks like, if it is what a known mistake answers.
void name_the_mistake(const ParametersCase& c, AsymmetricParameters got, Expect& expect) {
  if (c.x.empty()) return;
  for (const Suspicion& s : suspicions(c)) {
    const AsymmetricParameters theirs = answer_of(s, c.num_bits);
    if (!is_near(got.scale, theirs.scale, one_ulp()) || got.zero_point != theirs.zero_point) {
      continue;
    }
    expect.that(false,
                std::string(s.words) + ": " + show(got) + " instead of " +
                    show(AsymmetricParameters{c.scale, c.zero_point}) + " bring x back as " +
                    show_values(there_and_back(c.x, got, c.num_bits)),
                s.code);
    return;
  }
}

void has_parameters(const ParametersCase& c, Expect& expect) {
  const AsymmetricParameters got = call<&asymmetric_parameters>(c.x, c.num_bits, c.policy);
  const bool right = is_near(got.scale, c.scale, one_ulp()) && got.zero_point == c.zero_point;
  if (!right) name_the_mistake(c, got, expect);
  expect.near("scale", got.scale, c.scale, one_ulp());
  expect.equal("zero_point", got.zero_point, c.zero_point);
}

// 0 lies inside all of these, so both policies say the same.
TEST(asymmetric_parameters, SpreadsTheCodes) {
  each_case<ParametersCase>({{"FourBits", 4, kInclude, {3, -5, 10}, 1.0f, 5},
                             {"EightBits", 8, kInclude, {191, 7, -64}, 1.0f, 64},
                             {"TwoBits", 2, kInclude, {-2, 4, 1}, 2.0f, 1},
                             {"FullRange", 8, kFull, {191, 7, -64}, 1.0f, 64},
                             {"FromZero", 8, kInclude, {0, 63.75f, 1}, 0.25f, 0},
                             {"UpToZero", 8, kInclude, {-63.75f, -1, 0}, 0.25f, 255},
                             {"BetweenCodes", 4, kInclude, {-5.75f, 9.25f}, 1.0f, 6},
                             {"CloserToTheUpper", 4, kInclude, {-5.25f, 9.75f}, 1.0f, 5},
                             {"EvenTie", 4, kInclude, {-4.5f, 10.5f}, 1.0f, 4},
                             {"OddTie", 4, kInclude, {-11, 19}, 2.0f, 6}},
                            has_parameters);
}

// The textbook clamps the zero point and leaves the range as it is. Then ten, ten and a half,
// eleven and eleven and a half come back as 1.5, four times.
TEST(asymmetric_parameters, WidensTheRangeToZero) {
  each_case<ParametersCase>(
      {{"TenToElevenAndAHalf", 8, kInclude, {10, 10.5f, 11, 11.5f}, 11.5f / 255, 0},
       {"AllPositive", 8, kInclude, {255, 127.5f}, 1.0f, 0},
       {"AllNegative", 4, kInclude, {-7.5f, -30}, 2.0f, 15},
       {"FarFromZero", 2, kInclude, {3 * 0x1p20f, 2.75f * 0x1p20f}, 0x1p20f, 0},
       {"OneValue", 8, kInclude, {-127.5f}, 0.5f, 255}},
      has_parameters);
}

TEST(asymmetric_parameters, FullRangeKeepsTheFineStep) {
  each_case<ParametersCase>(
      {{"TenToElevenAndAHalf", 8, kFull, {10, 10.5f, 11, 11.5f}, 1.5f / 255, -1700},
       {"AllPositive", 8, kFull, {1255, 1000}, 1.0f, -1000},
       {"AllNegative", 4, kFull, {-15, -30}, 1.0f, 30},
       {"JustOutside", 4, kFull, {1, 16}, 1.0f, -1},
       {"TwoBits", 2, kFull, {-10.5f, -9}, 0.5f, 21},
       {"FarFromZero", 8, kFull, {0x1p20f, 0x1p20f + 255}, 1.0f, -(1 << 20)}},
      has_parameters);
}

struct RandomCase {
  std::string name;
  int num_bits;
  ZeroPolicy policy;
  std::vector<float> x;
};

std::string show(const RandomCase& c) { return show_input(c.x, c.num_bits, c.policy); }

std::vector<RandomCase> smaller(const RandomCase& c) {
  std::vector<RandomCase> all;
  for (std::vector<float>& x : smaller_lists(c.x)) {
    all.push_back({std::to_string(x.size()) + " values", c.num_bits, c.policy, std::move(x)});
  }
  return all;
}

/// The range that the policy asks for, as the contract defines it.
struct Range {
  float lo, hi;
  float amax() const { return std::max(std::fabs(lo), std::fabs(hi)); }
  float scale(int num_bits) const {
    const double steps = unsigned_range(num_bits).qmax;
    const auto step = static_cast<float>((static_cast<double>(hi) - lo) / steps);
    return amax() == 0 ? 1.0f : std::max({step, FLT_MIN, amax() * 0x1p-24f});
  }
  int reach(int num_bits) const {  // the most steps from 0
    return static_cast<int>(amax() / scale(num_bits)) + 1;
  }
};

Range range_of(const RandomCase& c) {
  const auto [lo, hi] = std::minmax_element(c.x.begin(), c.x.end());
  const bool widen = c.policy == kInclude || *lo == *hi;
  return {widen ? std::min(*lo, 0.0f) : *lo, widen ? std::max(*hi, 0.0f) : *hi};
}

// Around 0, all above it and all below it.
RandomCase random_case(std::size_t count, int num_bits, ZeroPolicy policy, float middle,
                       std::uint64_t seed) {
  RandomCase c{std::to_string(count) + "x" + std::to_string(num_bits) + "bits around " +
                   show_value(middle) + " " + show_policy(policy),
               num_bits, policy, normal_tensor(count, seed, /*stddev=*/0.02f)};
  for (float& value : c.x) value += middle;
  // A zero point on a tie could honestly be either: other data.
  const Range range = range_of(c);
  if (!is_near_tie(range.lo, range.scale(num_bits))) return c;
  return random_case(count, num_bits, policy, middle, seed + 1);
}

// One value; one less than, as many as and one more than 32 bytes of codes; and a large prime.
std::vector<RandomCase> every_width_and_length(std::uint64_t (*seed_of)(std::uint64_t),
                                               std::size_t largest) {
  std::vector<RandomCase> cases;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, largest}) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      for (const ZeroPolicy policy : {kInclude, kFull}) {
        for (const float middle : {0.0f, 0.5f, -0.25f}) {
          if (count == largest && num_bits % 2 == 1 && middle != 0.0f) continue;  // time
          cases.push_back(random_case(
              count, num_bits, policy, middle,
              seed_of(count * 100 + static_cast<std::size_t>(num_bits) * 8 + cases.size() % 6)));
          std::ranges::replace(cases.back().x, 0.0f, 0x1p-30f);  // 0 itself has a check of its own
        }
      }
    }
  }
  return cases;
}

TEST(asymmetric_parameters, CoversTheData) {
  each_case(every_width_and_length(seed, 1021), [](const RandomCase& c, Expect& expect) {
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const auto [qmin, qmax] = unsigned_range(c.num_bits);
    const Range range = range_of(c);
    const Tolerance half_a_step =
        round_trip_tolerance(range.scale(c.num_bits), range.reach(c.num_bits));
    const AsymmetricParameters got = call<&asymmetric_parameters>(c.x, c.num_bits, c.policy);
    if (c.policy == kInclude) {
      expect.that(qmin <= got.zero_point && got.zero_point <= qmax,
                  "real 0 has no code: zero_point = " + show_value(got.zero_point), "N-ZERO");
    }
    const auto real = [&](int q) { return got.scale * static_cast<double>(q - got.zero_point); };
    expect.near("what code 0 stands for", real(qmin), range.lo, half_a_step);
    expect.near("what code qmax stands for", real(qmax), range.hi, half_a_step);
  });
}

TEST(asymmetric_parameters, ScaleIsNeverZero) {
  each_case<ParametersCase>({{"AllZero", 8, kInclude, {0, -0.0f, 0}, 1.0f, 0},
                             {"AllZeroFullRange", 8, kFull, {0, -0.0f, 0}, 1.0f, 0},
                             {"Empty", 8, kInclude, {}, 1.0f, 0},
                             {"EmptyFullRange", 4, kFull, {}, 1.0f, 0},
                             {"Tiny", 8, kInclude, {-2 * FLT_MIN, 3 * FLT_MIN}, FLT_MIN, 2},
                             {"TinyFullRange", 8, kFull, {2 * FLT_MIN, 5 * FLT_MIN}, FLT_MIN, -2},
                             {"Subnormal", 8, kInclude, {0, FLT_TRUE_MIN}, FLT_MIN, 0}},
                            [](const ParametersCase& c, Expect& expect) {
                              const AsymmetricParameters got =
                                  call<&asymmetric_parameters>(c.x, c.num_bits, c.policy);
                              expect.equal("scale", got.scale, c.scale);
                              expect.equal("zero_point", got.zero_point, c.zero_point);
                            });
}

TEST(asymmetric_parameters, ConstantsIncludeZero) {
  each_case<ParametersCase>({{"Positive", 8, kFull, {255, 255, 255}, 1.0f, 0},
                             {"Negative", 4, kFull, {-7.5f, -7.5f}, 0.5f, 15},
                             {"OneValue", 8, kFull, {63.75f}, 0.25f, 0},
                             {"Ten", 8, kFull, {10, 10, 10, 10}, 10.0f / 255, 0}},
                            [](const ParametersCase& c, Expect& expect) {
                              const AsymmetricParameters got =
                                  call<&asymmetric_parameters>(c.x, c.num_bits, c.policy);
                              expect.near("scale", got.scale, c.scale, one_ulp());
                              expect.equal("zero_point", got.zero_point, c.zero_point);
                            });
}

// Ranges wider than FLT_MAX, and ranges of a few float32 steps far from 0, where lo / scale would
// be more than an int32 holds.
TEST(asymmetric_parameters, HugeAndNarrowRanges) {
  each_case<ParametersCase>(
      {{"HugeFourBits", 4, kInclude, {-7.25f * 0x1p125f, 7.75f * 0x1p125f}, 0x1p125f, 7},
       {"HugeEightBits", 8, kFull, {127.75f * 0x1p121f, -127.25f * 0x1p121f}, 0x1p121f, 127},
       {"NarrowAboveZero", 8, kFull, {2, 2 - 0x1p-20f}, 0x1p-23f, 8 - (1 << 24)},
       {"NarrowBelowZero", 8, kFull, {-2, 0x1p-20f - 2}, 0x1p-23f, 1 << 24},
       {"NeighboursFourBits", 4, kFull, {-1, 0x1p-24f - 1}, 0x1p-24f, 1 << 24}},
      [](const ParametersCase& c, Expect& expect) {
        const AsymmetricParameters got = call<&asymmetric_parameters>(c.x, c.num_bits, c.policy);
        expect.near("scale", got.scale, c.scale, one_ulp());
        expect.equal("zero_point", got.zero_point, c.zero_point);
      });
}

/// Refusing counts only where accepting works: every check of it has looked at an answer before.
template <auto F>
void refuses_without_a_range(Expect& expect) {
  const auto refused = [&](const std::vector<float>& x, int num_bits, ZeroPolicy policy,
                           const char* code) {
    expect.that(refuses<F>(x, num_bits, policy), "accepted " + show_input(x, num_bits, policy),
                code);
  };
  refused({1, kNan, 2}, 8, kInclude, "N-NAN");
  refused({kNan}, 8, kFull, "N-NAN");
  refused({1, 2, -kInfinity}, 8, kFull, "N-NAN");
  refused({kInfinity, 2}, 8, kInclude, "N-NAN");
  refused({1, 2}, 1, kInclude, "N-RANGE");
  refused({1, 2}, 9, kFull, "N-RANGE");
  refused({}, 0, kInclude, "N-RANGE");
}

TEST(asymmetric_parameters, RefusesWhatHasNoRange) {
  once([](Expect& expect) {
    const std::vector<float> x{-1, 2};
    for (const int num_bits : {2, 8}) {
      const auto want = static_cast<float>(3.0 / unsigned_range(num_bits).qmax);
      expect.near("scale", call<&asymmetric_parameters>(x, num_bits, kInclude).scale, want,
                  one_ulp());
    }
    refuses_without_a_range<&asymmetric_parameters>(expect);
  });
}

// --- quantize_with_parameters -------------------------------------------------------------------

struct CodesCase {
  std::string name;
  int num_bits;
  AsymmetricParameters p;
  std::vector<float> x;
  Codes q;
};

std::string show(const CodesCase& c) {
  return "x = " + show_values(c.x) + ", " + show(c.p) +
         ", num_bits = " + std::to_string(c.num_bits);
}

/// The codes that `to_code(x / scale)` would give, for what a known mistake answers.
template <class ToCode>
std::vector<double> codes_by(const std::vector<float>& x, float scale, ToCode to_code) {
  std::vector<double> q;
  for (const float value : x) q.push_back(to_code(static_cast<double>(value / scale)));
  return q;
}

double wrapped(double code) {
  return static_cast<std::uint8_t>(static_cast<std::int64_t>(std::clamp(code, -0x1p60, 0x1p60)));
}

/// A last element that was forgotten, or left at 0.
void suspect_lost_tail(Expect& expect, Codes q) {
  if (q.empty()) return;
  q.back() = 0;
  expect.suspect("N-TAIL", "q", q);
  q.pop_back();
  expect.suspect("N-TAIL", "q", q);
}

/// The usual wrong ways from x to q. `as` turns codes into what is compared.
template <class As>
void suspect_codes(Expect& expect, std::string_view what, const std::vector<float>& x,
                   AsymmetricParameters p, int num_bits, As as) {
  const double zp = p.zero_point, qmax = unsigned_range(num_bits).qmax;
  const auto grid = [=](double code) { return std::clamp(code, 0.0, qmax); };
  const auto suspect = [&](const char* code, const auto& to_code) {
    expect.suspect(code, what, as(codes_by(x, p.scale, to_code)));
  };
  suspect("N-TRUNC", [&](double steps) { return grid(std::trunc(steps) + zp); });
  suspect("N-TRUNC", [&](double steps) { return grid(std::floor(steps) + zp); });
  suspect("N-TRUNC", [&](double steps) { return grid(std::trunc(steps + zp)); });
  suspect("N-ROUND", [&](double steps) { return grid(std::round(steps) + zp); });
  suspect("N-ROUND", [&](double steps) { return grid(std::floor(steps + 0.5) + zp); });
  suspect("N-ROUND", [&](double steps) { return grid(to_even(steps + zp)); });
  suspect("N-ROUND", [&](double steps) { return grid(std::round(steps + zp)); });
  suspect("N-ZP-SIGN", [&](double steps) { return grid(to_even(steps) - zp); });
  suspect("N-ZERO", [&](double steps) { return grid(to_even(steps)); });
  suspect("N-CLAMP", [&](double steps) { return wrapped(to_even(steps) + zp); });
  suspect("N-CLAMP", [&](double steps) { return wrapped(grid(to_even(steps)) + zp); });
  suspect("N-RANGE", [&](double steps) { return std::clamp(to_even(steps) + zp, 0.0, 255.0); });
  suspect("N-SIGN", [&](double steps) {
    const double half = (qmax + 1) / 2;
    return wrapped(std::clamp(to_even(steps) + zp, -half, half - 1));
  });
}

/// Codes counted from lo itself, not from real 0: the grid is shifted by part of a step.
std::vector<double> codes_from_lo(const std::vector<float>& x, float scale, float lo,
                                  int num_bits) {
  const double qmax = unsigned_range(num_bits).qmax;
  return codes_by(x, scale, [=](double steps) {
    return std::clamp(to_even(steps - static_cast<double>(lo / scale)), 0.0, qmax);
  });
}

void has_codes(const CodesCase& c, Expect& expect) {
  suspect_codes(expect, "q", c.x, c.p, c.num_bits, [](const auto& q) { return q; });
  suspect_lost_tail(expect, c.q);
  expect.equal("q", call<&quantize_with_parameters>(c.x, c.p, c.num_bits), c.q);
}

// zero_point is 0 or even here, and what is wrong with it shows in the next check.
TEST(quantize_with_parameters, RoundsToNearest) {
  each_case<CodesCase>({{"Whole", 8, {1, 0}, {1, 0, 200, 9}, {1, 0, 200, 9}},
                        {"Empty", 8, {1, 0}, {}, {}},
                        {"SmallScale", 8, {0.25f, 0}, {1, 2.5f, 50, 20}, {4, 10, 200, 80}},
                        {"LargeScale", 4, {16, 0}, {48, 80, 0, 112}, {3, 5, 0, 7}},
                        {"UpAndDown", 8, {1, 0}, {1.75f, 1.25f, 0.75f, 9}, {2, 1, 1, 9}},
                        {"BelowZero", 8, {1, 100}, {-1.75f, -1.25f, 9}, {98, 99, 109}}},
                       has_codes);
}

constexpr std::int32_t kFar = kLargestZeroPoint;

TEST(quantize_with_parameters, AddsTheZeroPoint) {
  each_case<CodesCase>(
      {{"Inside", 8, {0.5f, 100}, {-50, 0, 1, 60}, {0, 100, 102, 220}},
       {"FourBits", 4, {2, 7}, {-14, 0, 16, 2}, {0, 7, 15, 8}},
       {"BelowTheCodes", 8, {1, -1000}, {1000, 1010, 1255, 1001}, {0, 10, 255, 1}},
       {"AboveTheCodes", 4, {1, 30}, {-30, -20, -15, -29}, {0, 10, 15, 1}},
       {"AsFarAsItGoes", 8, {1, kFar}, {-16777216, -16777215, -16777211}, {0, 1, 5}},
       {"AsFarTheOtherWay", 8, {0.5f, -kFar}, {8388608, 8388609, 8388612}, {0, 2, 8}}},
      has_codes);
}

/// k half steps, rounded as the contract says, in integers: of the two neighbours, the even one.
int half_steps_to_even(int k) {
  const int below = (k - (k & 1)) / 2;
  return (k & 1) == 0 || below % 2 == 0 ? below : below + 1;
}

/// Half of its values are ties. Random data has none: in 65,536 values, not one.
CodesCase half_steps(std::string name, std::size_t count, float scale, std::int32_t zero_point,
                     std::uint64_t salt) {
  CodesCase c{std::move(name), 8, {scale, zero_point}, {}, {}};
  for (const int k : code_tensor<std::int16_t>(count, salt, -140, 140)) {
    c.x.push_back(scale * 0.5f * static_cast<float>(k));
    c.q.push_back(static_cast<std::uint8_t>(half_steps_to_even(k) + zero_point));
  }
  return c;
}

// Odd zero points: with an even one, rounding before and after the sum is the same.
TEST(quantize_with_parameters, TiesGoToEven) {
  each_case<CodesCase>({{"AboveZero", 8, {1, 0}, {0.5f, 1.5f, 2.5f, 9}, {0, 2, 2, 9}},
                        {"BelowZero", 8, {1, 10}, {-0.5f, -1.5f, -2.5f, 9}, {10, 8, 8, 19}},
                        {"OddZeroPoint", 8, {2, 7}, {1, 3, -1, -3, 4}, {7, 9, 7, 5, 9}},
                        {"FourBits", 4, {1, 3}, {0.5f, 1.5f, -0.5f, 4}, {3, 5, 3, 7}},
                        half_steps("33", 33, 0.125f, 127, seed(33)),
                        half_steps("1021", 1021, 4.0f, 101, seed(1021))},
                       has_codes);
}

TEST(quantize_with_parameters, StaysOnTheGrid) {
  each_case<CodesCase>(
      {{"EightBits", 8, {1, 0}, {255, 256, 300, -1, -129, 5}, {255, 255, 255, 0, 0, 5}},
       {"FourBits", 4, {0.5f, 8}, {3.5f, 4, 200, -4, -200, 1}, {15, 15, 15, 0, 0, 10}},
       {"TwoBits", 2, {1, 1}, {1, 2, 3, -1, -2, 1}, {2, 3, 3, 0, 0, 2}},
       {"ZeroPointInside", 8, {1, 128}, {-128, -129, 127, 128, 3}, {0, 0, 255, 255, 131}},
       {"FarOutside", 8, {1, 9}, {1e9f, -1e9f, 1e19f, -1e19f, 1}, {255, 0, 255, 0, 10}},
       {"FarZeroPoint", 8, {1, kFar}, {3e9f, -3e9f, 0, -16777215}, {255, 0, 255, 1}},
       {"Overflowing", 8, {0x1p-100f, 9}, {FLT_MAX, -FLT_MAX, 0x1p-100f}, {255, 0, 10}}},
      has_codes);
}

TEST(quantize_with_parameters, TakesNanAndInfinity) {
  each_case<CodesCase>(
      {{"Nan", 8, {1, 77}, {1, kNan, -kNan, 2}, {78, 77, 77, 79}},
       {"NanBelowTheCodes", 8, {1, -1000}, {kNan, 1001}, {0, 1}},
       {"NanAboveTheCodes", 4, {1, 30}, {kNan, -29}, {15, 1}},
       {"Infinity", 8, {0.5f, 77}, {1, kInfinity, -kInfinity, 2}, {79, 255, 0, 81}},
       {"FourBits", 4, {0.5f, 3}, {kNan, kInfinity, -kInfinity, 2}, {3, 15, 0, 7}}},
      [](const CodesCase& c, Expect& expect) {
        expect.that(!refuses<&quantize_with_parameters>(c.x, c.p, c.num_bits),
                    "refused x, but only the parameters and the width have rules", "N-NAN");
        expect.equal("q", call<&quantize_with_parameters>(c.x, c.p, c.num_bits), c.q);
      });
}

constexpr AsymmetricParameters kUnusable[] = {{0.0f, 0},        {-0.5f, 0},       {kNan, 0},
                                              {kInfinity, 0},   {FLT_MIN / 2, 0}, {1.0f, kFar + 1},
                                              {1.0f, -kFar - 1}};

TEST(quantize_with_parameters, RefusesUnusableParameters) {
  once([](Expect& expect) {
    const std::vector<float> x{4 * FLT_MIN, 1000 * FLT_MIN};
    for (const int num_bits : {2, 8}) {
      const int qmax = unsigned_range(num_bits).qmax;
      const Codes want{static_cast<std::uint8_t>(std::min(5, qmax)),
                       static_cast<std::uint8_t>(qmax)};
      expect.equal("q",
                   call<&quantize_with_parameters>(x, AsymmetricParameters{FLT_MIN, 1}, num_bits),
                   want);
    }
    for (const AsymmetricParameters p : kUnusable) {
      expect.that(refuses<&quantize_with_parameters>(x, p, 8), "accepted " + show(p),
                  std::abs(p.zero_point) > kFar ? "N-OVERFLOW" : "N-DIV0");
    }
    for (const int num_bits : {1, 9}) {
      expect.that(refuses<&quantize_with_parameters>(x, AsymmetricParameters{1, 0}, num_bits),
                  "accepted num_bits = " + std::to_string(num_bits), "N-RANGE");
    }
  });
}

// --- quantize_asymmetric ------------------------------------------------------------------------

struct HandCase {
  std::string name;
  int num_bits;
  ZeroPolicy policy;
  std::vector<float> x;
  AsymmetricParameters p;
  Codes q;
};

std::string show(const HandCase& c) { return show_input(c.x, c.num_bits, c.policy); }

// No x is 0 here: what becomes of 0 is a check of its own.
TEST(quantize_asymmetric, FollowsTheFormula) {
  each_case<HandCase>(
      {{"AroundZero", 4, kInclude, {3, -5, 10}, {1, 5}, {8, 0, 15}},
       {"EightBits", 8, kInclude, {191, 7, -64}, {1, 64}, {255, 71, 0}},
       {"TenToElevenAndAHalf",
        8,
        kInclude,
        {10, 10.5f, 11, 11.5f},
        {11.5f / 255, 0},
        {222, 233, 244, 255}},
       {"TenFullRange", 8, kFull, {10, 10.5f, 11, 11.5f}, {1.5f / 255, -1700}, {0, 85, 170, 255}},
       {"AllNegative", 4, kFull, {-15, -30, -19}, {1, 30}, {15, 0, 11}},
       {"Fractions", 8, kInclude, {1.75f, -5.25f, 249.75f, -1.75f}, {1, 5}, {7, 0, 255, 3}},
       {"Ties", 8, kInclude, {-5, 0.5f, 1.5f, -2.5f, 250}, {1, 5}, {0, 5, 7, 3, 255}},
       {"Constant", 8, kFull, {-63.75f, -63.75f}, {0.25f, 255}, {0, 0}},
       {"Empty", 8, kInclude, {}, {1, 0}, {}},
       {"Tiny", 8, kInclude, {3 * FLT_MIN, -FLT_MIN}, {FLT_MIN, 1}, {4, 0}}},
      [](const HandCase& c, Expect& expect) {
        const AsymmetricTensor got = call<&quantize_asymmetric>(c.x, c.num_bits, c.policy);
        const ParametersCase parameters{c.name, c.num_bits, c.policy,
                                        c.x,    c.p.scale,  c.p.zero_point};
        if (got.zero_point != c.p.zero_point || !is_near(got.scale, c.p.scale, one_ulp())) {
          name_the_mistake(parameters, {got.scale, got.zero_point}, expect);
        }
        expect.near("scale", got.scale, c.p.scale, one_ulp());
        expect.equal("zero_point", got.zero_point, c.p.zero_point);
        suspect_codes(expect, "q", c.x, c.p, c.num_bits, [](const auto& q) { return q; });
        if (!c.x.empty()) {
          const float lo = *std::min_element(c.x.begin(), c.x.end());
          expect.suspect("N-ZERO", "q", codes_from_lo(c.x, c.p.scale, lo, c.num_bits));
        }
        suspect_lost_tail(expect, c.q);
        expect.equal("q", got.q, c.q);
      });
}

TEST(quantize_asymmetric, EveryValueWithinHalfAStep) {
  each_case(every_width_and_length(seed, 4099), [](const RandomCase& c, Expect& expect) {
    const AsymmetricTensor got = call<&quantize_asymmetric>(c.x, c.num_bits, c.policy);
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const Range range = range_of(c);
    const float scale = range.scale(c.num_bits);
    const auto zp = -static_cast<std::int32_t>(std::nearbyint(range.lo / scale));
    const auto real = [&](const std::vector<double>& codes) {
      return by_definition({Codes(codes.begin(), codes.end()), scale, zp});
    };
    suspect_codes(expect, "real values", c.x, {scale, zp}, c.num_bits, real);
    expect.suspect("N-ZERO", "real values", real(codes_from_lo(c.x, scale, range.lo, c.num_bits)));
    expect.near("real values", by_definition(got), c.x,
                round_trip_tolerance(scale, range.reach(c.num_bits)));
  });
}

TEST(quantize_asymmetric, RealZeroIsExact) {
  each_case(every_width_and_length(seed, 1021), [](const RandomCase& c, Expect& expect) {
    RandomCase with_zeros = c;
    for (std::size_t i = 1; i < c.x.size(); i += 2) with_zeros.x[i] = i % 4 == 1 ? 0.0f : -0.0f;
    const AsymmetricTensor got = call<&quantize_asymmetric>(with_zeros.x, c.num_bits, kInclude);
    const int qmax = unsigned_range(c.num_bits).qmax;
    expect.that(0 <= got.zero_point && got.zero_point <= qmax,
                "real 0 has no code: zero_point = " + show_value(got.zero_point));
    const std::vector<float> real = by_definition(got);
    expect.every("real values", real, with_zeros.x,
                 [&](std::size_t i) { return with_zeros.x[i] != 0.0f || real[i] == 0.0f; });
  });
}

TEST(quantize_asymmetric, RefusesWhatHasNoRange) {
  once([](Expect& expect) {
    for (const int num_bits : {2, 8}) {
      const AsymmetricTensor got =
          call<&quantize_asymmetric>(std::vector<float>{-1, 2}, num_bits, kInclude);
      expect.equal("the largest code", got.q.empty() ? 0 : got.q.back(),
                   unsigned_range(num_bits).qmax);
    }
    refuses_without_a_range<&quantize_asymmetric>(expect);
  });
}

// --- dequantize_asymmetric ----------------------------------------------------------------------

struct RealCase {
  std::string name;
  Codes q;
  AsymmetricParameters p;
  std::vector<float> real;
};

std::string show(const RealCase& c) { return "q = " + show_values(c.q) + ", " + show(c.p); }

std::vector<RealCase> smaller(const RealCase& c) {
  std::vector<RealCase> all;
  for (Codes& q : smaller_lists(c.q)) {
    all.push_back({std::to_string(q.size()) + " codes", std::move(q), c.p, {}});
    all.back().real = by_definition({all.back().q, c.p.scale, c.p.zero_point});
  }
  return all;
}

void has_real(const RealCase& c, Expect& expect) {
  const auto suspect = [&](const char* code, const auto& steps) {
    std::vector<float> real;
    for (const int q : c.q) real.push_back(c.p.scale * static_cast<float>(steps(q)));
    expect.suspect(code, "real", real);
  };
  const std::int32_t zp = c.p.zero_point;
  suspect("N-ZP-SIGN", [&](int q) { return q + zp; });
  suspect("N-ZP-SIGN", [&](int q) { return zp - q; });
  suspect("N-ZERO", [&](int q) { return q; });
  suspect("N-SIGN", [&](int q) { return static_cast<std::int8_t>(q) - zp; });
  suspect("N-OVERFLOW", [&](int q) { return static_cast<std::uint8_t>(q - zp); });
  suspect("N-OVERFLOW", [&](int q) { return static_cast<std::int8_t>(q - zp); });
  suspect("N-OVERFLOW", [&](int q) { return std::max(q - zp, 0); });
  std::vector<float> two_products;
  for (const int q : c.q) {
    const float high = c.p.scale * static_cast<float>(q);
    two_products.push_back(high - c.p.scale * static_cast<float>(zp));
  }
  expect.suspect("N-CANCEL", "real", two_products);
  const AsymmetricTensor tensor{c.q, c.p.scale, c.p.zero_point};
  expect.equal("real", call<&dequantize_asymmetric>(tensor), c.real);
}

// Codes below the zero point are in all of them: a difference in uint8 wraps around there.
TEST(dequantize_asymmetric, SubtractsTheZeroPoint) {
  each_case<RealCase>(
      {{"Quarters", {0, 9, 10, 255, 12}, {0.25f, 10}, {-2.5f, -0.25f, 0, 61.25f, 0.5f}},
       {"LargeScale", {0, 130, 128, 255}, {8, 128}, {-1024, 16, 0, 1016}},
       {"BelowTheCodes", {0, 1, 200}, {0.5f, -1000}, {500, 500.5f, 600}},
       {"AboveTheCodes", {0, 15}, {1, 30}, {-30, -15}},
       {"AsFarAsItGoes", {0, 1, 255}, {0.5f, kFar}, {-8388608, -8388607.5f, -8388480.5f}},
       {"Empty", {}, {0.25f, 3}, {}},
       {"Smallest", {0, 1, 5}, {FLT_MIN, 1}, {-FLT_MIN, 0, 4 * FLT_MIN}},
       {"Overflowing", {0, 1, 6, 3}, {0x1p126f, 2}, {-0x1p127f, -0x1p126f, kInfinity, 0x1p126f}}},
      has_real);
}

// Lengths as above; scales that are no power of two; zero points inside and outside the codes.
std::vector<RealCase> given_tensors(std::uint64_t (*seed_of)(std::uint64_t), std::size_t largest) {
  std::vector<RealCase> all;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, largest}) {
    for (const std::int32_t zero_point : {117, -1701, 3'000'001}) {
      const std::uint64_t salt = count * 4 + static_cast<std::uint64_t>(zero_point & 3);
      const float scale = uniform_tensor(1, seed_of(salt), 0.01f, 100.0f).front();
      RealCase c{std::to_string(count) + " with " + std::to_string(zero_point),
                 code_tensor<std::uint8_t>(count, seed_of(salt + 1'000'000), 0, 255),
                 {scale, zero_point},
                 {}};
      c.real = by_definition({c.q, scale, zero_point});
      all.push_back(std::move(c));
    }
  }
  return all;
}

TEST(dequantize_asymmetric, EveryCodeAndLength) {
  const std::vector<RealCase> cases = given_tensors(seed, 4099);
  Expect::healthy(distinct(cases.back().q) == 256, "a code is missing");
  each_case(cases, has_real);
}

TEST(dequantize_asymmetric, RefusesUnusableParameters) {
  once([](Expect& expect) {
    const Codes q{1, 3};
    expect.equal("real", call<&dequantize_asymmetric>(AsymmetricTensor{q, FLT_MIN, 2}),
                 std::vector<float>{-FLT_MIN, FLT_MIN});
    for (const AsymmetricParameters p : kUnusable) {
      expect.that(refuses<&dequantize_asymmetric>(AsymmetricTensor{q, p.scale, p.zero_point}),
                  "accepted " + show(p), std::abs(p.zero_point) > kFar ? "N-OVERFLOW" : "N-DIV0");
    }
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt. The longest input is longer than any public one.

constexpr std::size_t kLongest = 10'007;

std::vector<float> times(std::vector<float> x, float factor) {
  for (float& value : x) value *= factor;
  return x;
}

/// Codes agree, or differ by one where x / scale lies as good as on a tie.
void same_codes(Expect& expect, const Codes& got, const Codes& want, const std::vector<float>& x,
                float scale) {
  expect.every("q", got, want, [&](std::size_t i) {
    return got[i] == want[i] || (std::abs(got[i] - want[i]) == 1 && is_near_tie(x[i], scale));
  });
}

TEST(asymmetric_parameters, EqualsTheReference) {
  each_case(every_width_and_length(hidden_seed, kLongest), [](const RandomCase& c, Expect& expect) {
    for (const float factor : {1.0f, 0x1p60f, 0x1p-60f}) {
      const std::vector<float> x = times(c.x, factor);
      const AsymmetricParameters want = asymmetric_parameters(x, c.num_bits, c.policy);
      const AsymmetricParameters got = call<&asymmetric_parameters>(x, c.num_bits, c.policy);
      const bool right =
          is_near(got.scale, want.scale, one_ulp()) && got.zero_point == want.zero_point;
      if (!right) {
        name_the_mistake({c.name, c.num_bits, c.policy, x, want.scale, want.zero_point}, got,
                         expect);
      }
      expect.near("scale", got.scale, want.scale, one_ulp());
      expect.equal("zero_point", got.zero_point, want.zero_point);
    }
  });
}

TEST(quantize_with_parameters, EqualsTheReference) {
  each_case(every_width_and_length(hidden_seed, kLongest), [](const RandomCase& c, Expect& expect) {
    // The codes cover the middle three quarters of the range: some values lie outside.
    const Range range = range_of(c);
    const float scale = 0.75f * range.scale(c.num_bits), lowest = range.lo * 0.875f + range.hi / 8;
    const AsymmetricParameters p{scale, -static_cast<std::int32_t>(lowest / scale)};
    const Codes want = quantize_with_parameters(c.x, p, c.num_bits);
    if (c.x.size() == kLongest && c.policy == kFull) {  // few different codes would prove little
      Expect::healthy(distinct(want) * 2 >= std::size_t{1} << c.num_bits, "few distinct codes");
    }
    suspect_codes(expect, "q", c.x, p, c.num_bits, [](const auto& q) { return q; });
    same_codes(expect, call<&quantize_with_parameters>(c.x, p, c.num_bits), want, c.x, p.scale);
  });
}

TEST(quantize_asymmetric, EqualsTheReference) {
  each_case(every_width_and_length(hidden_seed, kLongest), [](const RandomCase& c, Expect& expect) {
    const AsymmetricTensor want = quantize_asymmetric(c.x, c.num_bits, c.policy);
    if (c.x.size() == kLongest && c.policy == kFull) {  // few different codes would prove little
      Expect::healthy(distinct(want.q) * 2 >= std::size_t{1} << c.num_bits, "few distinct codes");
    }
    const AsymmetricTensor got = call<&quantize_asymmetric>(c.x, c.num_bits, c.policy);
    expect.near("scale", got.scale, want.scale, one_ulp());
    expect.equal("zero_point", got.zero_point, want.zero_point);
    suspect_codes(expect, "q", c.x, {want.scale, want.zero_point}, c.num_bits,
                  [](const auto& q) { return q; });
    same_codes(expect, got.q, want.q, c.x, want.scale);
  });
}

TEST(quantize_asymmetric, KeepsItsSymmetries) {
  each_case(every_width_and_length(hidden_seed, 1021), [](const RandomCase& c, Expect& expect) {
    const AsymmetricTensor got = call<&quantize_asymmetric>(c.x, c.num_bits, c.policy);
    if (c.x.size() > 1000 && c.policy == kFull) {  // a constant has every symmetry
      expect.that(distinct(got.q) * 3 >= std::size_t{1} << c.num_bits, "few distinct codes");
    }
    expect.equal("q of 2^20 x",
                 call<&quantize_asymmetric>(times(c.x, 0x1p20f), c.num_bits, c.policy).q, got.q);
    const std::vector<float> reversed(c.x.rbegin(), c.x.rend());
    expect.equal("q of x reversed", call<&quantize_asymmetric>(reversed, c.num_bits, c.policy).q,
                 Codes(got.q.rbegin(), got.q.rend()));
  });
}

TEST(dequantize_asymmetric, EqualsTheReference) {
  each_case(given_tensors(hidden_seed, kLongest), [](const RealCase& c, Expect& expect) {
    const AsymmetricTensor tensor{c.q, c.p.scale, c.p.zero_point};
    expect.equal("real", call<&dequantize_asymmetric>(tensor), dequantize_asymmetric(tensor));
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
