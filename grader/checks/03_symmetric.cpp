// Lab 03: the checks.
#include "symmetric.hpp"

#include "checks/marks/03_symmetric.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// --- symmetric_scale ----------------------------------------------------------------------------
//
// Wherever values were worked out by hand, scales are powers of two, so floats are compared exactly
// and ties are ties for everyone.

struct ScaleCase {
  std::string name;
  int num_bits;
  std::vector<float> x;
  float scale;
};

std::string show(const ScaleCase& c) {
  return "x = " + show_values(c.x) + ", num_bits = " + std::to_string(c.num_bits);
}

void has_scale(const ScaleCase& c, Expect& expect) {
  const float steps = static_cast<float>(signed_range(c.num_bits).qmax);
  const std::span<const float> x = c.x;
  const std::size_t some = x.empty() ? 0 : 1;
  for (const auto part : {x.first(x.size() - some), x.last(x.size() - some)}) {
    const float scale = max_abs(part) / steps;
    if (scale >= FLT_MIN) expect.suspect("N-TAIL", "scale", scale);
  }
  expect.suspect("N-SCALE", "scale", 1 / c.scale);
  expect.equal("scale", call<&symmetric_scale>(c.x, c.num_bits), c.scale);
}

// The largest magnitude stands first, in the middle and last; above zero and below.
TEST(symmetric_scale, AmaxOverQmax) {
  each_case<ScaleCase>({{"Last", 8, {1, -1, 254}, 2.0f},
                        {"BelowZero", 8, {31, -63.5f, 2}, 0.5f},
                        {"First", 4, {14, -7, 3}, 2.0f},
                        {"AllBelowZero", 4, {-1, -1.75f, -0.5f}, 0.25f},
                        {"TwoBits", 2, {-4, 3, 2}, 4.0f},
                        {"OneValue", 3, {-24}, 8.0f},
                        {"Large", 8, {0, 0x1p120f * 127, 0}, 0x1p120f}},
                       has_scale);
}

TEST(symmetric_scale, ScaleIsNeverZero) {
  each_case<ScaleCase>({{"AllZero", 8, {0, -0.0f, 0}, 1.0f},
                        {"Empty", 8, {}, 1.0f},
                        {"Small", 8, {0, 127 * 0x1p-100f, 0}, 0x1p-100f},
                        {"BelowTheFloor", 8, {3 * FLT_MIN, -FLT_MIN, 0}, FLT_MIN},
                        {"Subnormal", 4, {0, FLT_TRUE_MIN}, FLT_MIN}},
                       has_scale);
}

/// Refusing counts only where accepting works: every check of it has looked at an answer before.
template <auto F>
void refuses_without_a_range(Expect& expect) {
  const auto refused = [&](const std::vector<float>& x, int num_bits, const char* code) {
    expect.that(refuses<F>(x, num_bits),
                "accepted x = " + show_values(x) + ", num_bits = " + std::to_string(num_bits),
                code);
  };
  refused({1, kNan, 2}, 8, "N-NAN");
  refused({kNan}, 8, "N-NAN");
  refused({1, 2, -kInfinity}, 8, "N-NAN");
  refused({kInfinity, 2}, 8, "N-NAN");
  refused({1, 2}, 1, "N-RANGE");
  refused({1, 2}, 9, "N-RANGE");
  refused({}, 0, "N-RANGE");
}

TEST(symmetric_scale, RefusesWhatHasNoRange) {
  once([](Expect& expect) {
    expect.equal("scale", call<&symmetric_scale>(std::vector<float>{2, -4}, 2), 4.0f);
    expect.equal("scale", call<&symmetric_scale>(std::vector<float>{2, -254}, 8), 2.0f);
    refuses_without_a_range<&symmetric_scale>(expect);
  });
}

// --- quantize_with_scale ------------------------------------------------------------------------

using Codes = std::vector<std::int8_t>;

