// Lab 03: the checks.
#include "symmetric.hpp"

#include "checks/marks/03_symmetric.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge {
namespace {

int qmax_of(int num_bits) { return signed_range(num_bits).qmax; }

// One value; one less than, as many as and one more than 32 bytes of codes; and one more.
std::vector<std::size_t> lengths(std::size_t longest) { return {1, 31, 32, 33, longest}; }

// --- symmetric_scale ----------------------------------------------------------------------------
//
// Wherever values were worked out by hand, scales are powers of two, so floats are compared exactly
// and ties are ties for everyone.

using Scaling = Exercise<&symmetric_scale>;

void suspect_scales(Expect& expect, const Scaling::Arguments& in, float right) {
  const auto& [x, num_bits] = in;
  const std::size_t some = x.empty() ? 0 : 1;
  for (const auto part :
       {std::span(x).first(x.size() - some), std::span(x).last(x.size() - some)}) {
    const float scale = max_abs(part) / static_cast<float>(qmax_of(num_bits));
    if (scale >= FLT_MIN) expect.suspect("N-TAIL", "scale", scale);
  }
  expect.suspect("N-SCALE", "scale", 1 / right);
  const float product = max_abs(x) * (1 / static_cast<float>(qmax_of(num_bits)));
  if (product > FLT_MIN) expect.suspect("N-FORMULA", "scale", product);
  const auto steps = static_cast<float>(2 * qmax_of(num_bits) + 1);
  const float spread = 2 * max_abs(x) / steps;
  if (spread >= FLT_MIN) {
    expect.suspect("N-RANGE", "scale", spread, "as if 2 * amax were spread over qmax - qmin steps");
  }
  if (right < FLT_EPSILON) {
    expect.suspect("N-DIV0", "scale", FLT_EPSILON,
                   "as if a scale were raised to FLT_EPSILON, which is no small number");
  }
}

const Scaling scaling{{"x", "num_bits"}, {"scale"}, suspect_scales};

// The largest magnitude stands first, in the middle and last; above zero and below.
TEST(symmetric_scale, AmaxOverQmax) {
  scaling.gives(
      {{"Last",
        {{1, -1, 254}, 8},
        2.0f,
        "scale = max |x[i]| / qmax, and qmax is 2^(num_bits - 1) - 1"},
       {"BelowZero", {{31, -63.5f, 2}, 8}, 0.5f, "amax is a magnitude: -63.5 is larger than 31"},
       {"First", {{14, -7, 3}, 4}, 2.0f, "four bits have qmax = 7"},
       {"AllBelowZero", {{-1, -1.75f, -0.5f}, 4}, 0.25f},
       {"TwoBits", {{-4, 3, 2}, 2}, 4.0f},
       {"OneValue", {{-24}, 3}, 8.0f},
       {"OneDivision",
        {{5, -1}, 3},
        5.0f / 3,
        "amax / qmax is one float32 division, not a product with 1 / qmax"},  // 5 * (1 / 3.0f) is another float
       {"Large", {{0, 0x1p120f * 127, 0}, 8}, 0x1p120f}});
}

TEST(symmetric_scale, ScaleIsNeverZero) {
  scaling.gives({{"AllZero", {{0, -0.0f, 0}, 8}, 1.0f, "where amax is 0 the scale is 1"},
                 {"Empty", {Reals{}, 8}, 1.0f},
                 {"Small",
                  {{0, 127 * 0x1p-100f, 0}, 8},
                  0x1p-100f,
                  "amax / qmax is normal here, and stays as it is"},
                 {"BelowTheFloor",
                  {{3 * FLT_MIN, -FLT_MIN, 0}, 8},
                  FLT_MIN,
                  "a scale below FLT_MIN is raised to FLT_MIN"},
                 {"Subnormal",
                  {{0, FLT_TRUE_MIN}, 4},
                  FLT_MIN,
                  "amax is not 0 here, and amax / qmax is below FLT_MIN"}});
}

/// What has no range, whichever function is asked for one.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_range() {
  return {{"N-NAN", {{1, kNan, 2}, 8}},       {"N-NAN", {{kNan}, 8}},
          {"N-NAN", {{1, 2, -kInfinity}, 8}}, {"N-NAN", {{kInfinity, 2}, 8}},
          {"N-RANGE", {{1, 2}, 1}},           {"N-RANGE", {{1, 2}, 9}},
          {"N-RANGE", {Reals{}, 0}}};
}

