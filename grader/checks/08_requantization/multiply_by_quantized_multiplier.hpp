// Lab 08, multiply_by_quantized_multiplier: what is right, and what people write instead.
#pragma once

#include "requantization.hpp"

#include "checks/08_requantization/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_08_requantization {

using Multiplying = Exercise<&multiply_by_quantized_multiplier>;

/// Every product and its half fits: 64 bits of mantissa.
using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64);

inline Real saturated(Real value) { return std::clamp<Real>(value, kFirst, kLast); }
inline Real half_up(Real value) { return std::floor(value + 0.5L); }
inline Real half_away(Real value) { return std::round(value); }

/// One product: what a rule makes of x, multiplier, shift and rounding.
using Rule = Real (*)(Real, Real, int, Rounding);

/// The formulas of the contract, with their roundings and clamps left open.
template <auto Single, auto High, auto Last, auto Clamp = saturated, int Behind = 31>
Real product(Real x, Real multiplier, int shift, Rounding rounding) {
  if (rounding == Rounding::kSingle) {
    return Clamp(Single(std::ldexp(x * multiplier, shift - Behind)));
  }
  const Real high =
      High(std::ldexp(Clamp(std::ldexp(x, std::max(shift, 0))) * multiplier, -Behind));
  return Last(std::ldexp(high, std::min(shift, 0)));
}
inline constexpr Rule kRight = product<half_up, half_up, half_away>;

inline Real down(Real value) { return std::floor(value); }
inline Real towards_0(Real value) { return std::trunc(value); }
inline Real to_even(Real value) { return std::nearbyint(value); }
inline Real in_double(Real value) { return std::floor(static_cast<double>(value) + 0.5); }
inline Real far_beyond(Real value) { return value; }
inline Real symmetric(Real value) { return std::clamp<Real>(value, -kLast, kLast); }
inline Real cut(Real value) {  // to 32 bits
  return wrapped(static_cast<std::int64_t>(std::clamp<Real>(value, -0x1p62L, 0x1p62L)));
}
inline constexpr const char* kOtherRounding =
    "rounded as kDouble asks with kSingle, or the other way round";
inline Real other_rounding(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(x, multiplier, shift,
                rounding == Rounding::kSingle ? Rounding::kDouble : Rounding::kSingle);
}
/// Cut before the multiplication, as kDouble asks, where kSingle has one end.
inline Real cut_on_the_left(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(saturated(std::ldexp(x, std::max(shift, 0))), multiplier, std::min(shift, 0),
                rounding);
}
/// What is lost in a rounding does not come back to the left of it.
inline Real left_at_last(Real x, Real multiplier, int shift, Rounding rounding) {
  return std::ldexp(kRight(x, multiplier, std::min(shift, 0), rounding), std::max(shift, 0));
}
inline Real other_way(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(x, multiplier, std::clamp(-shift, -31, 30), rounding);
}
inline Real never_left(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(x, multiplier, std::min(shift, 0), rounding);
}
/// 1 << -1 is what the CPU makes of it, when a shift of 0 adds its half.
inline Real half_of_nothing(Real x, Real multiplier, int shift, Rounding rounding) {
  const Real right = kRight(x, multiplier, shift, rounding);
  return rounding == Rounding::kDouble && shift >= 0 ? saturated(right - 0x1p63L) : right;
}
/// The half is an int of 32 bits.
inline Real short_half(Real x, Real multiplier, int shift, Rounding rounding) {
  if (rounding == Rounding::kDouble) return kRight(x, multiplier, shift, rounding);
  const int half = wrapped(std::int64_t{1} << ((30 - shift) % 32));
  return saturated(std::floor(std::ldexp(x * multiplier + half, shift - 31)));
}
inline Real sum_of_32_bits(Real x, Real multiplier, int shift, Rounding rounding) {
  if (rounding == Rounding::kSingle || shift >= 0) return kRight(x, multiplier, shift, rounding);
  const Real high = kRight(x, multiplier, 0, rounding);
  const Real sum = wrapped(static_cast<std::int64_t>(std::abs(high) + std::ldexp(0.5L, -shift)));
  return std::floor(std::ldexp(sum, shift)) * (high < 0 ? -1 : 1);
}
inline Real product_in_32_bits(Real x, Real multiplier, int shift, Rounding rounding) {
  const Real low = wrapped(static_cast<std::int64_t>(x) * static_cast<std::int64_t>(multiplier));
  return kRight(low, 1, shift, rounding);
}
inline Real read_as_float(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(saturated(static_cast<float>(x)), multiplier, shift, rounding);
}

