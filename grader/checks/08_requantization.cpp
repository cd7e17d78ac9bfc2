// Lab 08: the checks.
#include "requantization.hpp"

#include "checks/marks/08_requantization.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble {
std::string show(Rounding rounding) {
  return rounding == Rounding::kSingle ? "kSingle" : "kDouble";
}
std::string show(Activation activation) {
  return activation == Activation::kRelu ? "kRelu" : "kRelu6";
}
}  // namespace nibble

namespace nibble::judge {
namespace {

using Reals = std::vector<double>;
using Factors = QuantizedMultiplier;

constexpr std::int32_t kFirst = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kHalf = 1 << 30;  // the multiplier of a mantissa of 1/2
constexpr std::int32_t kThreeQuarters = 3 << 29;
constexpr Rounding kBoth[] = {Rounding::kSingle, Rounding::kDouble};

std::int32_t wrapped(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

// --- quantize_multiplier ------------------------------------------------------------------------

using Quantizing = Exercise<&quantize_multiplier>;

/// What the contract says, and what it leaves out when `part` is left out.
struct Quantized {
  double (*round)(double) = [](double value) { return std::floor(value + 0.5); };
  bool halves_2_to_the_31 = true;
  bool vanishes = true;

  Factors operator()(const Reals& factors) const {
    Factors all;
    for (const double factor : factors) {
      int shift = 0;
      auto multiplier = static_cast<std::int64_t>(round(std::frexp(factor, &shift) * 0x1p31));
      if (halves_2_to_the_31 && multiplier >> 31 != 0) {
        multiplier /= 2;
        ++shift;
      }
      if (vanishes && shift < -31) multiplier = shift = 0;
      all.multiplier.push_back(wrapped(multiplier));
      all.shift.push_back(shift);
    }
    return all;
  }
};

void suspect_quantized(Expect& expect, const Quantizing::Arguments& in, const Factors& right) {
  const Reals& factors = in.a;
  const auto looks = [&](const char* code, const Factors& wrong) {
    if (wrong.multiplier != right.multiplier) {
      expect.suspect(code, "multiplier", wrong.multiplier);
    } else {
      expect.suspect(code, "shift", wrong.shift);
    }
  };
  const auto each = [&](const char* code, const auto& change) {
    Factors wrong = right;
    for (std::size_t j = 0; j < factors.size(); ++j) change(wrong.multiplier[j], wrong.shift[j]);
    looks(code, wrong);
  };
  looks("N-TRUNC", Quantized{[](double value) { return std::floor(value); }}(factors));
  looks("N-ROUND", Quantized{[](double value) { return std::nearbyint(value); }}(factors));
  looks("N-SHIFT", Quantized{.vanishes = false}(factors));
  Reals floats;
  for (const double factor : factors) floats.push_back(static_cast<float>(factor));
  looks("N-FLOAT32", Quantized{}(floats));
  each("N-SHIFT", [](auto&, auto& shift) { shift = -shift; });
  each("N-SHIFT", [](auto&, auto& shift) { --shift; });
  each("N-SHIFT", [](auto&, auto& shift) { shift -= 31; });
  each("N-SHIFT", [](auto& multiplier, auto&) { multiplier /= 2; });
  each("N-SHIFT", [](auto& multiplier, auto& shift) {  // vanishes before it is rounded
    if (shift == -31 && multiplier == kHalf) multiplier = shift = 0;
  });
  looks("N-CARRY", Quantized{.halves_2_to_the_31 = false}(factors));
  each("N-CARRY", [](auto& multiplier, auto& shift) {  // cut to what an int32 holds
    if (multiplier != kHalf) return;
    multiplier = kLast;
    --shift;
  });
  each("N-CARRY", [](auto& multiplier, auto& shift) {  // halved, and not made up for
    if (multiplier == kHalf) --shift;
  });
}

const Quantizing quantizing{{"factors"}, {"multiplier", "shift"}, suspect_quantized};

TEST(quantize_multiplier, TakesTheFactorApart) {
  quantizing.gives(
      {{"Half", {{0.5}}, {{kHalf}, {0}}},
       {"ThreeQuarters", {{0.75}}, {{kThreeQuarters}, {0}}},
       {"One", {{1.0}}, {{kHalf}, {1}}},
       {"Three", {{3.0}}, {{kThreeQuarters}, {2}}},
       {"Quarter", {{0.25}}, {{kHalf}, {-1}}},
       {"Several", {{0.375, 20, 0x1p-20}}, {{kThreeQuarters, 5 << 28, kHalf}, {-1, 5, -19}}},
       {"None", {Reals{}}, {}}});
}

/// Factors below 2^29 and downwards, of so many octaves: with 66 of them some vanish.
std::vector<Quantizing::Input> random_factors(Seed seed_of, std::size_t longest, int octaves) {
  std::vector<Quantizing::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{67}, longest}) {
    Reals factors;
    const auto mantissas = uniform_tensor(2 * count, seed_of(count), 0.5f, 1.0f);
    for (std::size_t j = 0; j < count; ++j) {  // the second float fills the bits behind the first
      const double mantissa = mantissas[2 * j] + (mantissas[2 * j + 1] - 0.75) * 0x1p-23;
      factors.push_back(std::ldexp(mantissa, 29 - static_cast<int>(j) % octaves));
    }
    inputs.push_back({std::to_string(count), {factors}});
  }
  return inputs;
}

// (2^30 + k + 1/2) / 2^31 lies between two multipliers. No float holds such a mantissa.
TEST(quantize_multiplier, RoundsTheMantissa) {
  const auto between = [](std::int64_t k, double rest) {
    return (static_cast<double>(kHalf + k) + rest) * 0x1p-31;
  };
  quantizing.gives({{"UpAndDown",
                     {{between(7, 0.75), between(7, 0.25), between(100, 0.9), between(100, 0.1)}},
                     {{kHalf + 8, kHalf + 7, kHalf + 101, kHalf + 100}, {0, 0, 0, 0}}},
                    {"OneThird", {{1.0 / 3, 0.003}}, {{1431655765, 1649267442}, {-1, -8}}},
                    {"Halves",
                     {{between(0, 0.5), between(1, 0.5), between(2, 0.5), between(kHalf - 2, 0.5)}},
                     {{kHalf + 1, kHalf + 2, kHalf + 3, kLast}, {0, 0, 0, 0}}}});
  quantizing.agrees_with([](const auto& in) { return Quantized{}(in.a); },
                         random_factors(seed, 1021, 60));
}

// 0.003 stands beside each, so that a mantissa that is cut, or a shift off by one, is seen as that.
TEST(quantize_multiplier, NeverReachesTwoToThe31) {
  const auto beside = [](const char* name, double factor, std::int32_t multiplier, int shift) {
    return Quantizing::Row{name, {{factor, 0.003}}, {{multiplier, 1649267442}, {shift, -8}}};
  };
  quantizing.gives({beside("AlmostOne", 1 - 0x1p-40, kHalf, 1),
                    beside("NextToOne", 1 - 0x1p-53, kHalf, 1),
                    beside("HalfBelow", 1 - 0x1p-32, kHalf, 1),
                    beside("LastThatIsLess", 1 - 0x1.8p-32, kLast, 0),
                    beside("AlmostASixteenth", 0x1p-4 - 0x1p-50, kHalf, -3),
                    beside("AlmostEight", 8 - 0x1p-40, kHalf, 4)});
}

// 2^-32 times -2^31 is one half; a little less is none.
TEST(quantize_multiplier, VanishesBelowOneHalf) {
  quantizing.gives(
      {{"Last", {{0x1p-32, 0x1.8p-32}}, {{kHalf, kThreeQuarters}, {-31, -31}}},
       {"RoundedToTheLast",
        {{0x1p-32 - 0x1p-80, 0.003}},
        {{kHalf, 1649267442}, {-31, -8}},
        "rounding makes the shift one more here, and the shift is judged behind the rounding"},
       {"Below", {{0x1p-33, 0x1.8p-33}}, {{0, 0}, {0, 0}}},
       {"Tiny", {{1e-300, 0x1p-1074}}, {{0, 0}, {0, 0}}},
       {"Zero", {{0.0, -0.0}}, {{0, 0}, {0, 0}}}});
}

TEST(quantize_multiplier, RefusesWhatHasNoShift) {
  quantizing.refuses({{"Largest", {{1.0, 0x1p30 - 0.5}}, {{kHalf, kLast}, {1, 30}}}},
                     {{"N-SHIFT", {{1.0, 0x1p30}}},
                      {"N-SHIFT", {{0x1p30 - 0x1p-20}}},
                      {"N-SHIFT", {{1e300}}},
                      {"N-SCALE", {{-0.5}}},
                      {"N-SCALE", {{-1e-300, 0.5}}},
                      {"N-NAN", {{std::numeric_limits<double>::quiet_NaN()}}},
                      {"N-NAN", {{std::numeric_limits<double>::infinity()}}}});
}

// --- multiply_by_quantized_multiplier -----------------------------------------------------------

using Multiplying = Exercise<&multiply_by_quantized_multiplier>;

/// Every product and its half fits: 64 bits of mantissa.
using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64);