/// The codes of x if it were rounded with `round`: what a known mistake would answer.
template <class Round>
Codes rounded_with(Round round, const std::vector<float>& x, float scale, IntRange range) {
  Codes q;
  for (const float value : x) {
    const auto steps = static_cast<double>(round(value / scale));
    q.push_back(static_cast<std::int8_t>(std::clamp<double>(steps, range.qmin, range.qmax)));
  }
  return q;
}

/// What the usual wrong roundings would make of x. `as` turns codes into what is compared.
template <class As>
void suspect_roundings(Expect& expect, std::string_view what, const std::vector<float>& x,
                       float scale, int num_bits, As as) {
  const IntRange range = signed_range(num_bits);
  const auto suspect = [&](const char* code, float (*round)(float)) {
    expect.suspect(code, what, as(rounded_with(round, x, scale, range)));
  };
  suspect("N-TRUNC", [](float steps) { return std::trunc(steps); });
  suspect("N-TRUNC", [](float steps) { return std::floor(steps); });
  suspect("N-ROUND", [](float steps) { return std::round(steps); });
  suspect("N-ROUND", [](float steps) { return std::floor(steps + 0.5f); });
}

/// A last element that was forgotten, or left at 0.
void suspect_lost_tail(Expect& expect, Codes q) {
  if (q.empty()) return;
  q.back() = 0;
  expect.suspect("N-TAIL", "q", q);
  q.pop_back();
  expect.suspect("N-TAIL", "q", q);
}

struct CodesCase {
  std::string name;
  int num_bits;
  float scale;
  std::vector<float> x;
  Codes q;
};

std::string show(const CodesCase& c) {
  return "x = " + show_values(c.x) + ", scale = " + show_value(c.scale) +
         ", num_bits = " + std::to_string(c.num_bits);
}

void has_codes(const CodesCase& c, Expect& expect) {
  suspect_roundings(expect, "q", c.x, c.scale, c.num_bits, [](const Codes& q) { return q; });
  const auto [qmin, qmax] = signed_range(c.num_bits);
  Codes wrapped, short_of_qmin, eight_bits;
  for (const float value : c.x) {
    const auto nearest =
        static_cast<std::int64_t>(std::clamp(std::nearbyint(value / c.scale), -0x1p40f, 0x1p40f));
    wrapped.push_back(static_cast<std::int8_t>(nearest));
    short_of_qmin.push_back(
        static_cast<std::int8_t>(std::clamp<std::int64_t>(nearest, -qmax, qmax)));
    eight_bits.push_back(static_cast<std::int8_t>(std::clamp<std::int64_t>(nearest, -128, 127)));
  }
  expect.suspect("N-CLAMP", "q", wrapped);
  expect.suspect("N-RANGE", "q", short_of_qmin);
  expect.suspect("N-RANGE", "q", eight_bits);
  suspect_lost_tail(expect, c.q);
  expect.equal("q", call<&quantize_with_scale>(c.x, c.scale, c.num_bits), c.q);
}

TEST(quantize_with_scale, RoundsToNearest) {
  each_case<CodesCase>({{"Whole", 8, 1.0f, {1, -1, 0, 100}, {1, -1, 0, 100}},
                        {"Empty", 8, 1.0f, {}, {}},
                        {"SmallScale", 8, 0.25f, {1, -2.5f, 0, 20}, {4, -10, 0, 80}},
                        {"LargeScale", 4, 16.0f, {48, -80, 0, 112}, {3, -5, 0, 7}},
                        {"UpAndDown", 8, 1.0f, {1.75f, 1.25f, 0.75f, 9}, {2, 1, 1, 9}},
                        {"BelowZero", 8, 1.0f, {-1.75f, -1.25f, -0.75f, 9}, {-2, -1, -1, 9}}},
                       has_codes);
}

