// Lab 09: the checks.
#include "fake_quant.hpp"

#include <map>

#include "checks/marks/09_fake_quant.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/mix.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Reals = std::vector<float>;
using Codes = std::vector<std::int8_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr const char* kZeroPointLast = "x / scale is rounded before the zero point is added";

// --- Inside and outside, right and wrong --------------------------------------------------------

float to_even(float v) { return std::nearbyint(v); }
float away(float v) { return std::round(v); }
float half_up(float v) { return std::floor(v + 0.5f); }
float cut(float v) { return std::trunc(v); }
/// As CPUs of x86 convert what no int32 holds.
float in_an_int(float v) { return std::fabs(v) < 0x1p31f ? to_even(v) : -0x1p31f; }

/// How a code comes about, before it is clamped. What people do differently, and should not, is one
/// of these with another value.
struct Way {
  float (*round)(float) = to_even;
  float (*quotient)(float, float) = [](float x, float scale) { return x / scale; };
  int zero_points = 1;                           ///< how many are added
  bool zero_point_first = false;                 ///< before rounding
  bool unrounded = false;                        ///< the mask is asked of what is not rounded yet
  bool strict_low = false, strict_high = false;  ///< the end itself counts as clamped
};

float code_of(float x, const Grid& grid, const Way& way) {
  const float v = way.quotient(x, grid.scale);
  const float zero = static_cast<float>(way.zero_points * grid.zero_point);
  if (way.unrounded) return v + zero;
  return way.zero_point_first ? way.round(v + zero) : way.round(v) + zero;
}

/// -1 below, 0 inside, 1 above.
int side_of(float x, const Grid& grid, const Way& way = {}) {
  const float code = code_of(x, grid, way);
  const auto qmin = static_cast<float>(grid.qmin), qmax = static_cast<float>(grid.qmax);
  if (way.strict_low ? code <= qmin : code < qmin) return -1;
  return (way.strict_high ? code >= qmax : code > qmax) ? 1 : 0;
}

struct WrongWay {
  const char* code;
  Way way;
};

const std::vector<WrongWay>& wrong_ways() {
  static const std::vector<WrongWay> all{
      {"N-MASK", {.unrounded = true}},
      {"N-MASK", {.strict_low = true, .strict_high = true}},
      {"N-MASK", {.strict_low = true}},
      {"N-MASK", {.strict_high = true}},
      {"N-MASK", {.round = in_an_int}},
      {"N-FORMULA", {.zero_points = 0}},
      {"N-ZP-SIGN", {.zero_points = -1}},
      {"N-FORMULA", {.zero_point_first = true}},
      {"N-ROUND", {.round = away}},
      {"N-ROUND", {.round = half_up}},
      {"N-TRUNC", {.round = cut}},
      {"N-FORMULA", {.quotient = [](float x, float scale) { return x * (1.0f / scale); }}},
      {"N-FORMULA",
       {.quotient =
            [](float x, float scale) {
              return static_cast<float>(std::nearbyint(double{x} / scale));
            }}},
  };
  return all;
}

/// Simpler values and what came back for them: both lists in step.
template <class Arguments>
void expect_pairs(const Arguments& in) {
  if (in.a.size() != in.b.size()) throw std::invalid_argument("sizes differ");
}

// --- fake_quantize_backward ---------------------------------------------------------------------

using Back = Exercise<&fake_quantize_backward>;

Reals masked(const Back::Arguments& in, const Way& way = {}) {
  expect_pairs(in);
  Reals gradient;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    gradient.push_back(side_of(in.a[i], in.c, way) == 0 ? in.b[i] : 0.0f);
  }
  return gradient;
}

void suspect_masks(Expect& expect, const Back::Arguments& in, const Reals& right) {
  const auto& [x, upstream, grid] = in;
  Reals ones, by_scale, of_codes;
  for (const float value : right) {
    ones.push_back(value == 0 ? 0.0f : 1.0f);
    by_scale.push_back(value * grid.scale);
    of_codes.push_back(value / grid.scale);
  }
  expect.suspect("N-MASK", "gradient", upstream);
  expect.suspect("N-FORMULA", "gradient", ones);
  if (grid.scale != 1) {
    expect.suspect("N-SCALE", "gradient", by_scale);
    expect.suspect("N-SCALE", "gradient", of_codes);
  }
  for (const auto& [code, way] : wrong_ways()) {
    const Reals wrong = masked(in, way);
    if (wrong != right) expect.suspect(code, "gradient", wrong);
  }
  expect.suspect("N-STE", "gradient", Reals(x.size()));
  for (const std::size_t block : {x.size(), std::size_t{2}, std::size_t{4}, std::size_t{8}}) {
    if (x.size() < 2) continue;
    Reals lost = right;
    const std::size_t whole = block == x.size() ? block - 1 : x.size() / block * block;
    std::fill(lost.begin() + static_cast<std::ptrdiff_t>(whole), lost.end(), 0.0f);
    if (lost != right) expect.suspect("N-TAIL", "gradient", lost);
  }
}

const Back back{
    {"x", "upstream", "scale", "zero_point", "qmin", "qmax"}, {"gradient"}, suspect_masks};

TEST(fake_quantize_backward, PassesInside) {
  back.gives(
      {{"Inside", {{0.5f, -1, 0}, {1, -2, 3}, {0.5f, 0, -4, 3}}, {1, -2, 3}},
       {"Outside", {{9, 1, -9}, {5, 7, -6}, {1, 0, -4, 3}}, {0, 7, 0}},
       {"ZeroPoint",
        {{-1.5f, -2, 2, 2.5f, 0}, {1, 2, 3, 4, 5}, {0.5f, 3, 0, 7}},
        {1, 0, 3, 0, 5},
        "round(x / scale) + zero_point is what lies in [qmin, qmax]"},
       {"FarOutside",
        {{3e38f, 0, -3e38f, FLT_MAX}, {1, 2, 3, 4}, {FLT_MIN, 0, -128, 127}},
        {0, 2, 0, 0}},
       {"BeyondInteger", {{3e9f, -3e9f, 5e9f, 1}, {1, 2, 3, 4}, {1, 0, -8, 7}}, {0, 0, 0, 4}},
       {"BeyondShort", {{65537, -65535, 131070, 1}, {1, 2, 3, 4}, {1, 0, -4, 3}}, {0, 0, 0, 4}},
       {"AnyUpstream",
        {{1, 2, 3, 9}, {FLT_MAX, FLT_TRUE_MIN, -0.0f, FLT_MAX}, {1, 0, -8, 7}},
        {FLT_MAX, FLT_TRUE_MIN, 0, 0}},
       {"Empty", {{}, {}, {1, 0, -4, 3}}, {}}});
}

// Up to half a step beyond an end a value is rounded to it, and not clamped.
TEST(fake_quantize_backward, RoundsBeforeItAsks) {
  back.gives(
      {{"AtTheEnds", {{3, 1, -4, 2}, {1, 2, 3, 4}, {1, 0, -4, 3}}, {1, 2, 3, 4}},
       {"JustBeyond",
        {{3.25f, 3.75f, -4.25f, -4.75f, 9, 0.5f}, {1, 2, 3, 4, 5, 6}, {1, 0, -4, 3}},
        {1, 0, 3, 0, 0, 6}},
       {"HalfUp",
        {{3.5f, 2.5f, -0.5f, 0, 3.25f, 3.75f}, {1, 2, 3, 4, 5, 6}, {1, 0, 0, 3}},
        {0, 2, 3, 4, 5, 0}},
       {"HalfDown",
        {{4.5f, 5.5f, -3.5f, -2.5f, 4.25f, 4.75f}, {1, 2, 3, 4, 5, 6}, {1, 0, -3, 4}},
        {1, 0, 0, 4, 5, 0}},
       {"OddZeroPoint",
        {{3.5f, 2.5f, -1.5f, 9, 3.25f, 3.75f}, {1, 2, 3, 4, 5, 6}, {1, 1, 0, 4}},
        {0, 2, 0, 0, 5, 0},
        kZeroPointLast},
       {"EvenEnds",
        {{2.5f, -2.5f, 3.5f, 2.25f, 2.75f}, {1, 2, 3, 4, 5}, {1, 0, -2, 2}},
        {1, 2, 0, 4, 0}},
       {"Scaled", {{13, -17, 14, -18, 15}, {1, 2, 3, 4, 5}, {4, 0, -4, 3}}, {1, 2, 0, 4, 0}}});
}

/// A grid of `bits` bits, with a sign or without, that covers most of a normal tensor.
Grid some_grid(int bits, std::uint64_t which) {
  const bool has_sign = mix(which, 1) % 2 == 0;
  const auto [qmin, qmax] = has_sign ? signed_range(bits) : unsigned_range(bits);
  const auto zero = static_cast<std::int32_t>(mix(which, 2) % static_cast<unsigned>(1 << bits));
  const float scale =
      3.0f / static_cast<float>(1 << bits) * static_cast<float>(1 + mix(which, 3) % 1000) / 1000.0f;
  return {scale, qmin + zero, qmin, qmax};
}

template <class Input>
std::vector<Input> tensors(Seed seed_of, std::size_t longest) {
  std::vector<Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{33}, longest}) {
    for (int bits = 2; bits <= 8; ++bits) {
      const std::uint64_t which = seed_of(count * 16 + static_cast<std::size_t>(bits));
      inputs.push_back(
          {std::to_string(count) + " values, " + std::to_string(bits) + " bits",
           {normal_tensor(count, which), normal_tensor(count, which + 1), some_grid(bits, which)}});
    }
  }
  return inputs;
}

// 37.35 and 0.75 are a little more than a tie of 0.3, and so is the product with 1 / 0.3; the
// quotient in float32 is the tie.
TEST(fake_quantize_backward, AnyGrid) {
  back.gives(
      {{"OneDivision", {{0.75000006f, 0.75f, 1.05f}, {1, 2, 3}, {0.3f, 0, -2, 2}}, {1, 2, 0}},
       {"AnotherOne",
        {{-37.3500023f, 37.3500023f, 37.25f}, {1, 2, 3}, {0.3f, 0, -124, 124}},
        {1, 2, 3}},
       {"Bytes", {{-129, 126, 127, -128.5f}, {1, 2, 3, 4}, {1, 128, 0, 255}}, {0, 2, 3, 4}},
       {"SixteenBits",
        {{-32768, 32767, 32768, -32769}, {1, 2, 3, 4}, {1, 0, -32768, 32767}},
        {1, 2, 0, 0}},
       {"Unsigned16", {{0, 65535, 65536, -1}, {1, 2, 3, 4}, {1, 0, 0, 65535}}, {1, 2, 0, 0}},
       {"ZeroPointOf16Bits",
        {{0, -65535, 1, -65536}, {1, 2, 3, 4}, {1, 65535, 0, 65535}},
        {1, 2, 0, 0}},
       {"ZeroPointAtAnEnd", {{0, 1, -7, -8}, {1, 2, 3, 4}, {1, 7, 0, 7}}, {1, 0, 3, 0}}});
  back.agrees_with([](const auto& in) { return masked(in); }, tensors<Back::Input>(seed, 257));
}