Real saturated(Real value) { return std::clamp<Real>(value, kFirst, kLast); }
Real half_up(Real value) { return std::floor(value + 0.5L); }
Real half_away(Real value) { return std::round(value); }

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
constexpr Rule kRight = product<half_up, half_up, half_away>;

Real down(Real value) { return std::floor(value); }
Real towards_0(Real value) { return std::trunc(value); }
Real to_even(Real value) { return std::nearbyint(value); }
Real in_double(Real value) { return std::floor(static_cast<double>(value) + 0.5); }
Real far_beyond(Real value) { return value; }
Real symmetric(Real value) { return std::clamp<Real>(value, -kLast, kLast); }
Real cut(Real value) {  // to 32 bits
  return wrapped(static_cast<std::int64_t>(std::clamp<Real>(value, -0x1p62L, 0x1p62L)));
}
Real other_rounding(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(x, multiplier, shift,
                rounding == Rounding::kSingle ? Rounding::kDouble : Rounding::kSingle);
}
/// Cut before the multiplication, as kDouble asks, where kSingle has one end.
Real cut_on_the_left(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(saturated(std::ldexp(x, std::max(shift, 0))), multiplier, std::min(shift, 0),
                rounding);
}
/// What is lost in a rounding does not come back to the left of it.
Real left_at_last(Real x, Real multiplier, int shift, Rounding rounding) {
  return std::ldexp(kRight(x, multiplier, std::min(shift, 0), rounding), std::max(shift, 0));
}
Real other_way(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(x, multiplier, std::clamp(-shift, -31, 30), rounding);
}
/// 1 << -1 is what the CPU makes of it, when a shift of 0 adds its half.
Real half_of_nothing(Real x, Real multiplier, int shift, Rounding rounding) {
  const Real right = kRight(x, multiplier, shift, rounding);
  return rounding == Rounding::kDouble && shift >= 0 ? saturated(right - 0x1p63L) : right;
}
/// The half is an int of 32 bits.
Real short_half(Real x, Real multiplier, int shift, Rounding rounding) {
  if (rounding == Rounding::kDouble) return kRight(x, multiplier, shift, rounding);
  const int half = wrapped(std::int64_t{1} << ((30 - shift) % 32));
  return saturated(std::floor(std::ldexp(x * multiplier + half, shift - 31)));
}
Real sum_of_32_bits(Real x, Real multiplier, int shift, Rounding rounding) {
  if (rounding == Rounding::kSingle || shift >= 0) return kRight(x, multiplier, shift, rounding);
  const Real high = kRight(x, multiplier, 0, rounding);
  const Real sum = wrapped(static_cast<std::int64_t>(std::abs(high) + std::ldexp(0.5L, -shift)));
  return std::floor(std::ldexp(sum, shift)) * (high < 0 ? -1 : 1);
}
Real product_in_32_bits(Real x, Real multiplier, int shift, Rounding rounding) {
  const Real low = wrapped(static_cast<std::int64_t>(x) * static_cast<std::int64_t>(multiplier));
  return kRight(low, 1, shift, rounding);
}
Real read_as_float(Real x, Real multiplier, int shift, Rounding rounding) {
  return kRight(saturated(static_cast<float>(x)), multiplier, shift, rounding);
}

struct Mistake {
  const char* code;
  Rule rule;
};
/// A case has one rounding. First what few numbers show: where that fits, it is no accident.
constexpr Mistake kWrongProducts[] = {
    {"N-CLAMP", product<half_up, half_up, half_away, far_beyond>},
    {"N-RANGE", product<half_up, half_up, half_away, symmetric>},
    {"N-CLAMP", product<half_up, half_up, half_away, cut>},
    {"N-FLOAT32", product<in_double, in_double, half_away>},
    {"N-OVERFLOW", sum_of_32_bits},
    {"N-FORMULA", cut_on_the_left},
    {"N-SHIFT", left_at_last},
    {"N-ROUND", product<half_up, half_up, half_up>},
    {"N-ROUND", product<half_up, half_up, to_even>},
    {"N-ROUND", product<half_away, half_away, half_away>},
    {"N-ROUND", product<to_even, to_even, to_even>},
    {"N-FORMULA", other_rounding},
    {"N-TRUNC", product<down, down, down>},
    {"N-TRUNC", product<towards_0, towards_0, towards_0>},
    {"N-TRUNC", product<half_up, down, half_away>},
    {"N-TRUNC", product<half_up, towards_0, half_away>},
    {"N-TRUNC", product<half_up, half_up, down>},
    {"N-TRUNC", product<half_up, half_up, towards_0>},
    {"N-SHIFT", product<half_up, half_up, half_away, saturated, 30>},
    {"N-SHIFT", product<half_up, half_up, half_away, saturated, 32>},
    {"N-SHIFT", other_way},
    {"N-SHIFT", half_of_nothing},
    {"N-SHIFT", short_half},
    {"N-OVERFLOW", product_in_32_bits},
    {"N-FLOAT32", read_as_float},
};

/// Which factor an element of x meets: that of its column, unless somebody is mistaken.
std::size_t column(std::size_t at, std::size_t n) { return at % n; }
std::size_t row(std::size_t at, std::size_t n) { return at / n % n; }
std::size_t first(std::size_t, std::size_t) { return 0; }