TEST(symmetric_scale, RefusesWhatHasNoRange) {
  scaling.refuses({{"TwoBits", {{2, -4}, 2}, 4.0f}, {"EightBits", {{2, -254}, 8}, 2.0f}},
                  without_a_range<&symmetric_scale>());
}

// --- quantize_with_scale ------------------------------------------------------------------------

using Quantizing = Exercise<&quantize_with_scale>;

/// The codes of x if it were rounded with `round`: what a known mistake would answer.
template <class Round>
Codes rounded_with(Round round, const Reals& x, float scale, double qmin, double qmax) {
  return each_of(x, [&](float value) {
    return static_cast<std::int8_t>(std::clamp<double>(round(value / scale), qmin, qmax));
  });
}

/// What the usual wrong roundings would make of x. `as` turns codes into what is compared.
template <class As>
void suspect_roundings(Expect& expect, std::string_view what, const Reals& x, float scale,
                       int num_bits, As as) {
  const IntRange range = signed_range(num_bits);
  each_wrong_rounding([&](const char* code, const auto& round) {
    expect.suspect(code, what, as(rounded_with(round, x, scale, range.qmin, range.qmax)));
  });
}

void suspect_codes(Expect& expect, const Quantizing::Arguments& in, const Codes& right) {
  const auto& [x, scale, num_bits] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  const auto to_even = [](float steps) { return std::nearbyint(steps); };
  suspect_roundings(expect, "q", x, scale, num_bits, [](const Codes& q) { return q; });
  expect.suspect("N-CLAMP", "q", each_of(x, [scale = scale](float value) {
                   return wrap8(std::nearbyint(value / scale));
                 }));
  const auto by_inverse = [scale = scale](float steps) {
    return std::nearbyint(steps * (1 / scale));
  };
  expect.suspect("N-FORMULA", "q", rounded_with(by_inverse, x, 1, qmin, qmax));
  expect.suspect("N-RANGE", "q", rounded_with(to_even, x, scale, -qmax, qmax),
                 "as if codes ended at -qmax, and not at qmin");
  expect.suspect("N-RANGE", "q", rounded_with(to_even, x, scale, -128, 127));
  suspect_lost_tail(expect, "q", right);
}

const Quantizing quantizing{{"x", "scale", "num_bits"}, {"q"}, suspect_codes};

TEST(quantize_with_scale, RoundsToNearest) {
  quantizing.gives({{"Whole", {{1, -1, 0, 100}, 1.0f, 8}, {1, -1, 0, 100}},
                    {"Empty", {{}, 1.0f, 8}, {}},
                    {"SmallScale",
                     {{1, -2.5f, 0, 20}, 0.25f, 8},
                     {4, -10, 0, 80},
                     "x is divided by the scale, and then rounded"},
                    {"LargeScale", {{48, -80, 0, 112}, 16.0f, 4}, {3, -5, 0, 7}},
                    {"UpAndDown", {{1.75f, 1.25f, 0.75f, 9}, 1.0f, 8}, {2, 1, 1, 9}},
                    {"BelowZero", {{-1.75f, -1.25f, -0.75f, 9}, 1.0f, 8}, {-2, -1, -1, 9}}});
}

/// Half of its values are ties. Random data has none: in 65,536 values, not one.
Quantizing::Row half_steps(std::size_t count, float scale) {
  Reals x;
  Codes q;
  for (const int k : code_tensor<std::int16_t>(count, seed(count), -253, 253)) {
    x.push_back(scale * 0.5f * static_cast<float>(k));
    q.push_back(static_cast<std::int8_t>(half_steps_to_even(k)));
  }
  return {std::to_string(count), {x, scale, 8}, q};
}

TEST(quantize_with_scale, TiesGoToEven) {
  quantizing.gives({{"AboveZero", {{0.5f, 1.5f, 2.5f, 9}, 1.0f, 8}, {0, 2, 2, 9}},
                    {"BelowZero", {{-0.5f, -1.5f, -2.5f, 9}, 1.0f, 8}, {0, -2, -2, 9}},
                    {"NearTheEnds", {{13, 11, -13, -15, 2}, 2.0f, 4}, {6, 6, -6, -8, 1}},
                    // 1 / 7.0f is rounded: its products lie beyond these ties, all but the last.
                    {"OneDivision",
                     {{45.5f, 87.5f, -101.5f, 3.5f}, 7.0f, 8},
                     {6, 12, -14, 0},
                     "x / scale is one float32 division, not a product with 1 / scale"},
                    {"BesideTies",
                     {{0.50000006f, 1.4999999f, 2.5000002f, -0.50000006f, 9}, 1.0f, 8},
                     {1, 1, 3, -1, 9},
                     kNoTies},
                    half_steps(33, 0.125f),
                    half_steps(1021, 4.0f)});
}