template <class Refused>
std::vector<Refused> no_slopes() {
  const Grid good{1, 0, -4, 3};
  std::vector<Refused> refused{
      {"N-SIZE", {{1, 2}, {1}, good}},
      {"N-SIZE", {{1}, {1, 2}, good}},
      {"N-SIZE", {{}, {1}, good}},
      {"N-DIV0", {{1}, {1}, {0, 0, -4, 3}}},
      {"N-DIV0", {{}, {}, {0, 0, -4, 3}}},
      {"N-DIV0", {{1}, {1}, {FLT_MIN / 2, 0, -4, 3}}},
      {"N-SCALE", {{1}, {1}, {-1, 0, -4, 3}}},
      {"N-NAN", {{1}, {1}, {kInfinity, 0, -4, 3}}},
      {"N-NAN", {{1}, {1}, {kNan, 0, -4, 3}}},
      {"N-RANGE", {{1}, {1}, {1, 0, -32769, 3}}},
      {"N-RANGE", {{1}, {1}, {1, 0, -4, 65536}}},
      {"N-RANGE", {{1}, {1}, {1, 0, -4, 0}}},
      {"N-RANGE", {{1}, {1}, {1, 3, 3, 3}}},
      {"N-RANGE", {{1}, {1}, {1, -5, -4, 3}}},
      {"N-RANGE", {{1}, {1}, {1, 4, -4, 3}}},
  };
  for (const float value : {kNan, kInfinity, -kInfinity}) {
    refused.push_back({"N-NAN", {{value}, {1}, good}});
    refused.push_back({"N-NAN", {{1}, {value}, good}});
    refused.push_back({"N-NAN", {{1, 2, value}, {1, 2, 3}, good}});
    refused.push_back({"N-NAN", {{1, 2, 9}, {1, 2, value}, good}});  // it would not pass
  }
  return refused;
}

TEST(fake_quantize_backward, RefusesWhatHasNoSlope) {
  back.refuses({{"One", {{1}, {2}, {1, 0, -4, 3}}, {2}}}, no_slopes<Back::Refused>());
}

// --- scale_gradient -----------------------------------------------------------------------------

using OfScale = Exercise<&scale_gradient>;

/// What is added up, and what becomes of the sum.
struct Sum {
  double value = 0, of_floats = 0, of_slopes = 0, without_last = 0;
  double backwards = 0;     ///< from the last term to the first
  double of_quotients = 0;  ///< each term is divided by the root
  double outside = 0;       ///< upstream, where there is a slope
  double terms = 0;         ///< how many have a slope
  float in_float = 0;
  void add(float upstream, float slope, double root) {
    without_last = value;
    of_quotients += double{upstream} * double{slope} / root;
    if (slope != 0) outside += double{upstream}, terms += 1;
    value += double{upstream} * double{slope};
    of_floats += double{upstream * slope};
    of_slopes += double{slope};
    in_float += upstream * slope;
  }
};

float divided(double sum, std::size_t n, const Grid& grid) {
  return n == 0 ? 0 : static_cast<float>(sum / std::sqrt(static_cast<double>(n) * grid.qmax));
}

/// The sum over x of slope(x, side), where side_of goes that way.
template <class Slope>
Sum summed(const OfScale::Arguments& in, const Slope& slope, const Way& way = {}) {
  expect_pairs(in);
  Sum sum;
  const double root = std::sqrt(static_cast<double>(in.a.size()) * in.c.qmax);
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    sum.add(in.b[i], slope(in.a[i], side_of(in.a[i], in.c, way)), root);
  }
  for (std::size_t i = in.a.size(); i-- > 0;) {
    sum.backwards += double{in.b[i]} * double{slope(in.a[i], side_of(in.a[i], in.c, way))};
  }
  return sum;
}

/// The number of steps of an end, less `zero`.
float end_of(int side, const Grid& grid, std::int32_t zero) {
  return static_cast<float>((side < 0 ? grid.qmin : grid.qmax) - zero);
}

float slope_by_scale(float x, int side, const Grid& grid, const Way& way = {}) {
  if (side != 0) return end_of(side, grid, grid.zero_point);
  const float v = way.quotient(x, grid.scale);
  return way.round(v) - v;
}

float scale_by_definition(const OfScale::Arguments& in) {
  const auto slope = [&](float x, int side) { return slope_by_scale(x, side, in.c); };
  return divided(summed(in, slope).value, in.a.size(), in.c);
}

/// Other divisors, and other sums. `right` is what they must not be.
void suspect_divisors(Expect& expect, const OfScale::Arguments& in, const Sum& sum, float right) {
  const auto& [x, upstream, grid] = in;
  const auto looks = [&](const char* code, double value) {
    const auto gradient = static_cast<float>(value);
    if (gradient != right) expect.suspect(code, "gradient", gradient);
  };
  if (x.empty()) return;
  const auto n = static_cast<double>(x.size());
  const double qmax = grid.qmax;
  looks("N-FORMULA", sum.value / (std::sqrt(n) * std::sqrt(qmax)));
  looks("N-FORMULA", sum.value * (1 / std::sqrt(n * qmax)));
  looks("N-FORMULA", sum.of_quotients);
  looks("N-FORMULA", divided(sum.backwards, x.size(), grid));
  looks("N-FLOAT32", divided(sum.in_float, x.size(), grid));
  looks("N-FLOAT32", divided(sum.of_floats, x.size(), grid));
  looks("N-FORMULA", divided(sum.of_slopes, x.size(), grid));
  if (x.size() > 1) looks("N-TAIL", divided(sum.without_last, x.size(), grid));
  if (std::isinf(right)) expect.suspect("N-INF", "gradient", std::copysign(FLT_MAX, right));
  const float float_root = std::sqrt(static_cast<float>(n) * static_cast<float>(qmax));
  looks("N-FORMULA", sum.value / float_root);
  looks("N-FLOAT32", sum.in_float / float_root);
  looks("N-DENOM", sum.value / std::sqrt(sum.terms * qmax));
  looks("N-FORMULA", -divided(sum.value, x.size(), grid));
  const auto narrow = static_cast<std::int32_t>(static_cast<std::uint32_t>(x.size()) *
                                                static_cast<std::uint32_t>(grid.qmax));
  looks("N-OVERFLOW", sum.value / std::sqrt(double{0} + narrow));
  for (const double divisor :
       {1.0, n, n * qmax, std::sqrt(n), std::sqrt(qmax), 1 / std::sqrt(n * qmax),
        std::sqrt(n * (qmax - grid.qmin)), std::sqrt(n * (qmax + 1)), std::sqrt(n) * qmax,
        n * std::sqrt(qmax), std::sqrt(n * (qmax - grid.zero_point)), std::sqrt((n - 1) * qmax)}) {
    looks("N-DENOM", sum.value / divisor);
  }
}

void suspect_slopes(Expect& expect, const OfScale::Arguments& in, float right) {
  const auto& [x, upstream, grid] = in;
  const auto looks = [&](const char* code, const auto& slope, const Way& way = {}) {
    const float gradient = divided(summed(in, slope, way).value, in.a.size(), in.c);
    if (gradient != right) expect.suspect(code, "gradient", gradient);
  };
  const Grid& g = grid;
  const auto usual = [&](float x_i, int side) { return slope_by_scale(x_i, side, g); };
  // round() with a slope of 0 (of two kinds), and the other half of the product rule
  looks("N-STE", [&](float x_i, int side) {
    return side != 0 ? end_of(side, g, g.zero_point) : to_even(x_i / g.scale);
  });
  looks("N-STE", [&](float x_i, int side) {
    return side != 0 ? end_of(side, g, g.zero_point) : -(x_i / g.scale);
  });
  looks("N-STE",
        [&](float x_i, int side) { return side != 0 ? end_of(side, g, g.zero_point) : 0 * x_i; });
  looks("N-FORMULA", [&](float x_i, int side) {
    const float slope = usual(x_i, side);
    return side != 0 ? slope : -slope;
  });
  looks("N-FORMULA", [&](float x_i, int side) {
    const float slope = usual(x_i, side);
    return side != 0 ? -slope : slope;
  });
  looks("N-MASK", [&](float x_i, int side) { return side != 0 ? 0 : usual(x_i, side); });
  looks("N-MASK", [&](float x_i, int) { return usual(x_i, 0); });
  looks("N-MASK", [&](float x_i, int side) {
    return side != 0 ? end_of(side, g, g.zero_point) - x_i / g.scale : usual(x_i, side);
  });
  looks("N-ZP-SIGN",
        [&](float x_i, int side) { return side != 0 ? end_of(side, g, 0) : usual(x_i, side); });
  looks("N-ZP-SIGN", [&](float x_i, int side) {
    return side != 0 ? end_of(side, g, -g.zero_point) : usual(x_i, side);
  });
  looks("N-ZP-SIGN", [&](float x_i, int side) {
    return usual(x_i, side) + (side != 0 ? 0.0f : static_cast<float>(g.zero_point));
  });
  looks("N-SCALE", [&](float x_i, int side) { return usual(x_i, side) * g.scale; });
  looks("N-SCALE",
        [&](float x_i, int side) { return usual(x_i, side) * (side != 0 ? g.scale : 1.0f); });
  looks("N-SCALE",
        [&](float x_i, int side) { return usual(x_i, side) * (side != 0 ? 1.0f : g.scale); });
  looks("N-ORDER", [&](float x_i, int side) { return usual(x_i, -side); });
  for (const auto& [code, way] : wrong_ways()) {
    const Way& w = way;
    looks(code, usual, way);
    looks(
        code, [&](float x_i, int side) { return slope_by_scale(x_i, side, g, w); }, way);
  }
  OfScale::Arguments backwards = in;
  std::ranges::reverse(backwards.a);
  std::ranges::reverse(backwards.b);
  const float reversed = divided(summed(backwards, usual).value, x.size(), grid);
  if (reversed != right) expect.suspect("N-FORMULA", "gradient", reversed);
  suspect_divisors(expect, in, summed(in, usual), right);
}

/// A gradient that is no number tells where it came from, though it equals nothing.
void look_at_gradient(Expect& expect, const OfScale::Arguments& in, float got, float want) {
  const auto product = static_cast<std::uint64_t>(in.a.size()) * static_cast<unsigned>(in.c.qmax);
  const char* const code = product == 0 ? "N-NAN" : product >> 31 != 0 ? "N-OVERFLOW" : "N-FLOAT32";
  expect.that(!std::isnan(got), "the gradient is NaN", code);
  expect.equal("gradient", got, want);
}