/// k half steps, rounded as the contract says, in integers: of the two neighbours, the even one.
std::int8_t half_steps_to_even(int k) {
  const int below = (k - (k & 1)) / 2;
  return static_cast<std::int8_t>((k & 1) == 0 || below % 2 == 0 ? below : below + 1);
}

/// Half of its values are ties. Random data has none: in 65,536 values, not one.
CodesCase half_steps(std::string name, std::size_t count, float scale, std::uint64_t salt) {
  CodesCase c{std::move(name), 8, scale, {}, {}};
  for (const int k : code_tensor<std::int16_t>(count, salt, -253, 253)) {
    c.x.push_back(scale * 0.5f * static_cast<float>(k));
    c.q.push_back(half_steps_to_even(k));
  }
  return c;
}

TEST(quantize_with_scale, TiesGoToEven) {
  each_case<CodesCase>({{"AboveZero", 8, 1.0f, {0.5f, 1.5f, 2.5f, 9}, {0, 2, 2, 9}},
                        {"BelowZero", 8, 1.0f, {-0.5f, -1.5f, -2.5f, 9}, {0, -2, -2, 9}},
                        {"NearTheEnds", 4, 2.0f, {13, 11, -13, -15, 2}, {6, 6, -6, -8, 1}},
                        half_steps("33", 33, 0.125f, seed(33)),
                        half_steps("1021", 1021, 4.0f, seed(1021))},
                       has_codes);
}

TEST(quantize_with_scale, StaysOnTheGrid) {
  each_case<CodesCase>(
      {{"EightBits", 8, 1.0f, {127, 128, 300, -128, -129, 5}, {127, 127, 127, -128, -128, 5}},
       {"FourBits", 4, 0.5f, {3.5f, 4, 100, -4, -100, 1}, {7, 7, 7, -8, -8, 2}},
       {"TwoBits", 2, 1.0f, {1, 2, -1, -2, -3, 1}, {1, 1, -1, -2, -2, 1}},
       {"JustOutside", 8, 1.0f, {127.5f, -128.5f, 1}, {127, -128, 1}},
       {"FarOutside", 8, 1.0f, {1e9f, -1e9f, 1}, {127, -128, 1}},
       {"Overflowing", 8, 0x1p-100f, {FLT_MAX, -FLT_MAX, 0x1p-100f}, {127, -128, 1}}},
      has_codes);
}

TEST(quantize_with_scale, TakesNanAndInfinity) {
  each_case<CodesCase>(
      {{"Nan", 8, 1.0f, {1, kNan, -kNan, 2}, {1, 0, 0, 2}},
       {"Infinity", 8, 0.5f, {1, kInfinity, -kInfinity, 2}, {2, 127, -128, 4}},
       {"FourBits", 4, 0.5f, {kNan, kInfinity, -kInfinity, 2}, {0, 7, -8, 4}}},
      [](const CodesCase& c, Expect& expect) {
        expect.that(!refuses<&quantize_with_scale>(c.x, c.scale, c.num_bits),
                    "refused x, but only the scale and the width have rules", "N-NAN");
        expect.equal("q", call<&quantize_with_scale>(c.x, c.scale, c.num_bits), c.q);
      });
}

constexpr float kUnusableScales[] = {0.0f, -0.5f, kNan, kInfinity, FLT_MIN / 2};

TEST(quantize_with_scale, RefusesAnUnusableScale) {
  once([](Expect& expect) {
    const std::vector<float> x{4 * FLT_MIN, 1000 * FLT_MIN};
    for (const int num_bits : {2, 8}) {
      const auto qmax = static_cast<std::int8_t>(signed_range(num_bits).qmax);
      expect.equal("the last code", call<&quantize_with_scale>(x, FLT_MIN, num_bits),
                   Codes{std::min<std::int8_t>(4, qmax), qmax});
    }
    for (const float scale : kUnusableScales) {
      expect.that(refuses<&quantize_with_scale>(x, scale, 8),
                  "accepted scale = " + show_value(scale));
    }
    for (const int num_bits : {1, 9}) {
      expect.that(refuses<&quantize_with_scale>(x, 1.0f, num_bits),
                  "accepted num_bits = " + std::to_string(num_bits), "N-RANGE");
    }
  });
}

