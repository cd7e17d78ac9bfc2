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

inline void suspect_slopes(Expect& expect, const OfScale::Arguments& in, float right) {
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