const OfScale of_scale{
    {"x", "upstream", "scale", "zero_point", "qmin", "qmax"}, {"gradient"}, suspect_slopes};

// With qmax = 4 the root is 2 for one value and 4 for four of them.
TEST(scale_gradient, RoundingInside) {
  of_scale.gives({{"Down", {{0.25f}, {1}, {1, 0, -4, 4}}, -0.125f},
                  {"OneDivision",
                   {{1}, {1}, {0.3f, 0, -4, 4}},
                   -0.166666627f,
                   "x / scale is one float32 division"},
                  {"Up", {{1.75f}, {1}, {1, 0, -4, 4}}, 0.125f},
                  {"Negative", {{-2.75f}, {3}, {1, 0, -4, 4}}, -0.375f},
                  {"Scaled", {{0.375f}, {2}, {0.5f, 0, -4, 4}}, 0.25f},
                  {"OnTheGrid", {{1.5f}, {8}, {0.5f, 0, -4, 4}}, 0.0f},
                  {"Tie", {{2.5f, 0.25f, 0, 0}, {1, 1, 2, 3}, {1, 0, -4, 4}}, -0.1875f},
                  {"OtherTie", {{1.5f, 0.25f, 0, 0}, {1, 1, 2, 3}, {1, 0, -4, 4}}, 0.0625f},
                  {"ZeroPoint", {{2.75f}, {1}, {1, 1, -4, 4}}, 0.125f},
                  {"Four", {{0.25f, 1.75f, -0.25f, 3}, {1, 2, 4, 8}, {1, 0, -4, 4}}, 0.3125f}});
}

TEST(scale_gradient, StepsOutside) {
  of_scale.gives(
      {{"Above", {{9}, {1}, {1, 0, -3, 4}}, 2.0f},
       {"Below", {{-9}, {1}, {1, 0, -3, 4}}, -1.5f},
       {"AboveScaled", {{9}, {0.5f}, {0.25f, 0, -3, 4}}, 1.0f},
       {"FarAbove",
        {{3e38f, 1e-36f}, {1, 3}, {FLT_MIN, 0, -4, 8}},
        8.0f,
        "round(x / scale) is a float, which no integer type has to hold"},
       {"FarBelow", {{-3e38f}, {1}, {FLT_MIN, 0, -3, 4}}, -1.5f},
       {"ZeroPointAbove", {{9}, {1}, {1, 2, -3, 4}}, 1.0f},
       {"ZeroPointBelow", {{-9}, {1}, {1, -1, -3, 4}}, -1.0f},
       {"RoundedToTheEnd", {{4.25f, 0.25f, 0, 0}, {1, 1, 2, 3}, {1, 0, -3, 4}}, -0.125f},
       {"TieAtTheEnd", {{4.5f}, {1}, {1, 0, -3, 4}}, -0.25f},
       {"TieBelow", {{-3.5f}, {1}, {1, 0, -3, 4}}, -1.5f},
       {"OddZeroPoint", {{3.5f, 9, 0, 0}, {1, 1, 2, 3}, {1, 1, 0, 4}}, 1.5f, kZeroPointLast},
       {"Mixed", {{9, -9, 0.25f, 4.25f}, {1, 2, 4, 32}, {1, 0, -3, 4}}, -2.75f}});
}

/// `count` values that are all above, and what comes back is the same for each.
template <class Of = OfScale>
typename Of::Arguments all_above(std::size_t count, float upstream, const Grid& grid) {
  return {Reals(count, 4 * grid.scale * static_cast<float>(grid.qmax)), Reals(count, upstream),
          grid};
}

// 65,536 times 65,535 is no int32, and 80,000 times 60,000 no uint32.
TEST(scale_gradient, DividedByTheRoot) {
  of_scale.gives({{"One", {{9}, {2}, {1, 0, -1, 1}}, 2.0f},
                  {"Empty", {{}, {}, {1, 0, -4, 4}}, 0.0f},
                  {"Nine", all_above(9, 2, {1, 0, -4, 1}), 6.0f},
                  {"QmaxOfNine", {{20}, {1}, {1, 0, -4, 9}}, 3.0f},
                  {"QmaxOfSeven",
                   {{20}, {1}, {1, 0, -8, 7}},
                   2.64575124f,
                   "root and quotient are double, which is rounded to float32 at the end"},
                  {"SixteenBits", all_above(65'536, 1, {1, 0, 0, 65'535}), 65535.5f}},
                 look_at_gradient);
  of_scale.agrees_with(scale_by_definition,
                       {{"Seven", all_above(7, 1, {1, 0, -8, 7})},
                        {"NoSquare", all_above(3, 1, {0.5f, 2, 0, 15})},
                        {"Long", all_above(80'000, 1, {1, 0, 0, 60'000})}},
                       look_at_gradient);
}

const char* const kFirstToLast = "terms are added in double, from the first to the last";

// In float32 2^24 + 1 is 2^24, and so is 2^53 + 1 in double: the order of the terms is visible.
TEST(scale_gradient, SumsInDouble) {
  of_scale.gives(
      {{"LostInFloat", {{9, 9, 9, 9}, {16777216, 1, -16777216, 0}, {1, 0, -4, 4}}, 1.0f},
       {"ProductLostInFloat",
        {{0.3f, 0.3f, 0, 0}, {16777215, -16777213, 0, 0}, {1, 0, -4, 4}},
        -0.3f / 2},
       {"FirstToLast",
        {{9, 9, 9, 9}, {0x1p53f, 1, -0x1p53f, 1}, {1, 0, -4, 4}},
        1.0f,
        kFirstToLast},
       {"DividedOnce", {{9, 9, 9}, {0x1p53f, 1, -0x1p53f}, {1, 0, -2, 1}}, 0.0f},
       {"LastAlone", {{9, 9, 9, 9}, {1, 0x1p53f, 1, -0x1p53f}, {1, 0, -4, 4}}, 0.0f},
       {"RootOfTheProduct", {{100, 100}, {1, 3 * 0x1p-24f}, {1, 0, -2, 2}}, 1.00000024f},
       {"Quotient", {{1e6f}, {1.00000572f}, {1, 0, -8, 2401}}, 49.0002823f},
       {"BeyondFloat", {{9, 9, 9, 9}, {3e38f, -3e38f, 0x1p-100f, 0}, {1, 0, -4, 4}}, 0x1p-100f},
       {"SumBeyondFloat", {{9, 9, 9, 9}, {3e38f, 3e38f, -3e38f, -3e38f}, {1, 0, -4, 4}}, 0.0f},
       {"Infinite", {{9}, {3e38f}, {1, 0, -4, 4}}, kInfinity}},
      look_at_gradient);
  of_scale.agrees_with(scale_by_definition, tensors<OfScale::Input>(seed, 1009));
}

TEST(scale_gradient, RefusesWhatHasNoSlope) {
  of_scale.refuses({{"Above", {{9}, {1}, {1, 0, -3, 4}}, 2.0f}}, no_slopes<OfScale::Refused>());
}

// --- zero_point_gradient ------------------------------------------------------------------------

using OfZero = Exercise<&zero_point_gradient>;

float zero_by_definition(const OfScale::Arguments& in) {
  const auto slope = [&](float, int side) { return side == 0 ? 0.0f : -in.c.scale; };
  return divided(summed(in, slope).value, in.a.size(), in.c);
}

void suspect_zero_slopes(Expect& expect, const OfZero::Arguments& pairs, float right) {
  const OfScale::Arguments in{pairs.a, pairs.b, pairs.c};
  const float step = in.c.scale;
  const auto looks = [&](const char* code, const auto& slope, const Way& way = {}) {
    const float gradient = divided(summed(in, slope, way).value, in.a.size(), in.c);
    if (gradient != right) expect.suspect(code, "gradient", gradient);
  };
  const auto usual = [&](float, int side) { return side == 0 ? 0.0f : -step; };
  const double in_front = -double{step} * summed(in, usual).outside;
  const float scaled_last = divided(in_front, in.a.size(), in.c);
  if (scaled_last != right) expect.suspect("N-FORMULA", "gradient", scaled_last);
  if (step != 1) {
    looks("N-SCALE", [&](float, int side) { return side == 0 ? 0.0f : -1.0f; });
    looks("N-SCALE", [&](float, int side) { return side == 0 ? 0.0f : 1.0f; });
    looks("N-SCALE", [&](float, int side) { return side == 0 ? 0.0f : -1.0f / step; });
  }
  looks("N-ZP-SIGN", [&](float, int side) { return side == 0 ? 0.0f : step; });
  looks("N-MASK", [&](float, int side) { return side == 0 ? -step : 0.0f; });
  looks("N-MASK", [&](float, int side) { return side == 0 ? step : 0.0f; });
  looks("N-MASK", [&](float, int) { return -step; });
  looks("N-FORMULA", [&](float, int side) { return static_cast<float>(-side) * step; });
  looks("N-FORMULA", [&](float, int side) { return static_cast<float>(side) * step; });
  looks("N-MASK", [&](float, int side) { return side > 0 ? -step : 0.0f; });
  looks("N-MASK", [&](float, int side) { return side < 0 ? -step : 0.0f; });
  looks("N-STE", [&](float, int) { return 0.0f; });
  for (const auto& [code, way] : wrong_ways()) looks(code, usual, way);
  suspect_divisors(expect, in, summed(in, usual), right);
}

const OfZero of_zero{
    {"x", "upstream", "scale", "zero_point", "qmin", "qmax"}, {"gradient"}, suspect_zero_slopes};

TEST(zero_point_gradient, LengthOutside) {
  of_zero.gives(
      {{"Inside", {{0.25f, -1, 0.75f, 2}, {1, 2, 3, 4}, {0.5f, 0, -4, 4}}, 0.0f},
       {"Both", {{24, -24, 0.25f, 0}, {1, 5, 4, 8}, {4, 0, -4, 4}}, -6.0f},
       {"Above", {{9}, {1}, {0.5f, 0, -4, 4}}, -0.25f},
       {"Below", {{-9}, {1}, {0.5f, 0, -4, 4}}, -0.25f},
       {"Negative", {{9, -9, 0.25f, 0}, {-1, -4, 4, 8}, {0.25f, 1, -4, 4}}, 0.3125f},
       {"FarOutside",
        {{3e38f, -3e38f, 0, 0}, {0x1p126f, 0x1p126f, 9, 9}, {FLT_MIN, 0, -4, 4}},
        -0.5f},
       {"RoundedToTheEnd", {{4.25f, -4.25f, 9, 0}, {1, 2, 4, 8}, {1, 0, -4, 4}}, -1.0f},
       {"Ties", {{4.5f, -4.5f, 5.5f, 4.25f}, {1, 2, 4, 8}, {1, 0, -4, 4}}, -1.0f},
       {"OddEnd", {{2.25f, -2.75f, 2, -2.25f}, {1, 2, 4, 8}, {0.5f, 0, -5, 4}}, -0.25f},
       {"OddZeroPoint", {{3.5f, 9, -1.5f, 0}, {1, 2, 4, 8}, {1, 1, 0, 4}}, -1.75f, kZeroPointLast},
       {"OneDivision", {{0.75000006f, 0.75f, 0, 0}, {1, 2, 4, 8}, {0.3f, 0, -2, 2}}, 0}});
}