/// Illegal arguments, which shrinking may make, have no right answer.
Sums products_by(Rule rule, const Sums& x, const Factors& factors, Rounding rounding,
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

void suspect_products(Expect& expect, const Multiplying::Arguments& in, const Sums&) {
  const auto& [x, factors, rounding] = in;
  for (const auto& [code, rule] : kWrongProducts) {
    expect.suspect(code, "y", products_by(rule, x, factors, rounding));
  }
  if (factors.multiplier.size() < 2) return;
  expect.suspect("N-AXIS", "y", products_by(kRight, x, factors, rounding, row));
  expect.suspect("N-AXIS", "y", products_by(kRight, x, factors, rounding, first));
}

const Multiplying multiplying{{"x", "multiplier", "shift", "rounding"}, {"y"}, suspect_products};

/// The same rows for both roundings.
std::vector<Multiplying::Row> with_both(const std::vector<Multiplying::Row>& rows) {
  std::vector<Multiplying::Row> all;
  for (const Rounding rounding : kBoth) {
    for (Multiplying::Row row : rows) {
      auto& [x, factors, asked] = row.in;
      asked = rounding;
      row.name += rounding == Rounding::kSingle ? "Once" : "Twice";
      all.push_back(row);
    }
  }
  return all;
}

TEST(multiply_by_quantized_multiplier, MultipliesByTheFactor) {
  constexpr Rounding any{};
  multiplying.gives(with_both(
      {{"Half", {{10, -10, 1000000}, {{kHalf}, {0}}, any}, {5, -5, 500000}},
       {"One", {{7, -7, 123457}, {{kHalf}, {1}}, any}, {7, -7, 123457}},
       {"Three", {{7, -7, 1001}, {{kThreeQuarters}, {2}}, any}, {21, -21, 3003}},
       {"ThreeSixteenths", {{32, -64, 16}, {{kThreeQuarters}, {-2}}, any}, {6, -12, 3}},
       {"Large", {{1 << 28, -(1 << 28)}, {{kThreeQuarters}, {-4}}, any}, {12582912, -12582912}},
       {"Nothing", {{5, -5, kLast}, {{0}, {-3}}, any}, {0, 0, 0}},
       {"EachChannel",
        {{8, 8, 8, -16, -16, -16}, {{kHalf, kHalf, kThreeQuarters}, {0, -2, 1}}, any},
        {4, 1, 12, -8, -2, -24}},
       {"NoRows", {{}, {{kHalf, kHalf}, {0, 1}}, any}, {}},
       {"NoChannels", {{}, {{}, {}}, any}, {}}}));
}

TEST(multiply_by_quantized_multiplier, SingleRoundsHalvesUp) {
  constexpr Rounding single = Rounding::kSingle;
  multiplying.gives(
      {{"Halves", {{1, 3, 5, -1, -3, -5}, {{kHalf}, {0}}, single}, {1, 2, 3, 0, -1, -2}},
       {"Quarters",
        {{1, 2, 3, 5, 6, -1, -2, -3, -5, -6}, {{kHalf}, {-1}}, single},
        {0, 1, 1, 1, 2, 0, 0, -1, -1, -1}},
       {"NoSecondTime", {{41833, 41830}, {{1649267442}, {-8}}, single}, {125, 125}},
       {"ByThree", {{1, -1, 3, -3}, {{kThreeQuarters}, {1}}, single}, {2, -1, 5, -4}}});
}

// Of 5/4 the high multiply makes 5/2 and then 3 halves, which is 2 when they are rounded again.
TEST(multiply_by_quantized_multiplier, DoubleRoundsTwice) {
  constexpr Rounding twice = Rounding::kDouble;
  multiplying.gives(
      {{"Once", {{1, 3, 5, -1, -3, -5}, {{kHalf}, {0}}, twice}, {1, 2, 3, 0, -1, -2}},
       {"Quarters",
        {{1, 2, 3, 5, 6, -1, -2, -3, -5, -6}, {{kHalf}, {-1}}, twice},
        {1, 1, 1, 2, 2, 0, -1, -1, -1, -2}},
       {"OfTheReadme", {{41833, 41830}, {{1649267442}, {-8}}, twice}, {126, 125}},
       {"ToTheLeft", {{1, -1, 3, -3}, {{kThreeQuarters}, {1}}, twice}, {2, -1, 5, -4}}});
}

// With double rounding it is left that is cut, and a mantissa of 1/2 makes half of int32 of it.
TEST(multiply_by_quantized_multiplier, Saturates) {
  const Sums ends{kLast, kFirst, kHalf, -kHalf}, few{2, -3, 0};
  const Factors two{{kHalf}, {2}}, large{{kLast}, {30}}, more{{kThreeQuarters}, {1}};
  multiplying.gives(
      {{"Single",
        {ends, two, Rounding::kSingle},
        {kLast, kFirst, kLast, kFirst},
        "kSingle clamps y alone, to [-2^31, 2^31 - 1]"},
       {"SingleFar", {few, large, Rounding::kSingle}, {kLast, kFirst, 0}},
       {"SingleNot", {{kHalf, -kHalf}, more, Rounding::kSingle}, {1610612736, -1610612736}},
       {"Double",
        {ends, two, Rounding::kDouble},
        {kHalf, -kHalf, kHalf, -kHalf},
        "kDouble clamps left = x * 2^shift, before the product"},
       {"DoubleFar", {few, large, Rounding::kDouble}, {kLast - 1, -kLast, 0}},
       {"DoubleLeft", {{kHalf, -kHalf}, more, Rounding::kDouble}, {1610612735, -1610612736}}});
}

/// Every shift there is, for the ends, for numbers around a half of many sizes, and some more.
std::vector<Multiplying::Input> every_shift(Seed seed_of, const Sums& multipliers) {
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

TEST(multiply_by_quantized_multiplier, EveryShift) {
  multiplying.agrees_with([](const auto& in) { return products_by(kRight, in.a, in.b, in.c); },
                          every_shift(seed, {kHalf, kThreeQuarters, 1649267442, kLast}));
}

TEST(multiply_by_quantized_multiplier, RefusesWhatIsNoFactor) {
  constexpr Rounding any{};
  multiplying.refuses({{"Fits",
                        {{4, 4, 1 << 30, 1 << 30}, {{kHalf, kLast}, {-31, 30}}, any},
                        {0, kLast, 0, kLast}}},
                      {{"N-SHIFT", {{4}, {{0}, {31}}, any}},
                       {"N-SHIFT", {{4}, {{kHalf}, {-32}}, any}},
                       {"N-RANGE", {{4}, {{kHalf - 1}, {0}}, any}},
                       {"N-RANGE", {{}, {{-kHalf}, {0}}, any}},
                       {"N-RANGE", {{4, 4}, {{kHalf, 1}, {0, 0}}, any}},
                       {"N-SIZE", {{4, 4}, {{kHalf, kHalf}, {0, 0, 0}}, any}},
                       {"N-SIZE", {{4, 4, 4}, {{kHalf, kHalf}, {0, 0}}, any}},
                       {"N-SIZE", {{4}, {{}, {}}, any}}});
}

// --- requantize ---------------------------------------------------------------------------------

using Requantizing = Exercise<&requantize>;

/// One element on its way from a sum to a code.
struct Element {
  std::int64_t acc, bias;
  std::int32_t multiplier;
  int shift;
  std::int64_t zero_point;
  Rounding rounding;

  Real times(Real x, Rule rule = kRight) const { return rule(x, multiplier, shift, rounding); }
  Real sum() const { return saturated(acc + bias); }
  Real steps() const { return times(sum()); }
};

std::int8_t on_grid(Real value, Real low = -128, Real high = 127) {
  return static_cast<std::int8_t>(std::clamp(value, low, high));
}

/// give(element) for every element of acc.
template <class Give>
Codes each_code(const Requantizing::Arguments& in, const Give& give) {
  const auto& [acc, bias, factors, zero_point, rounding] = in;
  const std::size_t n = factors.multiplier.size();
  NIBBLE_EXPECTS(n == factors.shift.size() && (bias.empty() || bias.size() == n), n);
  NIBBLE_EXPECTS(n == 0 ? acc.empty() : acc.size() % n == 0, n);
  Codes c;
  for (std::size_t at = 0; at < acc.size(); ++at) {
    const std::size_t j = at % n;
    c.push_back(give(Element{acc[at], bias.empty() ? 0 : bias[j], factors.multiplier[j],
                             factors.shift[j], zero_point, rounding}));
  }
  return c;
}

std::int8_t right_code(const Element& e) { return on_grid(e.steps() + e.zero_point); }

void suspect_requantized(Expect& expect, const Requantizing::Arguments& in, const Codes&) {
  const auto looks = [&](const char* code, const auto& give) {
    expect.suspect(code, "c", each_code(in, give));
  };
  using E = const Element&;
  looks("N-BIAS", [](E e) { return on_grid(e.times(e.acc) + e.zero_point); });
  looks("N-BIAS", [](E e) { return on_grid(e.times(e.acc) + e.bias + e.zero_point); });
  looks("N-BIAS", [](E e) { return on_grid(e.times(saturated(e.acc - e.bias)) + e.zero_point); });
  looks("N-ZERO", [](E e) { return on_grid(e.times(saturated(e.sum() + e.zero_point))); });
  looks("N-ZERO", [](E e) { return on_grid(e.steps()); });
  looks("N-ZP-SIGN", [](E e) { return on_grid(e.steps() - e.zero_point); });
  looks("N-RANGE", [](E e) { return on_grid(e.steps() + e.zero_point, -127); });
  looks("N-RANGE", [](E e) { return on_grid(e.steps() + e.zero_point, 0, 255); });
  looks("N-CLAMP", [](E e) {
    return static_cast<std::int8_t>(static_cast<std::int64_t>(e.steps() + e.zero_point));
  });
  looks("N-FORMULA", [](E e) { return on_grid(on_grid(e.steps()) + e.zero_point); });
  looks("N-CLAMP", [](E e) {  // clamped, and then moved
    return static_cast<std::int8_t>(on_grid(e.steps()) + e.zero_point);
  });
  looks("N-CLAMP", [](E e) { return on_grid(e.times(e.acc + e.bias) + e.zero_point); });
  looks("N-OVERFLOW", [](E e) { return on_grid(e.times(wrapped(e.acc + e.bias)) + e.zero_point); });
  looks("N-OVERFLOW",
        [](E e) { return on_grid(wrapped(static_cast<std::int64_t>(e.steps()) + e.zero_point)); });
  for (const auto& [code, rule] : kWrongProducts) {
    looks(code, [rule = rule](E e) { return on_grid(e.times(e.sum(), rule) + e.zero_point); });
  }
  if (in.b.size() < 2) return;
  const auto take_first = [](Sums& list) { std::ranges::fill(list, list.front()); };
  Requantizing::Arguments one_bias = in, one_factor = in;
  take_first(one_bias.b);
  take_first(one_factor.c.multiplier);
  take_first(one_factor.c.shift);
  expect.suspect("N-AXIS", "c", each_code(one_bias, right_code));
  expect.suspect("N-AXIS", "c", each_code(one_factor, right_code));
}

const Requantizing requantizing{
    {"acc", "bias", "multiplier", "shift", "zero_point", "rounding"}, {"c"}, suspect_requantized};

constexpr Rounding kAny = Rounding::kSingle;
const Factors kThree{{kHalf, kHalf, kThreeQuarters}, {0, 1, -1}};

/// Half of the sums, times 2^shift, with no bias.
Requantizing::Arguments halves(const Sums& acc, int shift, std::int32_t zero_point,
                               Rounding rounding = kAny) {
  return {acc, {}, {{kHalf}, {shift}}, zero_point, rounding};
}

// EachChannel has two rows: a bias that is taken by row, or once for all, differs.
TEST(requantize, AddsTheBiasFirst) {
  requantizing.gives({{"Half", {{20, -20, 100}, {6}, {{kHalf}, {0}}, 0, kAny}, {13, -7, 53}},
                      {"Eighth", {{800, -808, 0}, {80}, {{kHalf}, {-2}}, 0, kAny}, {110, -91, 10}},
                      {"NoBias", halves({20, -20, 100}, 0, 0), {10, -10, 50}},
                      {"EachChannel",
                       {{8, 8, 8, 16, 16, 16}, {4, -4, 100}, kThree, 0, kAny},
                       {6, 4, 41, 10, 12, 44}},
                      {"NoRows", {{}, {1, 2}, {{kHalf, kHalf}, {0, 0}}, 5, kAny}, {}},
                      {"NoChannels", {{}, {}, {{}, {}}, 5, kAny}, {}}});
}

// An odd zero point inside the factor is half of it, or less; halves of sums tell the roundings.
TEST(requantize, AddsTheZeroPointLast) {
  const Sums acc{2, -2, 6, -6, 1, 5};
  requantizing.gives(
      {{"Above", halves({20, -20, 0}, 0, 5), {15, -5, 5}},
       {"Below", {{800, -808, 0}, {80}, {{kHalf}, {-2}}, -101, kAny}, {9, -128, -91}},
       {"SingleHalves",
        halves(acc, -1, 3),
        {4, 3, 5, 2, 3, 4},
        "y is rounded as asked: once with kSingle"},
       {"DoubleHalves",
        halves(acc, -1, 3, Rounding::kDouble),
        {4, 2, 5, 1, 4, 5},
        "y is rounded as asked: twice with kDouble"},
       {"DoubleHalvesBelow", halves(acc, -1, -9, Rounding::kDouble), {-8, -10, -7, -11, -8, -7}}});
}

TEST(requantize, StaysOnTheGrid) {
  requantizing.gives(
      {{"Ends", halves({254, 256, -256, -258, 600}, 0, 0), {127, 127, -128, -128, 127}},
       {"Moved", halves({254, 20, -256, -300, 400}, 0, 100), {127, 110, -28, -50, 127}},
       {"MovedDown", halves({254, 20, -256, 600}, 0, -128), {-1, -118, -128, 127}},
       {"Far", {{kLast, kFirst}, {}, {{kLast}, {-8}}, 0, kAny}, {127, -128}}});
}

TEST(requantize, HoldsLargeSums) {
  const Sums ends{kLast, kFirst}, two{kHalf, kHalf};
  requantizing.gives(
      {{"SumSaturates", {ends, {kHalf, -kHalf}, {two, {-24, -24}}, 0, kAny}, {64, -64}},
       {"SumCancels", {ends, {kFirst, kLast}, {two, {4, 4}}, 1, kAny}, {-7, -7}},
       {"StepsAtTheEnd",
        halves(ends, 1, 127),
        {127, -128},
        "y is an int32, and y + zero_point may be more than one holds"},
       {"StepsAtTheOther", halves(ends, 1, -128, Rounding::kDouble), {127, -128}}});
}

/// What every layer refuses, with `more` arguments between the factors and the zero point.
template <class Refused, class... More>
std::vector<Refused> refused_layers(More... more) {
  const Factors two{{kHalf, kHalf}, {0, 0}};
  const auto row = [&](const char* code, const Sums& acc, const Sums& bias, const Factors& factors,
                       std::int32_t zero_point) {
    if constexpr (sizeof...(More) == 0) {
      return Refused{code, {acc, bias, factors, zero_point, kAny}};
    } else {
      return Refused{code, {acc, bias, factors, more..., zero_point, Activation::kRelu, kAny}};
    }
  };
  return {row("N-SIZE", {4, 4}, {1}, two, 0),     row("N-SIZE", {4, 4}, {1, 2, 3}, two, 0),
          row("N-SIZE", {4, 4, 4}, {}, two, 0),   row("N-SHIFT", {4}, {}, {{kHalf}, {31}}, 0),
          row("N-RANGE", {4}, {}, {{1}, {0}}, 0), row("N-RANGE", {4, 4}, {}, two, 128),
          row("N-RANGE", {4, 4}, {}, two, -129),  row("N-SIZE", {}, {1}, {}, 0)};
}

TEST(requantize, RefusesWhatDoesNotFit) {
  const Factors two{{kHalf, kHalf}, {0, 0}};
  requantizing.refuses({{"Highest", {{4, -4}, {2, 2}, two, 127, kAny}, {127, 126}},
                        {"Lowest", {{4, -4}, {2, 2}, two, -128, kAny}, {-125, -128}}},
                       refused_layers<Requantizing::Refused>());
}

// --- requantize_relu ----------------------------------------------------------------------------

using Activating = Exercise<&requantize_relu>;

Real code_of_six(float c_scale, std::int32_t zero_point) {
  return std::min<Real>(zero_point + half_away(6.0f / c_scale), 127);
}

void suspect_activated(Expect& expect, const Activating::Arguments& in, const Codes&) {
  const Requantizing::Arguments plain{in.a, in.b, in.c, in.e, in.g};
  const float c_scale = in.d;
  const std::int32_t zero_point = in.e;
  const bool relu6 = in.f == Activation::kRelu6;
  const Real low = zero_point, high = relu6 ? code_of_six(c_scale, zero_point) : 127;
  const auto between = [&](const char* code, Real from, Real to) {
    const auto clamped = [=](const Element& e) {
      const Real c = e.steps() + e.zero_point;  // the ends may have crossed
      return static_cast<std::int8_t>(c < from ? from : to < c ? to : c);
    };
    expect.suspect(code, "c", each_code(plain, clamped));
  };
  const float six = 6.0f / c_scale;
  between("N-ZERO", 0, high);
  between("N-ZERO", -128, high);
  if (relu6) {
    between("N-FORMULA", low, std::min(low + half_away(6.0 / c_scale), 127.0L));
    between("N-CLAMP", low, 127);
    const auto whole = static_cast<std::int64_t>(std::min(std::round(six), 0x1p40f));
    between("N-CLAMP", low, std::max<Real>(low, static_cast<std::int8_t>(zero_point + whole)));
    between("N-SCALE", low, 6);
    between("N-SCALE", low, std::min<Real>(low + 6, 127));
    between("N-SCALE", low, std::min<Real>(low + std::round(6.0f * c_scale), 127));
    between("N-ZERO", low, std::min<Real>(std::round(six), 127));
    between("N-ROUND", low, std::min<Real>(low + std::nearbyint(six), 127));
    between("N-ROUND", low, std::min<Real>(low + std::floor(six + 0.5f), 127));
    between("N-TRUNC", low, std::min<Real>(low + std::trunc(six), 127));
  } else {
    between("N-CLAMP", low, code_of_six(c_scale, zero_point));
  }
  for (const auto& [code, rule] : kWrongProducts) {
    const auto give = [=, rule = rule](const Element& e) {
      return on_grid(e.times(e.sum(), rule) + e.zero_point, low, high);
    };
    expect.suspect(code, "c", each_code(plain, give));
  }
}

const Activating activating{
    {"acc", "bias", "multiplier", "shift", "c_scale", "zero_point", "activation", "rounding"},
    {"c"},
    suspect_activated};

/// Sums whose halves are the steps -60, -1, 0, 1, 11, 12, 13, 24, 60.
const Sums kSteps{-120, -2, 0, 2, 22, 24, 26, 48, 120};
const Factors kByHalf{{kHalf}, {0}};

Activating::Arguments relu(const Sums& acc, std::int32_t zero_point, const Sums& bias = {}) {
  return {acc, bias, kByHalf, 0.5f, zero_point, Activation::kRelu, kAny};
}
Activating::Arguments relu6(const Sums& acc, float c_scale, std::int32_t zero_point) {
  return {acc, {}, kByHalf, c_scale, zero_point, Activation::kRelu6, kAny};
}

TEST(requantize_relu, ReluEndsAtTheZeroPoint) {
  activating.gives(
      {{"AtZero", relu(kSteps, 0), {0, 0, 0, 1, 11, 12, 13, 24, 60}},
       {"Above", relu(kSteps, 20), {20, 20, 20, 21, 31, 32, 33, 44, 80}},
       {"Below", relu(kSteps, -100), {-100, -100, -100, -99, -89, -88, -87, -76, -40}},
       {"Lowest", relu({-600, 2, 600}, -128, {-2}), {-128, -128, 127}},
       {"Highest", relu({-600, 2, 600}, 127, {-2}), {127, 127, 127}},
       {"Halves",
        {{2, -2, 6, 5}, {}, {{kHalf}, {-1}}, 0.5f, -3, Activation::kRelu, Rounding::kDouble},
        {-2, -3, -1, -1}},
       {"EachChannel",
        {{8, 8, 8, -16, -16, 160}, {4, -4, 100}, kThree, 0.5f, -4, Activation::kRelu, kAny},
        {2, 0, 37, -4, -4, 94}},
       {"Empty", relu({}, 0), {}}});
}

// 6 is 12 steps of 0.5, and half a step of 12; of the next float it is so little less that adding
// one half makes 1. The float next to 0.8 is a little more: 6 / 0.8 is 7.5 in float, not in double.
TEST(requantize_relu, SixHasACode) {
  activating.gives(
      {{"TwelveSteps", relu6(kSteps, 0.5f, 0), {0, 0, 0, 1, 11, 12, 12, 12, 12}},
       {"Above", relu6(kSteps, 0.5f, 8), {8, 8, 8, 9, 19, 20, 20, 20, 20}},
       {"Below", relu6(kSteps, 0.25f, -100), {-100, -100, -100, -99, -89, -88, -87, -76, -76}},
       {"Rounded", relu6(kSteps, 0.52f, 0), {0, 0, 0, 1, 11, 12, 12, 12, 12}},
       {"Half", relu6({-2, 0, 2, 4, 24}, 12.0f, -5), {-5, -5, -4, -4, -4}},
       {"HalfInFloat",
        relu6({2, 14, 16, 18}, 0.8f, -1),
        {0, 6, 7, 7},
        "6 / c_scale is one float32 division"},
       {"NoStep", relu6({2, 4, -6, 8}, 12.000001f, 2), {2, 2, 2, 2}}});
}

TEST(requantize_relu, SixMayLieOffTheGrid) {
  const Sums acc{-600, 240, 254, 600};
  activating.gives({{"LastCode", relu6(acc, 6.0f / 127, 0), {0, 120, 127, 127}},
                    {"OneMore", relu6(acc, 6.0f / 128, 0), {0, 120, 127, 127}},
                    {"Moved", relu6(acc, 0.05f, 100), {100, 127, 127, 127}},
                    {"Wrapping", relu6(acc, 0.03f, 0), {0, 120, 127, 127}},
                    {"MovedDown",
                     relu6(acc, 0.03f, -128),
                     {-128, -8, -1, 72},
                     "the zero point is added before 127 is the limit"},
                    {"PastInt", relu6(acc, 1e-12f, -128), {-128, -8, -1, 127}},
                    {"Smallest", relu6(acc, FLT_MIN, 0), {0, 120, 127, 127}}});
}

TEST(requantize_relu, RefusesAnUnusableScale) {
  std::vector<Activating::Refused> refused = refused_layers<Activating::Refused>(0.5f);
  for (const float scale : kUnusableScales) {
    for (const Activation activation : {Activation::kRelu, Activation::kRelu6}) {
      refused.push_back({"N-DIV0", {{}, {}, kByHalf, scale, 0, activation, kAny}});
    }
  }
  activating.refuses(
      {{"Relu", {{4, -4}, {2}, kByHalf, FLT_MAX, -128, Activation::kRelu, kAny}, {-125, -128}},
       {"Relu6", {{4, -4}, {2}, kByHalf, FLT_MIN, 3, Activation::kRelu6, kAny}, {6, 3}}},
      refused);
}

// --- add_quantized ------------------------------------------------------------------------------

using Adding = Exercise<&add_quantized>;

/// The contract's formula, with its bits and its products left open.
struct Addition {
  int bits = 20;
  Rule rule = kRight;
  int a_sign = 1, b_sign = 1, c_sign = 1;  ///< of the zero points
  bool exchanges = false;                  ///< each tensor with the other's scale
  double (*unit_of)(double, double) = [](double a, double b) { return 2 * std::max(a, b); };

  Codes operator()(const Adding::Arguments& in) const {
    const auto& [a, b, c_scale, c_zero_point, rounding] = in;
    NIBBLE_EXPECTS(a.q.size() == b.q.size(), a.q.size());
    const double unit = unit_of(a.scale, b.scale);
    const Factors f =
        Quantized{}({(exchanges ? b : a).scale / unit, (exchanges ? a : b).scale / unit,
                     unit / std::ldexp(double{c_scale}, bits)});
    const auto times = [&](Real x, std::size_t at) {
      return rule(x, f.multiplier[at], f.shift[at], in.e);
    };
    Codes c;
    for (std::size_t i = 0; i < a.q.size(); ++i) {
      const Real sum = times(std::ldexp(Real(a.q[i] - a_sign * a.zero_point), bits), 0) +
                       times(std::ldexp(Real(b.q[i] - b_sign * b.zero_point), bits), 1);
      c.push_back(on_grid(times(saturated(sum), 2) + c_sign * c_zero_point));
    }
    return c;
  }
};

/// In real numbers, rounded once.
Codes added_as_reals(const Adding::Arguments& in, double a_scale, double b_scale,
                     Real (*round)(Real)) {
  const auto& [a, b, c_scale, c_zero_point, rounding] = in;
  Codes c;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const Real real =
        Real(a_scale) * (a.q[i] - a.zero_point) + Real(b_scale) * (b.q[i] - b.zero_point);
    c.push_back(on_grid(round(real / c_scale) + c_zero_point));
  }
  return c;
}

void suspect_added(Expect& expect, const Adding::Arguments& in, const Codes&) {
  const auto& [a, b, c_scale, c_zero_point, rounding] = in;
  const auto looks = [&](const char* code, const Addition& wrong) {
    expect.suspect(code, "c", wrong(in));
  };
  for (const int sign : {0, -1}) {
    const char* code = sign == 0 ? "N-ZERO" : "N-ZP-SIGN";
    looks(code, {.a_sign = sign});
    looks(code, {.b_sign = sign});
    looks(code, {.a_sign = sign, .b_sign = sign});
    looks(code, {.c_sign = sign});
  }
  looks("N-SCALE", {.exchanges = true});
  looks("N-FORMULA", {.unit_of = [](double x, double y) { return std::max(x, y); }});
  looks("N-SCALE", {.unit_of = [](double x, double y) { return 2 * std::min(x, y); }});
  for (const int bits : {0, 1, 4, 8, 15, 19}) looks("N-FORMULA", {.bits = bits});
  looks("N-FORMULA", {.rule = other_rounding});
  for (const auto& [code, rule] : kWrongProducts) looks(code, {.rule = rule});
  expect.suspect("N-SCALE", "c", added_as_reals(in, c_scale, c_scale, half_up));
  expect.suspect("N-SCALE", "c", added_as_reals(in, a.scale, a.scale, half_up));
  expect.suspect("N-SCALE", "c", added_as_reals(in, b.scale, b.scale, half_up));
  expect.suspect("N-SCALE", "c", added_as_reals(in, a.scale / 2.0, b.scale / 2.0, half_up));
  expect.suspect("N-SCALE", "c", added_as_reals(in, 2.0 * a.scale, 2.0 * b.scale, half_up));
  expect.suspect("N-ROUND", "c", added_as_reals(in, a.scale, b.scale, to_even));
  expect.suspect("N-ROUND", "c", added_as_reals(in, a.scale, b.scale, half_away));
}

constexpr std::array<const char*, 9> kAddends = {"a.q",     "a.scale",      "a.zero_point",
                                                 "b.q",     "b.scale",      "b.zero_point",
                                                 "c_scale", "c_zero_point", "rounding"};
const Adding adding{kAddends, {"c"}, suspect_added};

/// a and b with zero points of 0.
Adding::Arguments sum(const Codes& a, float a_scale, const Codes& b, float b_scale, float c_scale,
                      std::int32_t c_zero_point = 0, Rounding rounding = kAny) {
  return {{a, a_scale, 0}, {b, b_scale, 0}, c_scale, c_zero_point, rounding};
}

TEST(add_quantized, AddsSteps) {
  const Codes one{2, 4, -6, 10}, other{8, -8, -16, 40};
  adding.gives(
      {{"SameScales", sum({2, 4, -6, 40}, 0.5f, {4, -8, -10, 30}, 0.5f, 0.5f), {6, -4, -16, 70}},
       {"FourTimes",
        sum(one, 1.0f, other, 0.25f, 0.5f),
        {8, 4, -20, 40},
        "the factor of a is a.scale / unit, that of b is b.scale / unit"},
       {"TheOther", sum(other, 0.25f, one, 1.0f, 0.5f), {8, 4, -20, 40}},
       {"ZeroPoints",
        {{{1, 3, -3, 5}, 1.0f, 5}, {{9, -15, -7, 1}, 0.25f, -7}, 0.5f, 0, kAny},
        {0, -8, -16, 4},
        "the zero points of a and b are subtracted from their codes"},
       {"ZeroPointOfC",
        sum(one, 1.0f, other, 0.25f, 0.5f, 11),
        {19, 15, -9, 51},
        "the zero point of c is added last"},
       {"Empty", sum({}, 1.0f, {}, 0.25f, 0.5f), {}}});
}

// All units of AddsSteps are whole. In steps of 2 an odd number of ones is a half. The last of 20
// bits decides, and half of it not.
TEST(add_quantized, KeepsTwentyBits) {
  constexpr Rounding twice = Rounding::kDouble;
  const Codes a{1, -1, 3, -3, 5, -5, 1, -1}, b{0, 0, 0, 0, 0, 0, -4, 4};
  const Codes ones{1, 1, -1, -1, 1}, signs{1, -1, 1, -1, 0};
  adding.gives({{"HalvesOfUnits",
                 sum({1, -1, 3}, 1.0f, {1, -1, 1}, 1.0f, 2.0f),
                 {1, -1, 2},
                 "each term has 20 bits behind its point: 2^20 comes before the product"},
                {"SingleHalves",
                 sum(a, 1.0f, b, 0.25f, 2.0f),
                 {1, 0, 2, -1, 3, -2, 0, 0},
                 "the last product is rounded as asked: kSingle sends its half up"},
                {"DoubleHalves",
                 sum(a, 1.0f, b, 0.25f, 2.0f, 0, twice),
                 {1, -1, 2, -2, 3, -3, 0, 0},
                 "the last product is rounded as asked: kDouble sends its half away from 0"},
                {"DoubleHalvesMoved",
                 sum(a, 1.0f, b, 0.25f, 2.0f, -30, twice),
                 {-29, -31, -28, -32, -27, -33, -30, -30}},
                {"Tipping", sum(ones, 1.0f, signs, 0x1p-19f, 2.0f), {1, 0, 0, -1, 1}},
                {"HalfOfTheLastBit",
                 sum(signs, 0x1p-20f, ones, 1.0f, 2.0f),
                 {1, 1, 0, 0, 1},
                 "in units of 2 * max(a.scale, b.scale) one term is half of a last bit, and "
                 "kSingle sends it up"}});
}

/// Every code of a with every code of b.
Adding::Arguments all_pairs(float a_scale, int za, float b_scale, int zb, float c_scale, int zc,
                            Rounding rounding) {
  Codes a, b;
  for (int i = -128; i < 128; ++i) {
    for (int j = -128; j < 128; ++j) {
      a.push_back(static_cast<std::int8_t>(i));
      b.push_back(static_cast<std::int8_t>(j));
    }
  }
  return {{a, a_scale, za}, {b, b_scale, zb}, c_scale, zc, rounding};
}

// Of 0.3, 0.1 and 0.2 half of the sums are next to a half, which the last bit of a factor decides,
// and that of the last factor in "LastFactor", whose sum is 82.5;
// 1e-11 vanishes beside 0.5, and its factor is 0. All pairs have no suspects, for time.
TEST(add_quantized, EveryPairOfCodes) {
  adding.gives({{"LastBits",
                 {{{-28, -12}, 0.3f, 3}, {{125, 39}, 0.1f, -7}, 0.2f, -1, Rounding::kDouble},
                 {19, 0}},
                {"LastFactor", sum({-125}, 0.09f, {-120}, 0.14f, 0.34f), {-83}},
                {"Huge", sum({1, 2, -3}, FLT_MAX, {3, -4, -2}, FLT_MAX, FLT_MAX), {4, -2, -5}}});
  Adding(kAddends, {"c"})
      .agrees_with(Addition{},
                   {{"Alike", {all_pairs(0.3f, 3, 0.1f, -7, 0.2f, -1, Rounding::kDouble)}},
                    {"Apart", {all_pairs(1e-11f, -128, 0.5f, 127, 0.7f, 100, Rounding::kSingle)}}});
}

TEST(add_quantized, RefusesWhatDoesNotFit) {
  const QuantizedTensor one{{1, 2}, 1.0f, 0}, none{{}, 1.0f, 0};
  const auto with = [](float scale, std::int32_t zero_point) {
    return QuantizedTensor{{1, 2}, scale, zero_point};
  };
  std::vector<Adding::Refused> refused{{"N-SIZE", {one, {{1, 2, 3}, 1.0f, 0}, 1.0f, 0, kAny}},
                                       {"N-SIZE", {{{1}, 1.0f, 0}, one, 1.0f, 0, kAny}},
                                       {"N-SHIFT", {{{}, 1e30f, 0}, none, 1e-30f, 0, kAny}}};
  for (const std::int32_t zero_point : {-129, 128}) {
    refused.push_back({"N-RANGE", {with(1.0f, zero_point), one, 1.0f, 0, kAny}});
    refused.push_back({"N-RANGE", {one, with(1.0f, zero_point), 1.0f, 0, kAny}});
    refused.push_back({"N-RANGE", {none, none, 1.0f, zero_point, kAny}});
  }
  for (const float scale : kUnusableScales) {
    refused.push_back({"N-DIV0", {with(scale, 0), one, 1.0f, 0, kAny}});
    refused.push_back({"N-DIV0", {one, with(scale, 0), 1.0f, 0, kAny}});
    refused.push_back({"N-DIV0", {none, none, scale, 0, kAny}});
  }
  adding.refuses(
      {{"Ends", {with(FLT_MIN, -128), with(FLT_MIN, 127), FLT_MIN, 127, kAny}, {127, 127}},
       {"LargeFactor", {with(4.0f, 1), with(4.0f, 1), 0x1p-20f, -128, kAny}, {-128, 127}}},
      refused);
}

// --- average_quantized --------------------------------------------------------------------------

using Averaging = Exercise<&average_quantized>;

/// What is to be averaged: a channel in a window.
struct Window {
  Real sum, count, size;
  float short_sum;
};

/// mean(window) for every channel of every window. x[p, j] is x[p * n + j].
template <class Mean>
Codes each_mean(const Averaging::Arguments& in, const Mean& mean, bool by_rows = true) {
  const auto& [x, channels, window] = in;
  NIBBLE_EXPECTS(channels >= 1 && window >= 1, window);
  const auto n = std::size_t(channels), size = std::size_t(window);
  NIBBLE_EXPECTS(x.size() % n == 0, x.size());
  const std::size_t m = x.size() / n;
  Codes c;
  for (std::size_t begin = 0; begin < m; begin += size) {
    const std::size_t end = std::min(begin + size, m);
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      float short_sum = 0;
      for (std::size_t p = begin; p < end; ++p) {
        const std::int8_t code = x[by_rows ? p * n + j : j * m + p];
        sum += code;
        short_sum += code;
      }
      const Real value = mean(Window{Real(sum), Real(end - begin), Real(size), short_sum});
      c.push_back(static_cast<std::int8_t>(static_cast<std::int64_t>(value)));
    }
  }
  return c;
}