TEST(quantize_with_scale, StaysOnTheGrid) {
  quantizing.gives({{"EightBits",
                     {{127, 128, 300, -128, -129, 5}, 1.0f, 8},
                     {127, 127, 127, -128, -128, 5},
                     "what lies beyond [qmin, qmax] becomes its nearer end"},
                    {"FourBits", {{3.5f, 4, 100, -4, -100, 1}, 0.5f, 4}, {7, 7, 7, -8, -8, 2}},
                    {"TwoBits", {{1, 2, -1, -2, -3, 1}, 1.0f, 2}, {1, 1, -1, -2, -2, 1}},
                    {"JustOutside", {{127.5f, -128.5f, 1}, 1.0f, 8}, {127, -128, 1}},
                    {"FarOutside", {{1e9f, -1e9f, 1}, 1.0f, 8}, {127, -128, 1}},
                    {"Overflowing",
                     {{FLT_MAX, -FLT_MAX, 0x1p-100f}, 0x1p-100f, 8},
                     {127, -128, 1},
                     "x / scale is infinite here, and is clamped before it is made an integer"}});
}

// Only the scale and the width have rules: whoever refuses x looks for what has none.
TEST(quantize_with_scale, TakesNanAndInfinity) {
  const Quantizing unsuspecting{{"x", "scale", "num_bits"}, {"q"}};
  unsuspecting.gives({{"Nan", {{1, kNan, -kNan, 2}, 1.0f, 8}, {1, 0, 0, 2}, "a NaN becomes 0"},
                      {"Infinity",
                       {{1, kInfinity, -kInfinity, 2}, 0.5f, 8},
                       {2, 127, -128, 4},
                       "an infinity becomes the nearer end of the grid"},
                      {"FourBits", {{kNan, kInfinity, -kInfinity, 2}, 0.5f, 4}, {0, 7, -8, 4}}},
                     /*if_refused=*/"N-NAN");
}

TEST(quantize_with_scale, RefusesAnUnusableScale) {
  const Reals x{4 * FLT_MIN, 1000 * FLT_MIN};
  std::vector<Quantizing::Refused> refused;
  for (const float scale : kUnusableScales) refused.push_back({"", {x, scale, 8}});
  for (const int num_bits : {1, 9}) refused.push_back({"N-RANGE", {x, 1.0f, num_bits}});
  quantizing.refuses(
      {{"TwoBits", {x, FLT_MIN, 2}, {1, 1}}, {"EightBits", {x, FLT_MIN, 8}, {4, 127}}}, refused);
}

// --- quantize_symmetric -------------------------------------------------------------------------

using Symmetric = Exercise<&quantize_symmetric>;

void suspect_tensors(Expect& expect, const Symmetric::Arguments& in, const SymmetricTensor& right) {
  const auto& [x, num_bits] = in;
  expect.suspect("N-SCALE", "scale", 1 / right.scale);
  suspect_roundings(expect, "q", x, right.scale, num_bits, [](const Codes& q) { return q; });
  const auto divided = [&expect, &x = x](auto divide) {
    expect.suspect("N-FORMULA", "q",
                   each_of(x, [&](float value) { return std::nearbyint(divide(value)); }));
  };
  divided([scale = right.scale](double value) { return value / scale; });
  divided([scale = right.scale](float value) { return value * (1 / scale); });
  suspect_lost_tail(expect, "q", right.q);
}

const Symmetric symmetric{{"x", "num_bits"}, {"q", "scale"}, suspect_tensors};