TEST(zero_point_gradient, RoundedAsTheOther) {
  of_zero.gives(
      {{"Empty", {{}, {}, {1, 0, -4, 4}}, 0.0f},
       {"One", {{9}, {2}, {1, 0, -1, 1}}, -2.0f},
       {"Nine", all_above<OfZero>(9, 2, {1, 0, -4, 1}), -6.0f},
       {"QmaxOfNine", {{20}, {3}, {1, 0, -4, 9}}, -1.0f},
       {"SixteenBits", all_above<OfZero>(65'536, 1, {1, 0, 0, 65'535}), -1.0000076f},
       {"LostInFloat", {{9, 9, 9, 9}, {16777216, 1, -16777216, 0}, {1, 0, -4, 4}}, -0.25f},
       {"ProductLostInFloat",
        {{9, 9, 0, 0}, {16777215, -16777213, 0, 0}, {0.3f, 0, -4, 4}},
        -0.3f / 2},
       {"FirstToLast",
        {{9, 9, 9, 9}, {0x1p53f, 1, -0x1p53f, 1}, {1, 0, -4, 4}},
        -0.25f,
        kFirstToLast},
       {"OneRoot", {{9, 9}, {1, 0x3p-24f}, {1, 0, -2, 2}}, -0.5f - 0x1p-23f},
       {"ScaleInEachTerm",
        {{99, 99, 99, 99}, {0x1p53f, 1, -0x1p53f, 1}, {0.1f, 0, -8, 7}},
        -0.042521003f,
        "the scale is in each term of the sum"},
       {"BeyondFloat", {{9, 9, 9, 9}, {3e38f, 3e38f, -3e38f, -3e38f}, {1, 0, -4, 4}}, 0.0f},
       {"Infinite", {{90}, {3e38f}, {8, 0, -4, 4}}, -kInfinity}},
      [](Expect& expect, const auto& in, float got, float want) {
        look_at_gradient(expect, {in.a, in.b, in.c}, got, want);
      });
  of_zero.agrees_with(
      [](const auto& in) {
        return zero_by_definition({in.a, in.b, in.c});
      },
      tensors<OfZero::Input>(seed, 1009));
}

TEST(zero_point_gradient, RefusesWhatHasNoSlope) {
  of_zero.refuses({{"Above", {{9}, {1}, {1, 0, -3, 4}}, -0.5f}}, no_slopes<OfZero::Refused>());
}

// --- learn_scale --------------------------------------------------------------------------------

using Learning = Exercise<&learn_scale>;

float right_step(float scale, float gradient, float rate) {
  const float way = rate * gradient, next = scale - way;
  const float least = std::max(scale / 2, FLT_MIN), most = std::min(scale * 2, FLT_MAX);
  return std::clamp(next, least, most);
}

/// The loop of the contract, with a step and a gradient of one's own. It ends at what is no scale.
template <class Step, class Gradient>
Reals descent(const Learning::Arguments& in, const Step& step_of, const Gradient& gradient_of) {
  const auto& [x, num_bits, start, rate, steps] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  Grid grid{start, 0, qmin, qmax};
  Reals scales, upstream(x.size());
  while (std::ssize(scales) < steps) {
    for (std::size_t i = 0; i < x.size(); ++i) upstream[i] = fake_quantize(x[i], grid) - x[i];
    grid.scale = step_of(grid.scale, gradient_of(OfScale::Arguments{x, upstream, grid}), rate);
    scales.push_back(grid.scale);
    if (!(std::isnormal(grid.scale) && grid.scale > 0)) break;
  }
  return scales;
}

Reals scales_by_definition(const Learning::Arguments& in) {
  return descent(in, right_step, scale_by_definition);
}

void suspect_steps(Expect& expect, const Learning::Arguments& in, const Reals& right) {
  const auto looks = [&](const char* code, const auto& step) {
    const Reals wrong = descent(in, step, scale_by_definition);
    if (wrong != right) expect.suspect(code, "scales", wrong);
  };
  const auto ends = [](float next, float scale) {
    return std::clamp(std::clamp(next, scale / 2, scale * 2), FLT_MIN, FLT_MAX);
  };
  looks("N-FORMULA", [&](float s, float g, float r) { return ends(s + r * g, s); });
  looks("N-STEP", [](float s, float g, float r) { return std::max(s - r * g, FLT_MIN); });
  looks("N-STEP",
        [](float s, float g, float r) { return std::clamp(s - r * g, FLT_MIN, FLT_MAX); });
  looks("N-STEP", [](float s, float g, float r) { return std::max(s - r * g, s / 2); });
  looks("N-STEP", [](float s, float g, float r) {
    return std::clamp(std::fabs(s - r * g), FLT_MIN, FLT_MAX);
  });
  looks("N-STEP", [](float s, float g, float r) { return s - r * g > 0 ? s - r * g : s; });
  looks("N-STEP", [](float s, float g, float r) { return std::clamp(s - r * g, s / 2, s * 2); });
  looks("N-STEP", [](float s, float g, float r) {
    return std::max(std::clamp(s - r * g, s / 2, s * 2), FLT_MIN);
  });
  looks("N-STEP", [](float s, float g, float r) {
    return std::min(std::clamp(s - r * g, s / 2, s * 2), FLT_MAX);
  });
  looks("N-FORMULA", [&](float s, float g, float r) {
    return ends(static_cast<float>(double{s} - double{r} * double{g}), s);
  });
  looks("N-FORMULA", [&](float s, float g, float r) { return ends(s * (1 - r * g), s); });
  looks("N-FORMULA", [&](float s, float g, float r) { return ends(s * std::exp(-r * g), s); });
  looks("N-FORMULA", [&](float s, float g, float) { return ends(s - g, s); });
  looks("N-FORMULA", [&](float s, float g, float r) { return ends(s - r * g * s, s); });
  looks("N-STEP", [](float s, float, float) { return s; });
}

const Learning learning{{"x", "num_bits", "start", "rate", "steps"}, {"scales"}, suspect_steps};

// With two bits qmax is 1: the root is 1 for one value and 2 for four.
// "TwoRoundings" ends one float higher in double, and where product and difference are fused.
TEST(learn_scale, GoesDownhill) {
  learning.gives({{"Down",
                   {{0.25f}, 2, 1, 4, 1},
                   {0.75f},
                   "downhill: where the gradient is above 0, the scale becomes smaller"},
                  {"Up", {{3}, 2, 1, 0.25f, 1}, {1.5f}},
                  {"UpAgain", {{3}, 2, 1, 0.25f, 3}, {1.5f, 1.875f, 2.15625f}},
                  {"Nothing", {{0}, 2, 1, 4, 2}, {1, 1}},
                  {"Exact", {{1, -2, 0, 1}, 2, 1, 8, 2}, {1, 1}},
                  {"TwoRoundings",
                   {{0.4f}, 4, 0.05f, 0.1f, 1},
                   {0.0632287562f},
                   "product and difference are each rounded to float32"},
                  {"Empty", {{}, 2, 0.5f, 4, 2}, {0.5f, 0.5f}},
                  {"NoSteps", {{3}, 2, 1, 0.25f, 0}, {}}},
                 "N-STEP");
  std::vector<Learning::Input> inputs;
  for (const std::size_t count : {1, 7, 100}) {
    for (int bits = 2; bits <= 8; ++bits) {
      const std::uint64_t which = seed(count * 16 + static_cast<std::size_t>(bits));
      const float start = 3.7f / static_cast<float>(1 << bits);
      inputs.push_back({std::to_string(count) + " values, " + std::to_string(bits) + " bits",
                        {normal_tensor(count, which), bits, start, 0.03f, 8}});
    }
  }
  learning.agrees_with(scales_by_definition, inputs);
}

// A step that is too wide would end at or below 0, or far above; and what is infinite is only wide.
TEST(learn_scale, StaysAScale) {
  learning.gives({{"Halves", {{0.25f}, 2, 1, 64, 4}, {0.5f, 0.25f, 0.25f, 0.25f}},
                  {"HalvesToZero", {{0.25f}, 2, 1, 16, 1}, {0.5f}},
                  {"JustAHalf", {{0.25f}, 2, 1, 8, 1}, {0.5f}},
                  {"MoreThanAHalf", {{0.25f}, 2, 1, 12, 1}, {0.5f}},
                  {"Doubles", {{30}, 2, 1, 64, 4}, {2, 4, 8, 16}},
                  {"JustTwice", {{3}, 2, 1, 0.5f, 1}, {2}},
                  {"MoreThanTwice", {{3}, 2, 1, 0.75f, 1}, {2}},
                  {"Floor", {{FLT_MIN / 4}, 2, FLT_MIN, 64, 2}, {FLT_MIN, FLT_MIN}},
                  {"NearTheFloor", {{FLT_MIN / 4}, 2, 1.5f * FLT_MIN, 64, 1}, {FLT_MIN}},
                  {"InfiniteStep", {{3e38f}, 2, 1e38f, 100, 1}, {2e38f}},
                  {"InfiniteGradient",
                   {{3e38f, 3e38f}, 8, 1e-30f, 1, 2},
                   {2 * 1e-30f, 4 * 1e-30f},
                   "an infinite gradient is a step too, which halves or doubles the scale"},
                  {"Ceiling", {{3e38f}, 2, 2e38f, 100, 2}, {FLT_MAX, FLT_MAX / 2}}},
                 "N-STEP");
}

/// The clip of lab 07's mse_clip: of a hundred, the one with the least squared error.
float mse_clip(const Reals& x, int num_bits) {
  const auto [qmin, qmax] = signed_range(num_bits);
  std::map<double, float> clips;  // by their errors
  for (int percent = 1; percent <= 100; ++percent) {
    const float clip = max_abs(x) * (static_cast<float>(percent) / 100.0f);
    const Grid grid{clip / static_cast<float>(qmax), 0, qmin, qmax};
    double squares = 0;
    for (const float value : x) {
      const float off = fake_quantize(value, grid) - value;
      squares += double{off} * off;
    }
    clips[squares] = clip;
  }
  return clips.begin()->second;
}

