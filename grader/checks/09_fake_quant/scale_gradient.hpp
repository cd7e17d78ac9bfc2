// Lab 09, scale_gradient: what is right, and what people write instead.
#pragma once

#include "fake_quant.hpp"

#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"

namespace nibble::judge::lab_09_fake_quant {

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

inline float divided(double sum, std::size_t n, const Grid& grid) {
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
inline float end_of(int side, const Grid& grid, std::int32_t zero) {
  return static_cast<float>((side < 0 ? grid.qmin : grid.qmax) - zero);
}

inline float slope_by_scale(float x, int side, const Grid& grid, const Way& way = {}) {
  if (side != 0) return end_of(side, grid, grid.zero_point);
  const float v = way.quotient(x, grid.scale);
  return way.round(v) - v;
}

inline float scale_by_definition(const OfScale::Arguments& in) {
  const auto slope = [&](float x, int side) { return slope_by_scale(x, side, in.c); };
  return divided(summed(in, slope).value, in.a.size(), in.c);
}

/// Other divisors, and other sums. `right` is what they must not be.
inline void suspect_divisors(Expect& expect, const OfScale::Arguments& in, const Sum& sum,
                             float right) {
  const auto& [x, upstream, grid] = in;
  const auto looks = [&](const char* code, double value, const char* words) {
    const auto gradient = static_cast<float>(value);
    if (gradient != right) expect.suspect(code, "gradient", gradient, words);
  };
  // all or none: of several guesses at one mistake, to differ from one says nothing
  const auto group = [&](const char* code, const char* words, std::initializer_list<double> all) {
    const auto is_right = [&](double value) { return static_cast<float>(value) == right; };
    if (std::ranges::all_of(all, is_right)) return;
    for (const double value : all) {
      expect.suspect(code, "gradient", static_cast<float>(value), words);
    }
  };
  if (x.empty()) return;
  const auto n = static_cast<double>(x.size());
  const double qmax = grid.qmax;
  const float float_root = std::sqrt(static_cast<float>(n) * static_cast<float>(qmax));
  group("N-FORMULA", "the sum is divided once: by the root of the product n * qmax",
        {sum.value / (std::sqrt(n) * std::sqrt(qmax)), sum.value * (1 / std::sqrt(n * qmax)),
         sum.of_quotients});
  group("N-FLOAT32", "products and their sum are float32: they are double",
        {divided(sum.in_float, x.size(), grid), divided(sum.of_floats, x.size(), grid)});
  looks("N-FORMULA", divided(sum.backwards, x.size(), grid), "");
  looks("N-FORMULA", divided(sum.of_slopes, x.size(), grid),
        "upstream is left out: each slope is multiplied by it");
  if (x.size() > 1)
    looks("N-TAIL", divided(sum.without_last, x.size(), grid), "the last value is left out");
  if (std::isinf(right)) {
    expect.suspect("N-INF", "gradient", std::copysign(FLT_MAX, right),
                   "a gradient beyond the largest float is that float: it is infinite");
  }
  looks("N-FORMULA", sum.value / float_root, "");
  looks("N-FLOAT32", sum.in_float / float_root, "");
  looks("N-DENOM", sum.value / std::sqrt(sum.terms * qmax),
        "n counts those with a slope: it is x.size()");
  looks("N-FORMULA", -divided(sum.value, x.size(), grid), "");
  const auto narrow = static_cast<std::int32_t>(static_cast<std::uint32_t>(x.size()) *
                                                static_cast<std::uint32_t>(grid.qmax));
  looks("N-OVERFLOW", sum.value / std::sqrt(double{0} + narrow),
        "n * qmax is more than 32 bits hold");
  const std::pair<double, const char*> divisors[] = {
      {1, "the sum is not divided"},
      {n * qmax, "divided by n * qmax: it is by the root of it"},
      {std::sqrt(qmax), "divided by the root of qmax: it is of n * qmax"},
      {1 / std::sqrt(n * qmax), "multiplied by the root of n * qmax: it is divided"},
      {std::sqrt(n * (qmax - grid.qmin)),
       "divided by the root of n * (qmax - qmin): it is n * qmax"},
      {std::sqrt(n * (qmax + 1)), "divided by the root of n * (qmax + 1): it is n * qmax"},
      {std::sqrt(n) * qmax, "divided by qmax, not by its root"},
      {n * std::sqrt(qmax), "divided by n, not by its root"},
      {std::sqrt(n * (qmax - grid.zero_point)),
       "divided by the root of n * (qmax - zero_point): it is n * qmax"},
      {std::sqrt((n - 1) * qmax), "divided by the root of (n - 1) * qmax: it is n * qmax"}};
  for (const auto& [divisor, words] : divisors) looks("N-DENOM", sum.value / divisor, words);
  group("N-DENOM", "qmax is left out of the divisor: it is the root of n * qmax",
        {sum.value / n, sum.value / std::sqrt(n)});
}

inline void suspect_slopes(Expect& expect, const OfScale::Arguments& in, float right) {
  const auto& [x, upstream, grid] = in;
  const auto looks = [&](const char* code, const char* words, const auto& slope,
                         const Way& way = {}) {
    const float gradient = divided(summed(in, slope, way).value, in.a.size(), in.c);
    if (gradient != right) expect.suspect(code, "gradient", gradient, words);
  };
  const Grid& g = grid;
  const auto usual = [&](float x_i, int side) { return slope_by_scale(x_i, side, g); };
  // round() with a slope of 0 (of two kinds), and the other half of the product rule
  looks("N-STE", "inside the slope is round(x / scale): x / scale is subtracted",
        [&](float x_i, int side) {
          return side != 0 ? end_of(side, g, g.zero_point) : to_even(x_i / g.scale);
        });
  looks("N-STE", "inside the slope is -x / scale: round(x / scale) - x / scale",
        [&](float x_i, int side) {
          return side != 0 ? end_of(side, g, g.zero_point) : -(x_i / g.scale);
        });
  looks("N-STE", "inside the slope is 0: it is round(x / scale) - x / scale",
        [&](float x_i, int side) { return side != 0 ? end_of(side, g, g.zero_point) : 0 * x_i; });
  looks("N-FORMULA", "", [&](float x_i, int side) {
    const float slope = usual(x_i, side);
    return side != 0 ? slope : -slope;
  });
  looks("N-FORMULA", "", [&](float x_i, int side) {
    const float slope = usual(x_i, side);
    return side != 0 ? -slope : slope;
  });
  looks("N-MASK", "outside the slope is 0: it is the end less the zero point",
        [&](float x_i, int side) { return side != 0 ? 0 : usual(x_i, side); });
  looks("N-MASK", "outside the slope is that of inside: it is the end less the zero point",
        [&](float x_i, int) { return usual(x_i, 0); });
  looks("N-MASK", "outside x / scale is subtracted: the slope is the end less the zero point",
        [&](float x_i, int side) {
          return side != 0 ? end_of(side, g, g.zero_point) - x_i / g.scale : usual(x_i, side);
        });
  looks("N-ZP-SIGN", "outside the slope is qmin or qmax: the zero point is subtracted from it",
        [&](float x_i, int side) { return side != 0 ? end_of(side, g, 0) : usual(x_i, side); });
  looks("N-ZP-SIGN", "outside the zero point is added to the end: it is subtracted",
        [&](float x_i, int side) {
          return side != 0 ? end_of(side, g, -g.zero_point) : usual(x_i, side);
        });
  looks("N-ZP-SIGN", "outside the slope is qmin or qmax: the zero point is subtracted from it",
        [&](float x_i, int side) {
          return usual(x_i, side) + (side != 0 ? 0.0f : static_cast<float>(g.zero_point));
        });
  looks("N-SCALE", "the slope is in real units: it is in steps",
        [&](float x_i, int side) { return usual(x_i, side) * g.scale; });
  looks("N-SCALE", "outside the slope is in real units: it is in steps",
        [&](float x_i, int side) { return usual(x_i, side) * (side != 0 ? g.scale : 1.0f); });
  looks("N-SCALE", "inside the slope is in real units: it is in steps",
        [&](float x_i, int side) { return usual(x_i, side) * (side != 0 ? 1.0f : g.scale); });
  looks("N-ORDER", "below has the slope of above, and above that of below",
        [&](float x_i, int side) { return usual(x_i, -side); });
  for (const auto& [code, way, words] : wrong_ways()) {
    const Way& w = way;
    looks(code, words, usual, way);
    looks(
        code, words, [&](float x_i, int side) { return slope_by_scale(x_i, side, g, w); }, way);
  }
  OfScale::Arguments backwards = in;
  std::ranges::reverse(backwards.a);
  std::ranges::reverse(backwards.b);
  const float reversed = divided(summed(backwards, usual).value, x.size(), grid);
  if (reversed != right) expect.suspect("N-FORMULA", "gradient", reversed);
  suspect_divisors(expect, in, summed(in, usual), right);
}

/// A gradient that is no number tells where it came from, though it equals nothing.
inline void look_at_gradient(Expect& expect, const OfScale::Arguments& in, float got, float want) {
  const auto product = static_cast<std::uint64_t>(in.a.size()) * static_cast<unsigned>(in.c.qmax);
  const char* const code = product == 0 ? "N-NAN" : product >> 31 != 0 ? "N-OVERFLOW" : "N-FLOAT32";
  expect.that(!std::isnan(got), "the gradient is NaN", code);
  expect.equal("gradient", got, want);
}

inline const OfScale of_scale{
    {"x", "upstream", "scale", "zero_point", "qmin", "qmax"}, {"gradient"}, suspect_slopes};

/// `count` values that are all above, and what comes back is the same for each.
template <class Of = OfScale>
typename Of::Arguments all_above(std::size_t count, float upstream, const Grid& grid) {
  return {Reals(count, 4 * grid.scale * static_cast<float>(grid.qmax)), Reals(count, upstream),
          grid};
}

inline const char* const kFirstToLast = "terms are added in double, from the first to the last";

}  // namespace nibble::judge::lab_09_fake_quant