struct Mistake {
  const char* code;
  const char* words;
  Rule rule;
  bool is_of_first = false;  ///< of two roundings: with one, it is a mistake of every rounding
};
/// A case has one rounding. First what few numbers show: where that fits, it is no accident.
inline constexpr Mistake kWrongProducts[] = {
    {"N-CLAMP", "left = x * 2^shift is not clamped to int32 before the product",
     product<half_up, half_up, half_away, far_beyond>},
    {"N-RANGE", "what is clamped ends at -2^31 + 1, and should end at -2^31",
     product<half_up, half_up, half_away, symmetric>},
    {"N-CLAMP", "what is beyond int32 is cut to 32 bits, and should be clamped",
     product<half_up, half_up, half_away, cut>},
    {"N-FLOAT32", "a product is kept in a double, which counts exactly to 2^53",
     product<in_double, in_double, half_away>},
    {"N-OVERFLOW", "high and the half that is added to it wrap around in 32 bits", sum_of_32_bits},
    {"N-FORMULA", "x * 2^shift is clamped before the product, and kSingle clamps y alone",
     cut_on_the_left},
    {"N-SHIFT", "the shift to the left comes behind the rounding, and should come before it",
     left_at_last},
    {"N-ROUND", "a half of the second rounding goes up, and should go away from 0",
     product<half_up, half_up, half_up>},
    {"N-ROUND",
     "a half of the second rounding goes to the even neighbour, and should go away from 0",
     product<half_up, half_up, to_even>},
    {"N-ROUND", "a half of the first rounding goes away from 0, and should go up, below 0, too",
     product<half_up, half_away, half_away>},
    {"N-ROUND", "a half goes away from 0, and should go up, below 0, too",
     product<half_away, half_up, half_away>},
    {"N-ROUND", "a half goes to the even neighbour, and no rounding here should send it there",
     product<to_even, to_even, to_even>},
    {"N-FORMULA", kOtherRounding, other_rounding},
    {"N-TRUNC", "products are rounded down, and should be to the nearest integer",
     product<down, down, down>},
    {"N-TRUNC", "products are rounded towards 0, and should be to the nearest integer",
     product<towards_0, towards_0, towards_0>},
    {"N-TRUNC", "the first rounding goes down, and should go to the nearest integer",
     product<half_up, down, half_away>, true},
    {"N-TRUNC", "the first rounding goes towards 0, and should go to the nearest integer",
     product<half_up, towards_0, half_away>, true},
    {"N-TRUNC", "the second rounding goes down, and should go to the nearest integer",
     product<half_up, half_up, down>},
    {"N-TRUNC", "the second rounding goes towards 0, and should go to the nearest integer",
     product<half_up, half_up, towards_0>},
    {"N-SHIFT", "the product is divided by 2^30, and should be by 2^31",
     product<half_up, half_up, half_away, saturated, 30>},
    {"N-SHIFT", "the product is divided by 2^32, and should be by 2^31",
     product<half_up, half_up, half_away, saturated, 32>},
    {"N-SHIFT", "a shift above 0 goes to the right, and should go to the left", other_way},
    {"N-SHIFT", "a half is added where nothing is shifted: 1 << -1 is none", half_of_nothing},
    {"N-SHIFT", "the half of a long shift is kept in 32 bits", short_half},
    {"N-SHIFT", "a shift above 0 is left out", never_left},
    {"N-OVERFLOW", "x * multiplier is kept in 32 bits", product_in_32_bits},
    {"N-FLOAT32", "x is kept in a float, which counts exactly to 2^24", read_as_float},
};

/// Those of them that may be told apart.
inline std::vector<Mistake> wrong_products(const Factors& factors) {
  const bool rounds_twice = std::ranges::any_of(factors.shift, [](int shift) { return shift < 0; });
  std::vector<Mistake> all;
  for (const Mistake& one : kWrongProducts) {
    if (rounds_twice || !one.is_of_first) all.push_back(one);
  }
  return all;
}

/// Which factor an element of x meets: that of its column, unless somebody is mistaken.
inline std::size_t column(std::size_t at, std::size_t n) { return at % n; }
inline std::size_t row(std::size_t at, std::size_t n) { return at / n % n; }
inline std::size_t first(std::size_t, std::size_t) { return 0; }

/// Illegal arguments, which shrinking may make, have no right answer.
inline Sums products_by(Rule rule, const Sums& x, const Factors& factors, Rounding rounding,
                        std::size_t (*channel)(std::size_t, std::size_t) = column) {
  const std::size_t n = factors.multiplier.size();
  NIBBLE_EXPECTS(n == factors.shift.size(), n);
  NIBBLE_EXPECTS(n == 0 ? x.empty() : x.size() % n == 0, n);
  Sums y;
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::size_t j = channel(at, n);
    const Real value = rule(x[at], factors.multiplier[j], factors.shift[j], rounding);
    y.push_back(static_cast<std::int32_t>(saturated(value)));
  }
  return y;
}

inline constexpr const char* kFactorOfColumn0 = "all columns have the factor of column 0";

inline void suspect_products(Expect& expect, const Multiplying::Arguments& in, const Sums&) {
  const auto& [x, factors, rounding] = in;
  for (const Mistake& wrong : wrong_products(factors)) {
    expect.suspect(wrong.code, "y", products_by(wrong.rule, x, factors, rounding), wrong.words);
  }
  if (factors.multiplier.size() > 1) {
    expect.suspect("N-AXIS", "y", products_by(kRight, x, factors, rounding, row),
                   "the factor is that of the row, and belongs to the column");
    expect.suspect("N-AXIS", "y", products_by(kRight, x, factors, rounding, first),
                   kFactorOfColumn0);
  }
}

inline const Multiplying multiplying{
    {"x", "multiplier", "shift", "rounding"}, {"y"}, suspect_products};

/// Every shift there is, for the ends, for numbers around a half of many sizes, and some more.
inline std::vector<Multiplying::Input> every_shift(Seed seed_of, const Sums& multipliers) {
  Sums x{0, 1, -1, 2, -2, 3, -3, kLast, kFirst, kLast - 1, kFirst + 1, kHalf, -kHalf};
  for (const int bits : {4, 9, 17, 24, 28}) {
    for (const int off : {-1, 0, 1}) {
      x.push_back((1 << bits) + off);
      x.push_back(-(3 << bits) + off);
    }
  }
  for (const std::int32_t value : code_tensor<std::int32_t>(12, seed_of(9), -kHalf, kHalf - 2)) {
    x.push_back(value >> (x.size() % 16));
  }
  std::vector<Multiplying::Input> inputs;
  for (const Rounding rounding : kBoth) {
    for (const std::int32_t multiplier : multipliers) {
      for (int shift = -31; shift <= 30; ++shift) {
        inputs.push_back({show(rounding) + std::to_string(multiplier) + "." + std::to_string(shift),
                          {x, {{multiplier}, {shift}}, rounding}});
      }
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_08_requantization