Real right_mean(const Window& w) { return half_away(w.sum / w.count); }
Codes averaged(const Averaging::Arguments& in) { return each_mean(in, right_mean); }

template <class T>
Real short_sum(const Window& w) {
  return half_away(static_cast<T>(static_cast<std::int64_t>(w.sum)) / w.count);
}

void suspect_averages(Expect& expect, const Averaging::Arguments& in, const Codes& right) {
  using W = const Window&;
  const auto looks = [&](const char* code, Real (*mean)(W)) {
    expect.suspect(code, "c", each_mean(in, mean));
  };
  looks("N-FLOAT32", [](W w) { return half_away(w.short_sum / w.count); });
  looks("N-FLOAT32", [](W w) { return half_away(static_cast<float>(w.sum / w.count)); });
  looks("N-ROUND", [](W w) { return half_up(w.sum / w.count); });
  looks("N-ROUND", [](W w) { return to_even(w.sum / w.count); });
  looks("N-TRUNC", [](W w) { return towards_0(w.sum / w.count); });
  looks("N-TRUNC", [](W w) { return down(w.sum / w.count); });
  looks("N-FORMULA", [](W w) { return towards_0((w.sum + down(w.count / 2)) / w.count); });
  looks("N-ROUND", [](W w) {  // half of an odd count, rounded up
    return towards_0((w.sum + std::copysign(half_up(w.count / 2), w.sum)) / w.count);
  });
  looks("N-DENOM", [](W w) { return half_away(w.sum / w.size); });
  looks("N-DENOM", [](W w) { return half_away(w.sum / std::max(w.count - 1, 1.0L)); });
  looks("N-OVERFLOW", short_sum<std::int8_t>);
  looks("N-OVERFLOW", short_sum<std::int16_t>);
  looks("N-SIGN", [](W w) {  // the quotient of unsigned numbers
    const Real half = down(w.count / 2);
    const Real whole = w.sum < 0 ? w.sum - half + 0x1p64L : w.sum + half;
    return Real(static_cast<std::int8_t>(static_cast<std::uint64_t>(down(whole / w.count))));
  });
  expect.suspect("N-AXIS", "c", each_mean(in, right_mean, /*by_rows=*/false));
  const auto& [x, channels, window] = in;
  const auto n = std::size_t(channels);
  if (right.size() > n) expect.suspect("N-TAIL", "c", Codes(right.begin(), right.end() - n));
}