// --- quantize_symmetric -------------------------------------------------------------------------

struct HandCase {
  std::string name;
  int num_bits;
  std::vector<float> x;
  float scale;
  Codes q;
};

std::string show(const HandCase& c) {
  return "x = " + show_values(c.x) + ", num_bits = " + std::to_string(c.num_bits);
}

TEST(quantize_symmetric, FollowsTheFormula) {
  each_case<HandCase>({{"Whole", 8, {1, -1, 127, 0}, 1.0f, {1, -1, 127, 0}},
                       {"NegativeAmax", 8, {-63.5f, 31, 0}, 0.5f, {-127, 62, 0}},
                       {"OfTheReadme", 4, {0.125f, -0.875f, 0.4375f}, 0.125f, {1, -7, 4}},
                       {"TwoBits", 2, {-4, 4, 0}, 4.0f, {-1, 1, 0}},
                       {"Fractions", 8, {1.75f, -1.75f, 127, 0.25f}, 1.0f, {2, -2, 127, 0}},
                       {"Ties", 8, {0.5f, 1.5f, -2.5f, 127, 0}, 1.0f, {0, 2, -2, 127, 0}},
                       {"AllZero", 8, {0, -0.0f, 0}, 1.0f, {0, 0, 0}},
                       {"Empty", 8, {}, 1.0f, {}},
                       {"Tiny", 8, {3 * FLT_MIN, -FLT_MIN, 0}, FLT_MIN, {3, -1, 0}}},
                      [](const HandCase& c, Expect& expect) {
                        suspect_roundings(expect, "q", c.x, c.scale, c.num_bits,
                                          [](const Codes& q) { return q; });
                        const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
                        expect.suspect("N-SCALE", "scale", 1 / c.scale);
                        expect.equal("scale", got.scale, c.scale);
                        suspect_lost_tail(expect, c.q);
                        expect.equal("q", got.q, c.q);
                      });
}

std::vector<float> by_definition(const SymmetricTensor& t) {
  std::vector<float> real;
  for (const std::int8_t q : t.q) real.push_back(t.scale * static_cast<float>(q));
  return real;
}

struct RandomCase {
  std::string name;
  int num_bits;
  std::vector<float> x;
};

std::string show(const RandomCase& c) {
  return "x = " + show_values(c.x) + ", num_bits = " + std::to_string(c.num_bits);
}

std::vector<RandomCase> smaller(const RandomCase& c) {
  std::vector<RandomCase> all;
  for (std::vector<float>& x : smaller_lists(c.x)) {
    all.push_back({std::to_string(x.size()) + " values", c.num_bits, std::move(x)});
  }
  return all;
}

// One value; one less than, as many as and one more than 32 bytes of codes; and a large prime.
std::vector<RandomCase> every_width_and_length(std::uint64_t (*seed_of)(std::uint64_t),
                                               std::size_t largest = 4099) {
  std::vector<RandomCase> cases;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, largest}) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      cases.push_back({std::to_string(count) + "x" + std::to_string(num_bits) + "bits", num_bits,
                       normal_tensor(count, seed_of(count * 16 + num_bits), /*stddev=*/0.02f)});
    }
  }
  return cases;
}

TEST(quantize_symmetric, EveryValueWithinHalfAStep) {
  each_case(every_width_and_length(seed), [](const RandomCase& c, Expect& expect) {
    const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const int qmax = signed_range(c.num_bits).qmax;
    const float amax = max_abs(c.x), scale = amax > 0 ? amax / static_cast<float>(qmax) : 1.0f;
    suspect_roundings(expect, "scale * q", c.x, scale, c.num_bits, [&](const Codes& q) {
      return by_definition({q, scale});
    });
    expect.near("scale * q", by_definition(got), c.x, round_trip_tolerance(scale, qmax));
  });
}