// From a scale that clamps nothing, and from one that clamps nearly everything.
TEST(learn_scale, FindsTheClip) {
  constexpr std::size_t kValues = 8192;
  std::vector<Learning::Input> inputs;
  for (const auto& [num_bits, share] : {std::pair{3, 1.0f}, {4, 0.1f}, {5, 1.0f}, {6, 0.1f}}) {
    const Reals x = normal_tensor(kValues, seed(static_cast<std::uint64_t>(num_bits)));
    const auto qmax = static_cast<float>(signed_range(num_bits).qmax);
    inputs.push_back({std::to_string(num_bits) + " bits",
                      {x, num_bits, share * max_abs(x) / qmax,
                       0.5f * std::sqrt(qmax / static_cast<float>(kValues)), 60}});
  }
  learning.on_each(inputs, [](Expect& expect, const auto& in) {
    if (in.a.size() != kValues) return;  // of a few values the best clip is an accident
    const Reals scales = learning(in);
    const auto qmax = static_cast<float>(signed_range(in.b).qmax);
    expect.equal("the number of scales", std::ssize(scales), in.e);
    if (scales.empty()) return;
    expect.near("clip", scales.back() * qmax, mse_clip(in.a, in.b), learned_clip(max_abs(in.a)));
  });
}

// --- A layer, right and wrong -------------------------------------------------------------------

using Running = Exercise<&fake_linear>;
using Folding = Exercise<&fold_to_integers>;

enum class SumOf { kDouble, kFloat, kFloatBiasLast };

/// Where a layer rounds, clamps and multiplies. What people do differently is one of these with
/// another value.
struct LayerWay {
  float (*round)(float) = to_even;  ///< of x, weights and bias
  float (*divide)(float, float) = [](float value, float scale) { return value / scale; };
  float (*round_v)(float) = to_even;  ///< of v
  SumOf sum = SumOf::kDouble;
  float (*factor)(double sum, float x, float w, float y) =
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * ((x * w) / y); };
  float (*bias)(float bias, float x, float w) = [](float bias, float x, float w) {
    return bias / (x * w);
  };
  bool round_bias = true, clamp_x = true, clamp_w = true, clamp_y = true;
  int x_zero = 1, y_zero = 1;      ///< how often the ends of the clamp are moved by it
  bool keeps_x_zero = false;       ///< a is the code, not the code less its zero point
  bool keeps_y_zero = false;       ///< y is the scale times the code
  bool zero_before_round = false;  ///< of the output
  bool x_zero_before_round = false;
  float least_w = -128, least_x = -128, least_y = -128;
  bool transposed = false, first_scale = false, first_unit = false;
  bool gives_codes = false;
};

struct Size {
  std::size_t inputs, outputs;
};

Size size_of(const FakeLayer& layer) {
  const std::size_t outputs = layer.bias.size();
  if (outputs == 0 || layer.weight_scales.size() != outputs || layer.weight.empty() ||
      layer.weight.size() % outputs != 0) {
    throw std::invalid_argument("no layer");
  }
  return {layer.weight.size() / outputs, outputs};
}

float clamped(float steps, float least, float zero, bool clamps = true) {
  return clamps ? std::clamp(steps, least - zero, 127 - zero) : steps;
}

float weight_scale(const FakeLayer& layer, std::size_t j, const LayerWay& way) {
  return layer.weight_scales[way.first_scale ? 0 : j];
}
/// Of the unit of the sums.
float unit_scale(const FakeLayer& layer, std::size_t j, const LayerWay& way) {
  return layer.weight_scales[way.first_scale || way.first_unit ? 0 : j];
}

float whole_weight(const FakeLayer& layer, std::size_t j, std::size_t p, const LayerWay& way) {
  const auto [inputs, outputs] = size_of(layer);
  const float weight = layer.weight[way.transposed ? p * outputs + j : j * inputs + p];
  return clamped(way.round(way.divide(weight, weight_scale(layer, j, way))), way.least_w, 0,
                 way.clamp_w);
}

float whole_bias(const FakeLayer& layer, std::size_t j, const LayerWay& way) {
  const float steps = way.bias(layer.bias[j], layer.input_scale, unit_scale(layer, j, way));
  return way.round_bias ? way.round(steps) : steps;
}

Reals run_layer(const Running::Arguments& in, const LayerWay& way = {}) {
  const auto& [x, layer] = in;
  const auto [inputs, outputs] = size_of(layer);
  if (x.size() % inputs != 0) throw std::invalid_argument("no rows");
  const auto x_zero = static_cast<float>(layer.input_zero_point);
  const auto y_zero = static_cast<float>(layer.output_zero_point);
  Reals a, y;
  for (const float value : x) {
    const float v = way.divide(value, layer.input_scale);
    const float rounded = way.x_zero_before_round ? way.round(v + x_zero) - x_zero : way.round(v);
    const float steps =
        clamped(rounded, way.least_x, static_cast<float>(way.x_zero) * x_zero, way.clamp_x);
    a.push_back(steps + (way.keeps_x_zero ? x_zero : 0));
  }
  for (std::size_t i = 0; i < a.size(); i += inputs) {
    for (std::size_t j = 0; j < outputs; ++j) {
      const float bias = whole_bias(layer, j, way);
      double sum = way.sum == SumOf::kFloatBiasLast ? 0 : bias;
      for (std::size_t p = 0; p < inputs; ++p) {
        sum += double{a[i + p]} * double{whole_weight(layer, j, p, way)};
        if (way.sum != SumOf::kDouble) sum = static_cast<float>(sum);
      }
      if (way.sum == SumOf::kFloatBiasLast) sum = static_cast<float>(sum + bias);
      const float v =
          way.factor(sum, layer.input_scale, unit_scale(layer, j, way), layer.output_scale);
      const float rounded =
          way.zero_before_round ? way.round_v(v + y_zero) - y_zero : way.round_v(v);
      const float steps =
          clamped(rounded, way.least_y, static_cast<float>(way.y_zero) * y_zero, way.clamp_y);
      const float code = steps + y_zero;
      y.push_back(way.gives_codes ? code : layer.output_scale * (way.keeps_y_zero ? code : steps));
    }
  }
  return y;
}

/// What most people write first: real numbers, multiplied and added in float32.
Reals run_in_reals(const Running::Arguments& in, bool with_bias_steps) {
  const auto& [x, layer] = in;
  const auto [inputs, outputs] = size_of(layer);
  const Grid input{layer.input_scale, layer.input_zero_point, -128, 127};
  const Grid output{layer.output_scale, layer.output_zero_point, -128, 127};
  Reals y;
  for (std::size_t i = 0; i < x.size(); i += inputs) {
    for (std::size_t j = 0; j < outputs; ++j) {
      const Grid weights{layer.weight_scales[j], 0, -128, 127};
      const float unit = layer.input_scale * layer.weight_scales[j];
      const float bias = with_bias_steps ? unit * to_even(layer.bias[j] / unit) : layer.bias[j];
      float sum = 0;
      for (std::size_t p = 0; p < inputs; ++p) {
        sum +=
            fake_quantize(x[i + p], input) * fake_quantize(layer.weight[j * inputs + p], weights);
      }
      y.push_back(fake_quantize(sum + bias, output));
    }
  }
  return y;
}

struct WrongLayer {
  const char* code;
  LayerWay way;
};

using Factor = decltype(LayerWay::factor);
using Bias = decltype(LayerWay::bias);

const std::vector<Factor>& wrong_factors() {
  static const std::vector<Factor> all{
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * (x * w) / y; },
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * (x * (w / y)); },
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * (x / y * w); },
      [](double sum, float x, float w, float y) { return static_cast<float>(sum) * x * w / y; },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(sum) * (x * w * (1 / y));
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(static_cast<float>(sum) * (double{x} * w / y));
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(sum * double{(x * w) / y});
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(std::nearbyint(sum * double{(x * w) / y}));
      },
      [](double sum, float x, float w, float y) {
        return static_cast<float>(std::nearbyint(sum * (double{x} * w / y)));
      },
  };
  return all;
}

const std::vector<Bias>& wrong_biases() {
  static const std::vector<Bias> all{
      [](float bias, float x, float w) { return bias / x / w; },
      [](float bias, float x, float w) { return bias / w / x; },
      [](float bias, float x, float w) { return bias * (1 / (x * w)); },
      [](float bias, float x, float w) {
        return static_cast<float>(std::nearbyint(double{bias} / (double{x} * w)));
      },
  };
  return all;
}