const Averaging averaging{{"x", "channels", "window"}, {"c"}, suspect_averages};

TEST(average_quantized, AveragesEachChannel) {
  averaging.gives(
      {{"OneChannel", {{2, 4, 6, 8, 10, 20}, 1, 2}, {3, 7, 15}},
       {"BelowZero",
        {{-2, -4, -6, -8, -10, -20}, 1, 2},
        {-3, -7, -15},
        "opposite codes have the opposite mean: half of the count is added above 0 alone"},
       {"TwoChannels", {{2, 10, 4, 20, 6, 30, 8, 50}, 2, 2}, {3, 15, 7, 40}},
       {"ThreeRows", {{1, -1, 2, -2, 3, -3}, 2, 3}, {2, -2}},
       {"OneRow", {{5, -128, 127}, 3, 1}, {5, -128, 127}},
       {"ToTheNearest", {{5, 5, 6, -5, -5, -6, 5, 6, 6, -5, -6, -6}, 1, 3}, {5, -5, 6, -6}},
       {"Nothing", {{}, 4, 2}, {}}});
}

TEST(average_quantized, HalvesGoAwayFromZero) {
  averaging.gives(
      {{"Above", {{2, 3, 3, 4, 0, 1, 126, 127}, 1, 2}, {3, 4, 1, 127}},
       {"Below", {{-2, -3, -3, -4, 0, -1, -128, -127}, 1, 2}, {-3, -4, -1, -128}},
       {"OfFour", {{1, 1, 0, 0, -1, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0}, 1, 4}, {1, -1, 0, 0}},
       {"NoHalfOfThree", {{1, 0, 0, -1, 0, 0, 1, 1, 0, -1, -1, 0}, 1, 3}, {0, 0, 1, -1}}});
}