TEST(quantize_symmetric, RefusesWhatHasNoRange) {
  once([](Expect& expect) {
    const auto accepted = [&](const std::vector<float>& x, int num_bits, float scale,
                              const Codes& q) {
      const SymmetricTensor got = call<&quantize_symmetric>(x, num_bits);
      expect.equal("scale", got.scale, scale);
      expect.equal("q", got.q, q);
    };
    accepted({2, -4}, 2, 4.0f, {0, -1});
    accepted({2, -254, 1e-30f}, 8, 2.0f, {1, -127, 0});
    refuses_without_a_range<&quantize_symmetric>(expect);
  });
}

// --- dequantize_symmetric -----------------------------------------------------------------------

struct RealCase {
  std::string name;
  Codes q;
  float scale;
  std::vector<float> real;
};

std::string show(const RealCase& c) {
  return "q = " + show_values(c.q) + ", scale = " + show_value(c.scale);
}

// -128 is legal in a tensor one is given.
TEST(dequantize_symmetric, MultipliesByTheScale) {
  each_case<RealCase>(
      {{"Quarters", {-128, -1, 0, 127, 2}, 0.25f, {-32, -0.25f, 0, 31.75f, 0.5f}},
       {"LargeScale", {-128, -1, 0, 127, 2}, 8.0f, {-1024, -8, 0, 1016, 16}},
       {"Empty", {}, 0.25f, {}},
       {"Smallest", {-1, 0, 4}, FLT_MIN, {-FLT_MIN, 0, 4 * FLT_MIN}},
       {"Overflowing", {-4, 1}, 0x1p126f, {-kInfinity, 0x1p126f}}},
      [](const RealCase& c, Expect& expect) {
        std::vector<float> as_unsigned, whole;
        for (const std::int8_t q : c.q) {
          as_unsigned.push_back(c.scale * static_cast<std::uint8_t>(q));
          whole.push_back(std::trunc(c.scale * static_cast<float>(q)));
        }
        expect.suspect("N-SIGN", "real", as_unsigned);
        expect.suspect("N-TRUNC", "real", whole);
        expect.equal("real", call<&dequantize_symmetric>(SymmetricTensor{c.q, c.scale}), c.real);
      });
}

struct Tensor {
  std::string name;
  SymmetricTensor tensor;
};

std::string show(const Tensor& c) {
  return "q = " + show_values(c.tensor.q) + ", scale = " + show_value(c.tensor.scale);
}

std::vector<Tensor> smaller(const Tensor& c) {
  std::vector<Tensor> all;
  for (Codes& q : smaller_lists(c.tensor.q)) {
    all.push_back({std::to_string(q.size()) + " codes", {std::move(q), c.tensor.scale}});
  }
  return all;
}

// Lengths as above; scales that are no power of two, large and small.
std::vector<Tensor> given_tensors(std::uint64_t (*seed_of)(std::uint64_t), std::size_t largest) {
  std::vector<Tensor> all;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, largest}) {
    const float scale = uniform_tensor(1, seed_of(count), 0.01f, 100.0f).front();
    all.push_back({std::to_string(count),
                   {code_tensor<std::int8_t>(count, seed_of(count + 1), -128, 127), scale}});
  }
  return all;
}

TEST(dequantize_symmetric, EveryCodeAndLength) {
  std::vector<Tensor> tensors = given_tensors(seed, 4099);
  Expect::healthy(distinct(tensors.back().tensor.q) == 256, "a code is missing");
  each_case(tensors, [](const Tensor& c, Expect& expect) {
    expect.equal("real", call<&dequantize_symmetric>(c.tensor), by_definition(c.tensor));
  });
}