std::vector<WrongLayer> wrong_layers() {
  std::vector<WrongLayer> all;
  for (const Factor factor : wrong_factors()) all.push_back({"N-FORMULA", {.factor = factor}});
  for (const Bias bias : wrong_biases()) all.push_back({"N-FORMULA", {.bias = bias}});
  const std::vector<WrongLayer> others{
      {"N-FORMULA", {.divide = [](float value, float scale) { return value * (1 / scale); }}},
      {"N-FLOAT32", {.sum = SumOf::kFloat}},
      {"N-FLOAT32", {.sum = SumOf::kFloatBiasLast}},
      {"N-RANGE", {.x_zero = 0}},
      {"N-ZP-SIGN", {.x_zero = -1}},
      {"N-ZP-SIGN", {.keeps_x_zero = true}},
      {"N-ZP-SIGN", {.x_zero = 0, .keeps_x_zero = true}},
      {"N-ZP-SIGN", {.keeps_y_zero = true}},
      {"N-RANGE", {.y_zero = 0}},
      {"N-ZP-SIGN", {.y_zero = -1}},
      {"N-CLAMP", {.round = in_an_int}},
      {"N-CLAMP", {.round_v = in_an_int}},
      {"N-CLAMP", {.clamp_x = false}},
      {"N-CLAMP", {.clamp_w = false}},
      {"N-CLAMP", {.clamp_y = false}},
      {"N-RANGE", {.least_w = -127}},
      {"N-RANGE", {.least_x = -127}},
      {"N-RANGE", {.least_y = -127}},
      {"N-BIAS", {.bias = [](float, float, float) { return 0.0f; }}},
      {"N-BIAS", {.bias = [](float bias, float, float) { return bias; }}},
      {"N-BIAS", {.bias = [](float bias, float x, float) { return bias / x; }}},
      {"N-BIAS", {.bias = [](float bias, float, float w) { return bias / w; }}},
      {"N-FORMULA", {.round_bias = false}},
      {"N-TRANS", {.transposed = true}},
      {"N-SCALE", {.first_scale = true}},
      {"N-SCALE", {.first_unit = true}},
      {"N-SCALE", {.gives_codes = true}},
      {"N-SCALE",
       {.factor = [](double sum, float x, float w,
                     float) { return static_cast<float>(sum) * (x * w); }}},
      {"N-SCALE",
       {.factor = [](double sum, float x, float w,
                     float y) { return static_cast<float>(sum) * ((x * w) * y); }}},
      {"N-FORMULA", {.zero_before_round = true}},
      {"N-FORMULA", {.x_zero_before_round = true}},
      {"N-ROUND", {.round_v = away}},
      {"N-ROUND", {.round_v = half_up}},
      {"N-TRUNC", {.round_v = cut}},
      {"N-ROUND", {.round = away}},
      {"N-ROUND", {.round = half_up}},
      {"N-TRUNC", {.round = cut}},
      {"N-ROUND", {.round = away, .round_v = away}},
      {"N-TRUNC", {.round = cut, .round_v = cut}},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

void suspect_layers(Expect& expect, const Running::Arguments& in, const Reals& right) {
  const auto looks = [&](const char* code, const Reals& wrong) {
    if (wrong != right) expect.suspect(code, "y", wrong);
  };
  const std::vector<WrongLayer> all = wrong_layers();
  for (const auto& [code, way] : all) {
    if (way.sum != SumOf::kDouble) looks(code, run_layer(in, way));
  }
  looks("N-FORMULA", run_in_reals(in, /*with_bias_steps=*/true));
  for (const auto& [code, way] : all) looks(code, run_layer(in, way));
  looks("N-FORMULA", run_in_reals(in, /*with_bias_steps=*/false));
}

/// Without some rows, outputs or inputs.
FakeLayer corner_of(const FakeLayer& layer, Size part) {
  const auto [inputs, outputs] = size_of(layer);
  FakeLayer less = layer;
  less.weight =
      corner(layer.weight, static_cast<int>(inputs), static_cast<std::ptrdiff_t>(part.outputs),
             static_cast<std::ptrdiff_t>(part.inputs));
  less.weight_scales.resize(part.outputs);
  less.bias.resize(part.outputs);
  return less;
}

std::vector<Size> smaller_sizes(Size size) {
  std::vector<Size> all;
  for (const Size part :
       {Size{size.inputs, size.outputs / 2}, Size{size.inputs / 2, size.outputs},
        Size{size.inputs, size.outputs - 1}, Size{size.inputs - 1, size.outputs}}) {
    if (part.inputs >= 1 && part.outputs >= 1 &&
        (part.inputs < size.inputs || part.outputs < size.outputs)) {
      all.push_back(part);
    }
  }
  return all;
}

std::vector<Running::Arguments> smaller_runs(const Running::Arguments& in) {
  const auto& [x, layer] = in;
  const Size size = size_of(layer);
  const std::size_t rows = x.size() / size.inputs;
  const auto with = [&, &x = x, &layer = layer](std::size_t some_rows, Size part) {
    return Running::Arguments{
        corner(x, static_cast<int>(size.inputs), static_cast<std::ptrdiff_t>(some_rows),
               static_cast<std::ptrdiff_t>(part.inputs)),
        corner_of(layer, part)};
  };
  std::vector<Running::Arguments> all;
  if (rows > 1) all.push_back(with(rows / 2, size));
  if (rows > 1) all.push_back(with(rows - 1, size));
  for (const Size part : smaller_sizes(size)) all.push_back(with(rows, part));
  return all;
}

std::vector<Folding::Arguments> smaller_folds(const Folding::Arguments& in) {
  std::vector<Folding::Arguments> all;
  for (const Size part : smaller_sizes(size_of(in.a))) all.push_back({corner_of(in.a, part)});
  return all;
}

// --- fake_linear --------------------------------------------------------------------------------

Shape rows_by_outputs(const Running::Arguments& in) {
  const std::size_t outputs = std::max<std::size_t>(in.b.bias.size(), 1);
  const std::size_t inputs = std::max<std::size_t>(in.b.weight.size() / outputs, 1);
  return {in.a.size() / inputs, outputs};
}

const Running running{{"x", "weight", "weight_scales", "bias", "input_scale", "input_zero_point",
                       "output_scale", "output_zero_point"},
                      {"y"},
                      suspect_layers,
                      {.sizes = rows_by_outputs, .smaller = smaller_runs}};

/// One input and one output.
FakeLayer one_weight(float weight, float weight_scale, float bias, float input_scale = 1,
                     std::int32_t input_zero = 0, float output_scale = 1,
                     std::int32_t output_zero = 0) {
  return {{weight}, {weight_scale}, {bias}, input_scale, input_zero, output_scale, output_zero};
}

const FakeLayer two_by_two{{1, 10, 20, 30}, {1, 1}, {5, -7}, 1, 0, 1, 0};
const FakeLayer three_by_two{{1, 2, 3, -1, 4, -5}, {1, 0.5f}, {0.5f, 3}, 0.5f, 0, 0.25f, 0};

constexpr const char* kEndsOfX = "a is clamped to [-128, 127] - input_zero_point";
constexpr const char* kEndsOfY = "v is clamped to [-128, 127] - output_zero_point";

TEST(fake_linear, FollowsTheFormula) {
  running.gives({{"One", {{3}, one_weight(2, 1, 1)}, {7}},
                 {"RowsAndColumns", {{1, 2, 3, 4}, two_by_two}, {26, 73, 48, 127}},
                 {"Scales", {{1.5f}, one_weight(-0.75f, 0.25f, 2, 0.5f, 0, 0.25f, 0)}, {1}},
                 {"ScaleOfEachOutput",
                  {{1}, {{1, 0.5f}, {1, 0.5f}, {0, 0}, 1, 0, 0.5f, 0}},
                  {1, 0.5f},
                  "weight_scales[j] is that of output j"},
                 {"ThreeInputs", {{1, -1, 2, 0, 0.5f, 0}, three_by_two}, {5.5f, -12, 1.5f, 5}},
                 {"ClampsX", {{1000, -1000}, one_weight(1, 1, 0, 1, 0, 2, 0)}, {128, -128}},
                 {"ClampsWeights", {{1}, {{1000, -1000}, {1, 1}, {0, 0}, 1, 0, 1, 0}}, {127, -128}},
                 {"ClampsY", {{100, -100}, one_weight(2, 1, 0)}, {127, -128}},
                 {"ZeroIsExact",
                  {{0}, one_weight(5, 1, 0, 1, 100, 0.5f, -9)},
                  {0},
                  "a and y are codes less their zero points, so that 0 gives 0"},
                 {"InputZeroPoint",
                  {{-200, 200, 27, 28}, one_weight(1, 1, 0, 1, 100, 4, 0)},
                  {-200, 28, 28, 28},
                  kEndsOfX},
                 {"OtherZeroPoint",
                  {{-200, 200, -29, -28}, one_weight(1, 1, 0, 1, -100, 4, 0)},
                  {-28, 200, -28, -28},
                  kEndsOfX},
                 {"OutputZeroPoint",
                  {{127, -128, 1}, one_weight(2, 1, 0, 1, 0, 1, 5)},
                  {122, -133, 2},
                  kEndsOfY},
                 {"OutputBelow",
                  {{127, -128, 1}, one_weight(2, 1, 0, 1, 0, 1, -5)},
                  {132, -123, 2},
                  kEndsOfY},
                 {"HugeX", {{3e38f, -3e38f}, one_weight(1, 1, 0)}, {127, -128}},
                 {"InfiniteX",
                  {{3e38f, -3e38f}, one_weight(1, 1, 0, FLT_MIN, 0, FLT_MIN, 0)},
                  {127 * FLT_MIN, -128 * FLT_MIN}},
                 {"HugeWeights", {{1}, {{3e38f, -3e38f}, {1, 1}, {0, 0}, 1, 0, 1, 0}}, {127, -128}},
                 {"OutputZeroPointAtTheEnd",
                  {{5, -100, -128}, one_weight(1, 1, 0, 1, 0, 1, 127)},
                  {0, -100, -128}},
                 {"AtTheOther", {{5, -5, 127}, one_weight(1, 1, 0, 1, 0, 1, -128)}, {5, 0, 127}},
                 {"InfiniteV",
                  {{100, -100}, one_weight(1e30f, 1e30f, 0, 1, 0, 1e-8f, 0)},
                  {1e-8f * 127, 1e-8f * -128}},
                 {"InfiniteY",
                  {{1e20f, -1e20f}, one_weight(1e19f, 1e19f, 0, 1e19f, 0, 3e38f, 0)},
                  {kInfinity, -kInfinity}},
                 {"LongestLayer",
                  {Reals(32'768, 255), {Reals(32'768, -128), {1}, {0}, 1, -128, 0x1p24f, 0}},
                  {-64 * 0x1p24f}},
                 {"NoRows", {{}, one_weight(2, 1, 1)}, {}}});
}

/// As many products of 127 and 127 as inputs, and a bias that leaves `rest` of their sum.
Running::Arguments far_sum(std::size_t inputs, std::int32_t rest) {
  const auto bias = static_cast<float>(rest - static_cast<std::int32_t>(inputs) * 127 * 127);
  return {Reals(inputs, 127), {Reals(inputs, 127), {1}, {bias}, 1, 0, 1, 0}};
}

// 1045 * 127 * 127 - 13 is 16854792, which float32 holds: the sum is 13 when nothing is lost on the
// way. "RoundedOnce": 2^24 + 1 becomes 2^24, and its product with 5 * 2^-25 is the tie 2.5.
TEST(fake_linear, SumIsExact) {
  running.gives({{"Beyond2To24", far_sum(1045, 13), {13}},
                 {"Longer", far_sum(1055, 25), {25}},
                 {"RoundedOnce", {{5}, one_weight(0x1p-25f, 0x1p-25f, 2.5f, 5, 0, 1, 0)}, {2}},
                 {"LargestBias", {{1}, one_weight(1, 1, 0x1p30f, 1, 0, 0x1p24f, 0)}, {0x1p30f}}});
}

/// The product of the codes a and w, and nothing else.
Running::Arguments one_product(float a, float w, float x_scale, float w_scale, float y_scale) {
  return {{a * x_scale}, one_weight(w * w_scale, w_scale, 0, x_scale, 0, y_scale, 0)};
}

FakeLayer some_layer(std::size_t inputs, std::size_t outputs, std::uint64_t which) {
  FakeLayer layer;
  layer.weight = normal_tensor(inputs * outputs, which);
  layer.weight_scales = uniform_tensor(outputs, which + 1, 0.005f, 0.03f);
  layer.bias = normal_tensor(outputs, which + 2, 2.0f);
  layer.input_scale = uniform_tensor(1, which + 3, 0.01f, 0.03f)[0];
  layer.output_scale =
      0.02f * std::sqrt(static_cast<float>(inputs)) * uniform_tensor(1, which + 4, 0.5f, 2.0f)[0];
  const auto zeros = code_tensor<std::int32_t>(2, which + 5, -128, 127);
  layer.input_zero_point = zeros[0];
  layer.output_zero_point = zeros[1];
  return layer;
}

std::vector<Running::Input> layers(Seed seed_of, std::size_t longest) {
  std::vector<Running::Input> inputs;
  for (const auto& [rows, columns, outputs] : std::vector<std::array<std::size_t, 3>>{
           {1, 1, 1}, {2, 3, 2}, {1, 31, 5}, {5, 32, 1}, {3, 33, 7}, {2, longest, 3}}) {
    const std::uint64_t which = seed_of(rows * 4096 + columns);
    inputs.push_back(
        {size_text(MatmulShape{static_cast<int>(rows), static_cast<int>(outputs),
                               static_cast<int>(columns)}),
         {normal_tensor(rows * columns, which + 6), some_layer(columns, outputs, which)}});
  }
  return inputs;
}

constexpr const char* kOneUnit =
    "bias[j] is divided once: by the product of the two scales, which is a float32";
constexpr const char* kOneFactor =
    "whole numbers are summed, and float32(sum) is multiplied once, in float32, by the one factor";

// In the rows of one product, and in that of a bias, the contract's order gives a tie in float32;
// any other order, and double, gives a little more or less.
TEST(fake_linear, RoundsWhereIntegersDo) {
  running.gives(
      {{"TieOfV", {{1, 3, 5, -1}, one_weight(1, 1, 0, 1, 0, 2, 0)}, {0, 4, 4, 0}},
       {"TieOfVOddZeroPoint",
        {{1, 3, 5, -1}, one_weight(1, 1, 0, 1, 0, 2, 1)},
        {0, 4, 4, 0},
        "v is rounded without output_zero_point"},
       {"TieOfX", {{0.5f, 1.5f, 2.5f, -1.5f}, one_weight(1, 1, 0)}, {0, 2, 2, -2}},
       {"TieOfXOddZeroPoint",
        {{0.5f, 1.5f, 2.5f}, one_weight(1, 1, 0, 1, 1, 1, 0)},
        {0, 2, 2},
        "x / input_scale is rounded without input_zero_point"},
       {"TieOfWeight", {{1}, {{0.5f, 1.5f, 2.5f}, {1, 1, 1}, {0, 0, 0}, 1, 0, 1, 0}}, {0, 2, 2}},
       {"TieOfBias", {{0}, {{1, 1, 1}, {1, 1, 1}, {0.5f, 1.5f, 2.5f}, 1, 0, 1, 0}}, {0, 2, 2}},
       {"RoundsTheBias",
        {{2}, one_weight(1.25f, 1.25f, 0.5f)},
        {2},
        "b[j] is a whole number: bias[j] in units of the sum, rounded"},
       {"OneFactor",
        one_product(8, 93, 0.334322572f, 0.0794149563f, 0.415860206f),
        {0.415860206f * 48},
        kOneFactor},
       {"OneFactorAgain",
        one_product(117, 38, 0.200991228f, 0.0474600457f, 0.473861814f),
        {0.473861814f * 90},
        kOneFactor},
       {"OneUnit",
        {{0}, one_weight(1, 0.0954451486f, 1.41870844f, 0.249817207f, 0, 0.0238438398f, 0)},
        {0.0238438398f * 60},
        kOneUnit},
       {"OneDivision",
        {{0.75000006f, 3.75000024f}, one_weight(1, 1, 0, 0.3f, 0, 0.3f, 0)},
        {0.3f * 2, 0.3f * 12}}});
  running.agrees_with([](const auto& in) { return run_layer(in); }, layers(seed, 1009));
}

struct BrokenLayer {
  const char* code;
  FakeLayer layer;
};

std::vector<BrokenLayer> broken_layers() {
  std::vector<BrokenLayer> all;
  const auto add = [&](const char* code, const auto& change) {
    all.push_back({code, two_by_two});
    change(all.back().layer);
  };
  add("N-SIZE", [](FakeLayer& l) { l.weight_scales.pop_back(); });
  add("N-SIZE", [](FakeLayer& l) { l.weight_scales.push_back(1); });
  add("N-SIZE", [](FakeLayer& l) { l.weight.pop_back(); });
  add("N-SIZE", [](FakeLayer& l) { l.weight.clear(); });
  add("N-SIZE", [](FakeLayer& l) { l.weight = {}, l.weight_scales = {}, l.bias = {}; });
  add("N-SIZE", [](FakeLayer& l) { l.weight_scales = {}, l.bias = {}; });
  for (const float value : {kNan, kInfinity, -kInfinity}) {
    add("N-NAN", [&](FakeLayer& l) { l.weight[3] = value; });
    add("N-NAN", [&](FakeLayer& l) { l.bias[1] = value; });
    add("N-NAN", [&](FakeLayer& l) { l.weight_scales[1] = value; });
    add("N-NAN", [&](FakeLayer& l) { l.input_scale = value; });
    add("N-NAN", [&](FakeLayer& l) { l.output_scale = value; });
  }
  for (const float value : {0.0f, FLT_MIN / 2}) {
    add("N-DIV0", [&](FakeLayer& l) { l.weight_scales[1] = value; });
    add("N-DIV0", [&](FakeLayer& l) { l.input_scale = value; });
    add("N-DIV0", [&](FakeLayer& l) { l.output_scale = value; });
  }
  add("N-DIV0",
      [](FakeLayer& l) { l.weight_scales[1] = FLT_MIN / 2, l.input_scale = 4, l.bias[1] = 0; });
  add("N-DIV0", [](FakeLayer& l) {
    l.input_scale = FLT_MIN / 2, l.weight_scales = {4, 4}, l.bias = {0, 0};
  });
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = -1, l.weight_scales = {-1, -1}; });
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = -1, l.output_scale = -1; });
  add("N-SCALE", [](FakeLayer& l) { l.weight_scales = {1, -1}, l.output_scale = -1; });
  for (const std::int32_t zero : {-129, 128}) {
    add("N-RANGE", [&](FakeLayer& l) { l.input_zero_point = zero; });
    add("N-RANGE", [&](FakeLayer& l) { l.output_zero_point = zero; });
  }
  // products of scales that are too small or too large, where each of them alone is fine
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = 1e-30f, l.weight_scales[1] = 1e-10f; });
  add("N-SCALE", [](FakeLayer& l) { l.input_scale = 1e30f, l.weight_scales[1] = 1e10f; });
  add("N-SCALE",
      [](FakeLayer& l) { l.output_scale = 1e30f, l.weight_scales[1] = 1e-10f, l.bias[1] = 0; });
  add("N-SCALE", [](FakeLayer& l) { l.output_scale = 1e-30f, l.weight_scales[1] = 1e10f; });
  add("N-SCALE", [](FakeLayer& l) {  // the unit is no float, its quotient is
    l.weight_scales[1] = 1e-20f, l.input_scale = 1e-20f, l.output_scale = 1e-30f, l.bias = {0, 0};
  });
  add("N-OVERFLOW", [](FakeLayer& l) { l.bias[1] = 0x1.000002p30f; });
  add("N-OVERFLOW", [](FakeLayer& l) { l.bias[1] = -0x1.000002p30f; });
  add("N-OVERFLOW", [](FakeLayer& l) { l.bias[1] = 1e30f, l.input_scale = 1e-30f; });
  all.push_back({"N-OVERFLOW", {Reals(32'769, 1), {1}, {0}, 1, 0, 1, 0}});
  return all;
}

TEST(fake_linear, RefusesWhatIsNoLayer) {
  std::vector<Running::Refused> refused{{"N-SIZE", {{1, 2, 3}, two_by_two}},
                                        {"N-SIZE", {{1}, two_by_two}},
                                        {"N-NAN", {{1, kNan}, two_by_two}},
                                        {"N-NAN", {{1, 2, kInfinity, 4}, two_by_two}},
                                        {"N-NAN", {{1, 2, 3, -kInfinity}, two_by_two}}};
  for (const auto& [code, layer] : broken_layers()) {
    refused.push_back({code, {Reals(layer.weight.size() > 4 ? layer.weight.size() : 2, 1), layer}});
    refused.push_back({code, {{}, layer}});
  }
  running.refuses({{"Layer", {{1, 2, 3, 4}, two_by_two}, {26, 73, 48, 127}}}, refused);
}

// --- fold_to_integers ---------------------------------------------------------------------------

struct FoldWay {
  LayerWay layer = {};
  int zero_points = -1;     ///< how many times the sum of the weights are added to a bias
  bool sum_of_all = false;  ///< of all outputs
  bool sum_of_one = false;  ///< of inputs, each taken for 1
  bool output_zero = true;
  bool in_16_bits = false;  ///< the sum of the weights
  bool in_float = false;    ///< the bias
};

IntegerLayer fold(const FakeLayer& layer, const FoldWay& way = {}) {
  const auto [inputs, outputs] = size_of(layer);
  IntegerLayer folded{{}, {}, {}, way.output_zero ? layer.output_zero_point : 0};
  std::vector<double> sums(outputs);
  for (std::size_t j = 0; j < outputs; ++j) {
    const float scale = unit_scale(layer, j, way.layer);
    folded.multiplier.push_back(way.layer.factor(1, layer.input_scale, scale, layer.output_scale));
    for (std::size_t p = 0; p < inputs; ++p) {
      const float weight = whole_weight(layer, j, p, way.layer);
      folded.weight.push_back(
          static_cast<std::int8_t>(static_cast<std::int32_t>(std::clamp(weight, -1e9f, 1e9f))));
      sums[j] += way.sum_of_one ? 1.0 : static_cast<double>(folded.weight.back());
    }
  }
  const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
  for (std::size_t j = 0; j < outputs; ++j) {
    if (way.in_16_bits) sums[j] = static_cast<std::int16_t>(static_cast<std::int32_t>(sums[j]));
    const double bias = whole_bias(layer, j, way.layer) +
                        way.zero_points * layer.input_zero_point * (way.sum_of_all ? all : sums[j]);
    const double kept = way.in_float ? static_cast<float>(bias) : bias;
    folded.bias.push_back(static_cast<std::int32_t>(std::clamp(kept, -2e9, 2e9)));
  }
  return folded;
}

IntegerLayer fold_by_definition(const Folding::Arguments& in) { return fold(in.a); }

void suspect_folds(Expect& expect, const Folding::Arguments& in, const IntegerLayer& right) {
  const auto looks = [&](const char* code, const FoldWay& way) {
    const IntegerLayer wrong = fold(in.a, way);
    if (wrong.weight != right.weight) expect.suspect(code, "weight", wrong.weight);
    if (wrong.bias != right.bias) expect.suspect(code, "bias", wrong.bias);
    if (wrong.multiplier != right.multiplier) {
      expect.suspect(code, "multiplier", wrong.multiplier);
    }
    if (wrong.output_zero_point != right.output_zero_point) {
      expect.suspect(code, "output_zero_point", wrong.output_zero_point);
    }
  };
  looks("N-ZP-SIGN", {.zero_points = 1});
  looks("N-OVERFLOW", {.in_16_bits = true});
  looks("N-FLOAT32", {.in_float = true});
  looks("N-BIAS", {.zero_points = 0});
  looks("N-AXIS", {.sum_of_all = true});
  looks("N-BIAS", {.sum_of_one = true});
  looks("N-ZP-SIGN", {.output_zero = false});
  for (const auto& [code, way] : wrong_layers()) looks(code, {.layer = way});
  Reals inverses;
  for (const float multiplier : right.multiplier) inverses.push_back(1 / multiplier);
  if (inverses != right.multiplier) expect.suspect("N-SCALE", "multiplier", inverses);
}

const Folding folding{{"weight", "weight_scales", "bias", "input_scale", "input_zero_point",
                       "output_scale", "output_zero_point"},
                      {"weight", "bias", "multiplier", "output_zero_point"},
                      suspect_folds,
                      {.smaller = smaller_folds}};

TEST(fold_to_integers, FoldsTheZeroPoint) {
  folding.gives({{"One", {one_weight(3, 1, 5, 1, 2)}, {{3}, {-1}, {1}, 0}},
                 {"Negative", {one_weight(3, 1, 5, 1, -2)}, {{3}, {11}, {1}, 0}},
                 {"NoZeroPoint", {two_by_two}, {{1, 10, 20, 30}, {5, -7}, {1, 1}, 0}},
                 {"EachOutput",
                  {{{1, 10, 20, 30}, {1, 1}, {5, -7}, 1, 3, 1, 0}},
                  {{1, 10, 20, 30}, {-28, -157}, {1, 1}, 0}},
                 {"Scaled",
                  {{{0.5f, -2, 1, 4}, {0.5f, 1}, {1, 6}, 2, -3, 0.5f, 9}},
                  {{1, -4, 1, 4}, {-8, 18}, {2, 4}, 9}},
                 {"SumOfCodes", {one_weight(1000, 1, 0, 1, 1)}, {{127}, {-127}, {1}, 0}},
                 {"SumOfRoundedCodes",
                  {{{1.25f, 1.25f, 2.25f}, {1}, {0}, 1, 1, 1, 0}},
                  {{1, 1, 2}, {-4}, {1}, 0},
                  "the sum is that of the codes w[j,p], not of the weights"},
                 {"BeyondFloat", {one_weight(-1, 1, 16777216, 1, 1)}, {{-1}, {16'777'217}, {1}, 0}},
                 {"ManyWeights",
                  {{Reals(300, 127), {1}, {0}, 1, 1, 1, 0}},
                  {Codes(300, 127), {-38'100}, {1}, 0}},
                 {"LongestLayer",
                  {{Reals(32'768, -128), {1}, {0x1p30f}, 1, 127, 1, 0}},
                  {Codes(32'768, -128), {1'606'418'432}, {1}, 0}},
                 {"OtherEnd",
                  {{Reals(32'768, -128), {1}, {-0x1p30f}, 1, -128, 1, 0}},
                  {Codes(32'768, -128), {-1'610'612'736}, {1}, 0}}});
}

TEST(fold_to_integers, SameCodesSameFactor) {
  folding.gives({{"Ties",
                  {{{0.5f, 1.5f, 2.5f, -1.5f}, {1}, {2.5f}, 1, 0, 1, 0}},
                  {{0, 2, 2, -2}, {2}, {1}, 0}},
                 {"Clamped",
                  {{{1000, -1000, 127.4f, 3e38f}, {1}, {0}, 1, 0, 1, 0}},
                  {{127, -128, 127, 127}, {0}, {1}, 0}},
                 {"PerOutput", {three_by_two}, {{1, 2, 3, -2, 8, -10}, {1, 12}, {2, 1}, 0}},
                 {"OutputZeroPoint", {one_weight(3, 1, 5, 1, 0, 1, -77)}, {{3}, {5}, {1}, -77}},
                 {"OneDivision", {one_weight(-0.75000006f, 0.3f, 0)}, {{-2}, {0}, {0.3f}, 0}},
                 {"OneUnit",
                  {one_weight(0, 0.0954451486f, 1.41870844f, 0.249817207f)},
                  {{0}, {60}, {0.249817207f * 0.0954451486f}, 0},
                  kOneUnit},
                 {"OneFactor",
                  {one_weight(0, 0.213326588f, 0, 0.195671037f, 0, 0.329183996f)},
                  {{0}, {0}, {0.126803949f}, 0},
                  "the product of two scales, rounded to float32, is divided by output_scale"},
                 {"LargestBias", {one_weight(1, 1, -0x1p30f)}, {{1}, {-1'073'741'824}, {1}, 0}}});
  std::vector<Folding::Input> inputs;
  for (const auto& [name, in] : layers(seed, 1009)) inputs.push_back({name, {in.b}});
  folding.agrees_with(fold_by_definition, inputs);
}

/// What a device would be given for x.
Codes codes_of(const Reals& x, const FakeLayer& layer) {
  Codes q;
  const auto zero = static_cast<float>(layer.input_zero_point);
  for (const float value : x) {
    const float code = to_even(value / layer.input_scale) + zero;
    q.push_back(static_cast<std::int8_t>(std::clamp(code, -128.0f, 127.0f)));
  }
  return q;
}

TEST(fold_to_integers, AgreesExactly) {
  running.on_each(layers(seed, 257), [](Expect& expect, const auto& in) {
    const auto& [x, layer] = in;
    const Size size = size_of(layer);
    const Reals y = running(in);
    const IntegerLayer folded = folding({layer});
    expect.equal("the number of weights", folded.weight.size(), layer.weight.size());
    expect.equal("the number of biases", folded.bias.size(), size.outputs);
    expect.equal("the number of multipliers", folded.multiplier.size(), size.outputs);
    if (expect.failure()) return;
    Reals from_integers;
    for (const std::int8_t code : integer_linear(codes_of(x, layer), folded)) {
      from_integers.push_back(layer.output_scale *
                              static_cast<float>(code - layer.output_zero_point));
    }
    expect.equal("what the integers stand for", from_integers, y,
                 {x.size() / size.inputs, size.outputs});
  });
}

TEST(fold_to_integers, RefusesWhatIsNoLayer) {
  std::vector<Folding::Refused> refused;
  for (const auto& [code, layer] : broken_layers()) refused.push_back({code, {layer}});
  folding.refuses({{"Layer", {two_by_two}, {{1, 10, 20, 30}, {5, -7}, {1, 1}, 0}}}, refused);
}

// --- The picture --------------------------------------------------------------------------------

/// The grid of docs/examples/09_staircase.cpp.
const Grid kDrawn{1, 0, -2, 3};

/// Each eighth from -4 to 4.
Reals drawn_x() {
  Reals x;
  for (int eighths = -32; eighths <= 32; ++eighths) x.push_back(static_cast<float>(eighths) / 8);
  return x;
}

/// What one of the gradients gives for a tensor of three times the same value: sqrt(n * qmax) is 3,
/// so that a gradient is the slope of one value, and exact.
template <auto gradient>
Reals slopes_by() {
  Reals slopes;
  for (const float x : drawn_x()) {
    slopes.push_back(call<gradient>(Reals{x, x, x}, Reals{1, 1, 1}, kDrawn));
  }
  return slopes;
}

/// `from` says whose values they are.
void draw_curve(Picture& picture, const char* from, record::Curve curve, const auto& ask) {
  draw_answer(picture, from, [&] {
    const Reals values = ask();
    const auto refuse = [&](const std::string& why) {
      picture.notes.push_back(std::string(from) + ": " + why);
    };
    if (values.size() != drawn_x().size()) {
      return refuse("of 65 values came " + std::to_string(values.size()));
    }
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) {
      return refuse("not all of what came are numbers");
    }
    curve.values.assign(values.begin(), values.end());
    picture.staircase.push_back(curve);
  });
}

Reals drawn_x_hat() {
  Reals x_hat;
  for (const float x : drawn_x()) x_hat.push_back(fake_quantize(x, kDrawn));
  return x_hat;
}

void draw_staircase(Picture& picture) {
  draw_curve(picture, "fake_quantize", {"x_hat", -2, 3, 1, {}}, drawn_x_hat);
  draw_curve(picture, "fake_quantize_backward", {"by x", 0, 1, 1, {}}, [] {
    return call<&fake_quantize_backward>(drawn_x(), Reals(drawn_x().size(), 1.0f), kDrawn);
  });
  draw_curve(picture, "scale_gradient", {"by scale", -2, 3, 4, {}}, slopes_by<&scale_gradient>);
  draw_curve(picture, "zero_point_gradient", {"by zero point", -1, 0, 1, {}},
             slopes_by<&zero_point_gradient>);
}
const bool has_picture = register_picture(
    {"fake_quantize_backward", "scale_gradient", "zero_point_gradient"}, draw_staircase);

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

TEST(fake_quantize_backward, EqualsTheReference) {
  back.agrees_with(back.reference, tensors<Back::Input>(hidden_seed, 1021));
}

TEST(scale_gradient, EqualsTheReference) {
  of_scale.agrees_with(of_scale.reference, tensors<OfScale::Input>(hidden_seed, 1021));
}

TEST(zero_point_gradient, EqualsTheReference) {
  of_zero.agrees_with(of_zero.reference, tensors<OfZero::Input>(hidden_seed, 1021));
}

TEST(learn_scale, EqualsTheReference) {
  std::vector<Learning::Input> inputs;
  for (int bits = 2; bits <= 8; ++bits) {
    const std::uint64_t which = hidden_seed(static_cast<std::uint64_t>(bits));
    const float rate = 0.01f * static_cast<float>(1 + mix(which, 1) % 9);
    inputs.push_back(
        {std::to_string(bits) + " bits",
         {normal_tensor(500, which), bits, 3.3f / static_cast<float>(1 << bits), rate, 30}});
  }
  learning.agrees_with(learning.reference, inputs);
}

TEST(fake_linear, EqualsTheReference) {
  running.agrees_with(running.reference, layers(hidden_seed, 1021));
}

TEST(fold_to_integers, EqualsTheReference) {
  std::vector<Folding::Input> inputs;
  for (const auto& [name, in] : layers(hidden_seed, 1021)) inputs.push_back({name, {in.b}});
  folding.agrees_with(folding.reference, inputs);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