// A window past the end, one that is all of it, one that no int times its rows would hold.
TEST(average_quantized, TheLastWindowMayBeShort) {
  averaging.gives({{"OneLeft", {{3, 3, 3, 9}, 1, 3}, {3, 9}},
                   {"TwoLeft", {{30, -3, 30, -3, 30, -3, 8, -8, 9, -9}, 2, 3}, {30, -3, 9, -9}},
                   {"AllOfIt", {{1, 10, 3, 20}, 2, 2}, {2, 15}},
                   {"MoreThanAll", {{1, 10, 3, 20}, 2, 100}, {2, 15}},
                   {"Largest",
                    {{1, 10, 3, 20}, 2, std::numeric_limits<int>::max()},
                    {2, 15},
                    "window may be INT_MAX: m + window is no int"}});
}

Averaging::Input constant(std::size_t rows, std::int8_t code) {
  return {std::to_string(rows) + " of " + std::to_string(code),
          {Codes(rows, code), 1, static_cast<int>(rows)}};
}

// 2 of 127 leave an int8, 300 an int16. The last sum is 1 short of a half: a float32 beyond 2^24
// holds no such number, and 127 counts as 128 there.
TEST(average_quantized, SumsAreExact) {
  std::vector<Averaging::Input> inputs{constant(2, 127), constant(3, -128), constant(300, 127),
                                       constant(300, -128), constant(140'000, 126)};
  auto& [x, channels, window] = inputs.back().in;
  std::fill(x.begin() + 70'001, x.end(), std::int8_t{127});
  averaging.agrees_with(averaged, inputs);
}

TEST(average_quantized, RefusesWhatDoesNotFit) {
  averaging.refuses({{"Fits", {{1, 2, 3, 4}, 2, 1}, {1, 2, 3, 4}}},
                    {{"N-SIZE", {{1, 2, 3}, 2, 1}},
                     {"N-SIZE", {{1}, 2, 1}},
                     {"N-SIZE", {{1, 2, 3, 4}, 0, 1}},
                     {"N-SIZE", {{}, -1, 1}},
                     {"N-SIZE", {{}, 2, 0}},
                     {"N-SIZE", {{1, 2, 3, 4}, 2, -1}},
                     {"N-SIZE", {{}, 0, 1}}});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

/// Factors of a layer, some of them large, and one of them 0.
Factors hidden_factors(std::size_t n, std::uint64_t salt, int lowest, int highest) {
  Factors factors{code_tensor<std::int32_t>(n, hidden_seed(salt), kHalf, kLast),
                  code_tensor<std::int32_t>(n, hidden_seed(salt + 1), lowest, highest)};
  if (n > 4) factors.multiplier[n / 2] = factors.shift[n / 2] = 0;
  return factors;
}

TEST(quantize_multiplier, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference, random_factors(hidden_seed, 1500, 66));
}

TEST(multiply_by_quantized_multiplier, EqualsTheReference) {
  std::vector<Multiplying::Input> inputs =
      every_shift(hidden_seed, code_tensor<std::int32_t>(2, hidden_seed(3), kHalf, kLast));
  for (const Rounding rounding : kBoth) {
    const std::size_t n = 67;
    inputs.push_back({"37x67" + show(rounding),
                      {code_tensor<std::int32_t>(37 * n, hidden_seed(4), -(1 << 22), 1 << 22),
                       hidden_factors(n, 5, -14, 0), rounding}});
  }
  multiplying.agrees_with(multiplying.reference, inputs);
}

/// Sums of a layer of n channels whose codes use the grid, and the bias.
struct HiddenLayer {
  Sums acc, bias;
  Factors factors;
};
HiddenLayer hidden_layer(std::size_t m, std::size_t n) {
  return {code_tensor<std::int32_t>(m * n, hidden_seed(10 * n), -40000, 40000),
          code_tensor<std::int32_t>(n, hidden_seed(10 * n + 1), -9000, 9000),
          hidden_factors(n, 10 * n + 2, -11, -7)};
}

constexpr std::pair<std::size_t, std::size_t> kHiddenSizes[] = {{1, 1}, {9, 5}, {31, 67}};

TEST(requantize, EqualsTheReference) {
  std::vector<Requantizing::Input> inputs;
  for (const auto& [m, n] : kHiddenSizes) {
    const auto& [acc, bias, factors] = hidden_layer(m, n);
    for (const Rounding rounding : kBoth) {
      for (const bool biased : {false, true}) {
        const Requantizing::Arguments in{acc, biased ? bias : Sums{}, factors,
                                         static_cast<std::int32_t>(n) - 40, rounding};
        Expect::healthy(n < 60 || distinct(requantizing.reference(in)) > 150, "few codes");
        inputs.push_back({std::to_string(n) + show(rounding), in});
      }
    }
  }
  requantizing.agrees_with(requantizing.reference, inputs);
}

TEST(requantize_relu, EqualsTheReference) {
  std::vector<Activating::Input> inputs;
  for (const auto& [m, n] : kHiddenSizes) {
    const auto& [acc, bias, factors] = hidden_layer(m, n);
    for (const Activation activation : {Activation::kRelu, Activation::kRelu6}) {
      const float c_scale = uniform_tensor(1, hidden_seed(n), 0.06f, 0.3f)[0];
      for (const Rounding rounding : kBoth) {
        inputs.push_back({std::to_string(n) + show(activation) + show(rounding),
                          {acc, bias, factors, c_scale, 7 - static_cast<std::int32_t>(n),
                           activation, rounding}});
      }
    }
  }
  activating.agrees_with(activating.reference, inputs);
}

TEST(add_quantized, EqualsTheReference) {
  std::vector<Adding::Input> inputs;
  const auto scales = uniform_tensor(12, hidden_seed(30), 0.004f, 0.2f);
  const auto zero_points = code_tensor<std::int8_t>(12, hidden_seed(31), -128, 127);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t count = i == 0 ? 1 : 601;
    const auto tensor = [&](std::size_t at) {
      return QuantizedTensor{code_tensor<std::int8_t>(count, hidden_seed(32 + at), -128, 127),
                             scales[at], zero_points[at]};
    };
    const float c_scale = std::max(scales[3 * i], scales[3 * i + 1]) * (1 + scales[3 * i + 2]);
    inputs.push_back({std::to_string(count) + "." + std::to_string(i),
                      {tensor(3 * i), tensor(3 * i + 1), c_scale, zero_points[3 * i + 2],
                       i % 2 == 0 ? Rounding::kSingle : Rounding::kDouble}});
  }
  adding.agrees_with(adding.reference, inputs);
}

TEST(average_quantized, EqualsTheReference) {
  std::vector<Averaging::Input> inputs;
  for (const auto& [m, n, window] : {std::array{1, 1, 1}, {7, 3, 2}, {50, 17, 4}, {127, 33, 10}}) {
    inputs.push_back({std::to_string(m) + "x" + std::to_string(n),
                      {code_tensor<std::int8_t>(std::size_t(m) * n, hidden_seed(40 + m), -128, 127),
                       n, window}});
  }
  averaging.agrees_with(averaging.reference, inputs);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