TEST(quantize_symmetric, FollowsTheFormula) {
  symmetric.gives({{"Whole", {{1, -1, 127, 0}, 8}, {{1, -1, 127, 0}, 1.0f}},
                   {"NegativeAmax",
                    {{-63.5f, 31, 0}, 8},
                    {{-127, 62, 0}, 0.5f},
                    "the codes are those of symmetric_scale(x)"},
                   {"OfTheReadme",
                    {{0.125f, -0.875f, 0.4375f}, 4},
                    {{1, -7, 4}, 0.125f},
                    "four bits have qmax = 7"},
                   {"TwoBits", {{-4, 4, 0}, 2}, {{-1, 1, 0}, 4.0f}},
                   {"Fractions", {{1.75f, -1.75f, 127, 0.25f}, 8}, {{2, -2, 127, 0}, 1.0f}},
                   {"Ties", {{0.5f, 1.5f, -2.5f, 127, 0}, 8}, {{0, 2, -2, 127, 0}, 1.0f}},
                   // In double neither the second nor the third is a tie.
                   {"OneDivision",
                    {{1, 0.0354330726f, 0.0433070846f, 0.7f, 0}, 8},
                    {{127, 4, 6, 89, 0}, 1.0f / 127},
                    "x / scale is one float32 division, whose ties go to even"},
                   {"BesideTies",
                    {{0.50000006f, 1.4999999f, 2.5000002f, 127, 0}, 8},
                    {{1, 1, 3, 127, 0}, 1.0f},
                    kNoTies},
                   {"AllZero", {{0, -0.0f, 0}, 8}, {{0, 0, 0}, 1.0f}},
                   {"Empty",
                    {Reals{}, 8},
                    {{}, 1.0f},
                    "amax of an empty x is 0, and where amax is 0 the scale is 1"},
                   {"Tiny",
                    {{3 * FLT_MIN, -FLT_MIN, 0}, 8},
                    {{3, -1, 0}, FLT_MIN},
                    "the codes are those of the scale that is returned, which was raised"}});
}

Reals by_definition(const SymmetricTensor& t) {
  return each_of(t.q, [&](float q) { return t.scale * q; });
}

std::vector<Symmetric::Input> every_width_and_length(Seed seed_of, std::size_t longest = 4099,
                                                     float factor = 1) {
  std::vector<Symmetric::Input> inputs;
  for (const std::size_t count : lengths(longest)) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      Reals x = normal_tensor(count, seed_of(count * 16 + num_bits), /*stddev=*/0.02f);
      for (float& value : x) value *= factor;
      inputs.push_back({std::to_string(count) + "x" + std::to_string(num_bits) + "bits",
                        {std::move(x), num_bits}});
    }
  }
  return inputs;
}

TEST(quantize_symmetric, EveryValueWithinHalfAStep) {
  symmetric.on_each(every_width_and_length(seed), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits] = in;
    const SymmetricTensor got = symmetric(in);
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const int qmax = qmax_of(num_bits);
    const float amax = max_abs(x), scale = amax > 0 ? amax / static_cast<float>(qmax) : 1.0f;
    suspect_roundings(expect, "scale * q", x, scale, num_bits, [&](const Codes& q) {
      return by_definition({q, scale});
    });
    expect.near("scale * q", by_definition(got), x, round_trip_tolerance(scale, qmax));
  });
}

TEST(quantize_symmetric, RefusesWhatHasNoRange) {
  symmetric.refuses({{"TwoBits", {{1, -4}, 2}, {{0, -1}, 4.0f}},
                     {"EightBits", {{2, -254, 1e-30f}, 8}, {{1, -127, 0}, 2.0f}}},
                    without_a_range<&quantize_symmetric>());
}

// --- dequantize_symmetric -----------------------------------------------------------------------

using Dequantizing = Exercise<&dequantize_symmetric>;

void suspect_reals(Expect& expect, const Dequantizing::Arguments& in, const Reals& right) {
  const auto& [tensor] = in;
  expect.suspect("N-SIGN", "real",
                 each_of(tensor.q, [scale = tensor.scale](std::uint8_t q) { return scale * q; }));
  expect.suspect("N-OVERFLOW", "real", each_of(tensor.q, [scale = tensor.scale](int q) {
                   return scale * static_cast<float>(q == -128 ? 128 : q);  // no int8 is 128
                 }));
  expect.suspect("N-TRUNC", "real", each_of(right, [](float value) { return std::trunc(value); }));
}

const Dequantizing dequantizing{{"q", "scale"}, {"real"}, suspect_reals};

// -128 is legal in a tensor one is given.
TEST(dequantize_symmetric, MultipliesByTheScale) {
  dequantizing.gives(
      {{"Quarters", {{{-128, -1, 0, 127, 2}, 0.25f}}, {-32, -0.25f, 0, 31.75f, 0.5f}},
       {"LargeScale", {{{-128, -1, 0, 127, 2}, 8.0f}}, {-1024, -8, 0, 1016, 16}},
       {"Empty", {{{}, 0.25f}}, {}},
       {"Smallest", {{{-1, 0, 4}, FLT_MIN}}, {-FLT_MIN, 0, 4 * FLT_MIN}},
       {"Overflowing", {{{-4, 1}, 0x1p126f}}, {-kInfinity, 0x1p126f}}});
}