TEST(dequantize_symmetric, RefusesAnUnusableScale) {
  once([](Expect& expect) {
    const Codes q{1, -2};
    expect.equal("real", call<&dequantize_symmetric>(SymmetricTensor{q, FLT_MIN}),
                 std::vector<float>{FLT_MIN, -2 * FLT_MIN});
    for (const float scale : kUnusableScales) {
      expect.that(refuses<&dequantize_symmetric>(SymmetricTensor{q, scale}),
                  "accepted scale = " + show_value(scale));
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

TEST(symmetric_scale, EqualsTheReference) {
  each_case(every_width_and_length(hidden_seed, kLongest), [](const RandomCase& c, Expect& expect) {
    for (const float factor : {1.0f, 0x1p60f, -0x1p-60f}) {
      const std::vector<float> x = times(c.x, factor);
      expect.near("scale", call<&symmetric_scale>(x, c.num_bits), symmetric_scale(x, c.num_bits),
                  one_ulp());
    }
  });
}

TEST(quantize_with_scale, EqualsTheReference) {
  each_case(every_width_and_length(hidden_seed, kLongest), [](const RandomCase& c, Expect& expect) {
    // The grid ends at 1.5 standard deviations: about one value of eight lies outside.
    const float scale = 0.03f / static_cast<float>(signed_range(c.num_bits).qmax);
    const Codes want = quantize_with_scale(c.x, scale, c.num_bits);
    if (c.x.size() == kLongest) {
      const auto [qmin, qmax] = signed_range(c.num_bits);
      Expect::healthy(distinct(want) * 8 >= std::size_t{7} << c.num_bits, "few distinct codes");
      Expect::healthy(c.num_bits < 4 || saturated_share(want, qmin, qmax) < 0.2, "all saturated");
    }
    suspect_roundings(expect, "q", c.x, scale, c.num_bits, [](const Codes& q) { return q; });
    same_codes(expect, call<&quantize_with_scale>(c.x, scale, c.num_bits), want, c.x, scale);
  });
}

TEST(quantize_symmetric, EqualsTheReference) {
  each_case(every_width_and_length(hidden_seed, kLongest), [](const RandomCase& c, Expect& expect) {
    const SymmetricTensor want = quantize_symmetric(c.x, c.num_bits);
    if (c.x.size() == kLongest) {  // agreeing on an input with few different codes means little
      Expect::healthy(distinct(want.q) >= static_cast<std::size_t>(signed_range(c.num_bits).qmax),
                      "few distinct codes");
    }
    const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
    expect.near("scale", got.scale, want.scale, one_ulp());
    suspect_roundings(expect, "q", c.x, want.scale, c.num_bits, [](const Codes& q) { return q; });
    same_codes(expect, got.q, want.q, c.x, want.scale);
  });
}

TEST(quantize_symmetric, KeepsItsSymmetries) {
  each_case(every_width_and_length(hidden_seed), [](const RandomCase& c, Expect& expect) {
    const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
    if (c.x.size() > 1000) {  // a constant has every symmetry
      expect.that(distinct(got.q) >= static_cast<std::size_t>(signed_range(c.num_bits).qmax),
                  "few distinct codes");
    }
    SymmetricTensor negated = call<&quantize_symmetric>(times(c.x, -1.0f), c.num_bits);
    for (std::int8_t& q : negated.q) q = static_cast<std::int8_t>(-q);
    expect.equal("-q of -x", negated.q, got.q);
    expect.equal("q of 2^20 x", call<&quantize_symmetric>(times(c.x, 0x1p20f), c.num_bits).q,
                 got.q);
    expect.equal("q of scale * q", call<&quantize_symmetric>(by_definition(got), c.num_bits).q,
                 got.q);
  });
}

TEST(dequantize_symmetric, EqualsTheReference) {
  each_case(given_tensors(hidden_seed, kLongest), [](const Tensor& c, Expect& expect) {
    expect.equal("real", call<&dequantize_symmetric>(c.tensor), dequantize_symmetric(c.tensor));
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