// Scales that are no power of two, large and small.
std::vector<Dequantizing::Input> given_tensors(Seed seed_of, std::size_t longest) {
  std::vector<Dequantizing::Input> inputs;
  for (const std::size_t count : lengths(longest)) {
    const float scale = uniform_tensor(1, seed_of(count), 0.01f, 100.0f).front();
    const Codes q = code_tensor<std::int8_t>(count, seed_of(count + 1), -128, 127);
    Expect::healthy(count < longest || distinct(q) == 256, "a code is missing");
    inputs.push_back({std::to_string(count), {SymmetricTensor{q, scale}}});
  }
  return inputs;
}

TEST(dequantize_symmetric, EveryCodeAndLength) {
  dequantizing.agrees_with([](const auto& in) { return by_definition(in.a); },
                           given_tensors(seed, 4099));
}

TEST(dequantize_symmetric, RefusesAnUnusableScale) {
  std::vector<Dequantizing::Refused> refused;
  for (const float scale : kUnusableScales)
    refused.push_back({"", {SymmetricTensor{{1, -2}, scale}}});
  dequantizing.refuses({{"Smallest", {{{1, -2}, FLT_MIN}}, {FLT_MIN, -2 * FLT_MIN}}}, refused);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt. The longest input is longer than any public one.

constexpr std::size_t kLongest = 10'007;

TEST(symmetric_scale, EqualsTheReference) {
  std::vector<Scaling::Input> inputs;
  for (const float factor : {1.0f, 0x1p60f, -0x1p-60f}) {
    for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest, factor)) {
      inputs.push_back({name + " times " + show_value(factor), std::move(in)});
    }
  }
  scaling.agrees_with(scaling.reference, inputs,
                      [](Expect& expect, const auto&, float got, float want) {
                        expect.near("scale", got, want, one_ulp());
                      });
}

TEST(quantize_with_scale, EqualsTheReference) {
  std::vector<Quantizing::Input> inputs;
  for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest)) {
    // The grid ends at 1.5 standard deviations: about one value of eight lies outside.
    auto& [x, num_bits] = in;
    const auto [qmin, qmax] = signed_range(num_bits);
    const Quantizing::Arguments on_grid{std::move(x), 0.03f / static_cast<float>(qmax), num_bits};
    const Codes want = quantizing.reference(on_grid);
    if (want.size() == kLongest) {
      Expect::healthy(distinct(want) * 8 >= std::size_t{7} << num_bits, "few distinct codes");
      Expect::healthy(num_bits < 4 || saturated_share(want, qmin, qmax) < 0.2, "all saturated");
    }
    inputs.push_back({name, on_grid});
  }
  quantizing.agrees_with(quantizing.reference, inputs,
                         [](Expect& expect, const auto& in, const Codes& got, const Codes& want) {
                           const auto& [x, scale, num_bits] = in;
                           same_codes(expect, "q", got, want, x, scale);
                         });
}

TEST(quantize_symmetric, EqualsTheReference) {
  symmetric.agrees_with(
      symmetric.reference, every_width_and_length(hidden_seed, kLongest),
      [](Expect& expect, const auto& in, const SymmetricTensor& got, const SymmetricTensor& want) {
        const auto& [x, num_bits] = in;
        if (x.size() == kLongest) {  // agreeing on an input with few different codes means little
          Expect::healthy(distinct(want.q) >= static_cast<std::size_t>(qmax_of(num_bits)),
                          "few distinct codes");
        }
        expect.near("scale", got.scale, want.scale, one_ulp());
        same_codes(expect, "q", got.q, want.q, x, want.scale);
      });
}

TEST(quantize_symmetric, KeepsItsSymmetries) {
  symmetric.on_each(every_width_and_length(hidden_seed), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits] = in;
    const SymmetricTensor got = symmetric(in);
    if (x.size() > 1000) {  // a constant has every symmetry
      expect.that(distinct(got.q) >= static_cast<std::size_t>(qmax_of(num_bits)),
                  "few distinct codes");
    }
    const auto codes_of_times = [&, bits = num_bits, &values = x](float factor) {
      Reals moved = values;
      for (float& value : moved) value *= factor;
      return symmetric({moved, bits}).q;
    };
    Codes negated = codes_of_times(-1.0f);
    for (std::int8_t& q : negated) q = static_cast<std::int8_t>(-q);
    expect.equal("-q of -x", negated, got.q);
    expect.equal("q of 2^20 x", codes_of_times(0x1p20f), got.q);
    expect.equal("q of scale * q", symmetric({by_definition(got), num_bits}).q, got.q);
  });
}

TEST(dequantize_symmetric, EqualsTheReference) {
  dequantizing.agrees_with(dequantizing.reference, given_tensors(hidden_seed, kLongest));
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
