// Lab 32: the checks.
#include "gptq.hpp"

#include "checks/marks/32_gptq.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge {
namespace {

Shape square(std::int32_t inputs) { return Shape(2, static_cast<std::size_t>(inputs)); }

/// Inputs of which each resembles the one before it, as those of a layer do.
Doubles correlated(std::size_t samples, std::size_t n, std::uint64_t seed) {
  Doubles x = normals(samples * n, seed);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % n > 0) x[i] = 0.9 * x[i - 1] + 0.435 * x[i];
  }
  return x;
}

// --- input_hessian ------------------------------------------------------------------------------

using Costing = Exercise<&input_hessian>;

template <class Real>
Doubles products(const Doubles& x, std::size_t samples, std::size_t n, bool by_columns) {
  Doubles g;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::size_t s = 0; s < samples; ++s) {
        sum += static_cast<Real>(by_columns ? x[i * samples + s] * x[j * samples + s]
                                            : x[s * n + i] * x[s * n + j]);
      }
      g.push_back(2 * static_cast<double>(sum));
    }
  }
  return g;
}

Doubles hessian_by_definition(const Doubles& x, std::int32_t inputs, double damping) {
  const std::size_t n = static_cast<std::size_t>(inputs);
  Doubles h = products<double>(x, rows_of(x, inputs), n, false);
  double mean = 0;
  for (std::size_t at = 0; at < h.size(); at += n + 1) {
    if (h[at] == 0) h[at] = 1;  // a sum of squares that are not all 0 is not 0 here
    mean += h[at] / static_cast<double>(n);
  }
  for (std::size_t at = 0; at < h.size(); at += n + 1) h[at] += damping * mean;
  return h;
}

void suspect_costs(Expect& expect, const Costing::Arguments& in, const Doubles& right) {
  const std::size_t n = static_cast<std::size_t>(in.b), samples = rows_of(in.a, in.b);
  if (samples > 2) {  // of two, half is also what a forgotten 2 gives
    const auto count = static_cast<double>(samples);
    expect.suspect("N-DENOM", "h", each_of(right, [=](double v) { return v / count; }));
  }
  if (n > 1) expect.suspect("N-AXIS", "h", products<double>(in.a, samples, n, true));
  if (samples > 1000) expect.suspect("N-FLOAT32", "h", products<float>(in.a, samples, n, false));
}

const auto kSame = [](Expect& expect, const Costing::Arguments& in, const Doubles& got,
                      const Doubles& want) { expect_reals(expect, "h", got, want, square(in.b)); };

const Costing costing{{"x", "inputs", "damping"}, {"h"}, suspect_costs};

TEST(input_hessian, AddsUpProducts) {
  Doubles many(70'000, 1);
  many[0] = 4096;
  costing.gives({{"Four", {{1, 2, 3, 0, 4, 1, 2, 2}, 2, 0}, {60, 20, 20, 18}},
                 {"Two", {{1, 2, 3, 4}, 2, 0}, {20, 28, 28, 40}},
                 {"Signs", {{1, -2, -1, 3, 1, 2}, 3, 0}, {20, 2, 10, 2, 10, 8, 10, 8, 10}},
                 {"OneInput", {{3, 1}, 1, 0}, {20}},
                 {"Many", {many, 1, 0}, {2 * (16777216.0 + 69'999)}}},
                kSame);
}

TEST(input_hessian, DampsTheDiagonal) {
  costing.gives({{"Half", {{1, 2, 3, 4}, 2, 0.5}, {35, 28, 28, 55}},
                 {"All", {{1, 2, 1, -1}, 2, 1}, {11, 2, 2, 17}},
                 {"OneInput", {{3}, 1, 0.25}, {22.5}}},
                kSame);
}

constexpr const char* kDeadIsAllZero =
    "an input is dead where every x is 0, not where their sum is";
constexpr const char* kTinyIsAlive = "an input is dead where every x is 0, not where all are tiny";

TEST(input_hessian, DeadInputs) {
  costing.gives({{"Last", {{1, 0, 3, 0}, 2, 0}, {20, 0, 0, 1}},
                 {"Damped", {{1, 0, 3, 0}, 2, 0.5}, {25.25, 0, 0, 6.25}},
                 {"AliveLater", {{1, 0, 3, 2}, 2, 0}, {20, 12, 12, 8}},
                 {"AddsUpToZero", {{1, -1}, 1, 0}, {4}, kDeadIsAllZero},
                 {"Tiny", {{0x1p-400}, 1, 0}, {0x1p-799}, kTinyIsAlive},
                 {"All", {{0, 0}, 2, 0.5}, {1.5, 0, 0, 1.5}}},
                kSame);
}

TEST(input_hessian, RefusesWhatIsNoInput) {
  costing.refuses({{"Fine", {{1, 2}, 1, 1}, {20}}},
                  {{"", {{1, 2}, 1, -0.125}},
                   {"", {{1, 2}, 1, 1.5}},
                   {"N-NAN", {{1, 2}, 1, double{kNan}}},
                   {"N-NAN", {{1, double{kNan}}, 1, 0}},
                   {"N-NAN", {{double{kInfinity}, 2}, 1, 0}},
                   {"N-SIZE", {{1, 2, 3}, 2, 0}},
                   {"N-SIZE", {Doubles{}, 2, 0}},
                   {"", {{1, 2}, 0, 0}}},
                  kSame);
}

// --- inverse_cholesky ---------------------------------------------------------------------------

using Factoring = Exercise<&inverse_cholesky>;

Doubles transposed(const Doubles& a, std::size_t n) {
  Doubles t(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) t[i % n * n + i / n] = a[i];
  return t;
}

Doubles lower_factor(const Doubles& a, std::size_t n) {
  Doubles l(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i * n + k] * l[j * n + k];
      if (i == j && !(rest > 0)) throw std::invalid_argument("not positive definite");
      l[i * n + j] = i == j ? std::sqrt(rest) : rest / l[j * n + j];
    }
  }
  return l;
}

/// By elimination, without exchanging rows: what is positive definite needs none.
Doubles inverse_of(Doubles a, std::size_t n) {
  Doubles b(n * n);
  for (std::size_t i = 0; i < n; ++i) b[i * n + i] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = a[i * n + i];
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= pivot, b[i * n + j] /= pivot;
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = r == i ? 0 : a[r * n + i];
      for (std::size_t j = 0; j < n; ++j) {
        a[r * n + j] -= factor * a[i * n + j];
        b[r * n + j] -= factor * b[i * n + j];
      }
    }
  }
  return b;
}

/// As the paper has it: the inverse first, then its factor.
Doubles factor_by_definition(const Doubles& h, std::int32_t inputs) {
  const std::size_t n = static_cast<std::size_t>(inputs);
  if (h.size() != n * n) throw std::invalid_argument("not square");
  return transposed(lower_factor(inverse_of(h, n), n), n);
}

void look_at_factor(Expect& expect, const Factoring::Arguments& in, const Doubles& got,
                    const Doubles& want) {
  const std::size_t n = static_cast<std::size_t>(in.b);
  const double off = factor_tolerance(largest(want)).absolute;
  const auto is = [&](const Doubles& other) {
    return all_near(got, other, off) && !all_near(got, want, off);
  };
  const Doubles of_h = lower_factor(in.a, n);
  expect.that(!is(of_h) && !is(transposed(of_h, n)) && !is(inverse_of(want, n)),
              "u is a factor of h, or the inverse of one that is wanted", "N-INVERSE");
  const Doubles other = inverse_of(of_h, n);
  expect.that(!is(transposed(want, n)) && !is(other) && !is(transposed(other, n)),
              "u is the other factor: not upper, or u * transpose(u)", "N-TRANS");
  expect_reals(expect, "u", got, want, square(in.b));
}

const Factoring factoring{{"h", "inputs"}, {"u"}};

TEST(inverse_cholesky, FactorsTheInverse) {
  factoring.gives({{"One", {{4}, 1}, {0.5}},
                   {"Diagonal", {{4, 0, 0, 16}, 2}, {0.5, 0, 0, 0.25}},
                   {"Small",
                    {{0x1p-66, 0, 0, 0x1p-68}, 2},
                    {0x1p33, 0, 0, 0x1p34},
                    "what is above 0 is positive, however small"},
                   {"Two", {{25, 3, 3, 1}, 2}, {0.25, -0.75, 0, 1}},
                   {"Three", {{14, 14, 3, 14, 17, 4, 3, 4, 1}, 3}, {1, -2, 5, 0, 1, -4, 0, 0, 1}}},
                  look_at_factor);
}

std::vector<Factoring::Input> matrices(Seed seed_of, const std::vector<int>& sizes) {
  return each_of(sizes, [&](int n) -> Factoring::Input {
    const auto side = static_cast<std::size_t>(n);
    const Doubles x = correlated(3 * side, side, seed_of(side));
    return {size_text(side, side), {hessian_by_definition(x, n, 0.0625), n}};
  });
}

/// What is made smaller has to stay square: a corner of it.
std::vector<Factoring::Arguments> corners(const Factoring::Arguments& in) {
  std::vector<Factoring::Arguments> all;
  for (std::int32_t to = 1; to < in.b; to *= 2) {
    all.push_back({{}, to});
    for (std::int32_t i = 0; i < to; ++i) {
      const auto row = in.a.begin() + std::ptrdiff_t{i} * in.b;
      all.back().a.insert(all.back().a.end(), row, row + to);
    }
  }
  return all;
}

const Factoring shrinking{{"h", "inputs"}, {"u"}, {}, {.smaller = corners}};

TEST(inverse_cholesky, AnySize) {
  shrinking.agrees_with([](const auto& in) { return factor_by_definition(in.a, in.b); },
                        matrices(seed, {1, 2, 5, 16, 17, 40}), look_at_factor);
}

TEST(inverse_cholesky, RefusesWhatIsNotPositive) {
  factoring.refuses({{"Fine", {{4}, 1}, {0.5}}},
                    {{"", {{0}, 1}},
                     {"", {{-1}, 1}},
                     {"", {{1, 2, 2, 1}, 2}},
                     {"", {{1, 1, 1, 1}, 2}},
                     {"", {{-1, 0, 0, 0, 1, 0, 0, 0, 1}, 3}},
                     {"", {{1, 0, 0, 0, 1, 0, 0, 0, -1}, 3}},
                     {"", {{1, 0, 0, double{kNan}}, 2}},
                     {"", {{double{kInfinity}, 0, 0, 1}, 2}},
                     {"", {{1, 0, double{kInfinity}, 1}, 2}},
                     {"", {{1, double{kInfinity}, 0, 1}, 2}},
                     {"N-SIZE", {{1, 0, 0, 1, 0, 0}, 2}},
                     {"N-SIZE", {Doubles{}, 0}}},
                    look_at_factor);
}

// --- gptq_row -----------------------------------------------------------------------------------

using Rowing = Exercise<&gptq_row>;

/// The slips that have a name.
enum class Slip { kNone, kAway, kCut, kOldScales };

/// Each weight as what the errors before it have made of it.
QuantizedRow row_by_definition(const Doubles& w, const Doubles& u, int num_bits, int group_size,
                               Slip slip = Slip::kNone) {
  const std::size_t n = w.size(), each = static_cast<std::size_t>(group_size);
  if (n == 0 || u.size() != n * n) throw std::invalid_argument("sizes");
  const double qmax = signed_range(num_bits).qmax;
  QuantizedRow row;
  Doubles errors;
  const auto now = [&](std::size_t p) {
    double value = w[p];
    for (std::size_t k = 0; k < errors.size(); ++k) value -= errors[k] * u[k * n + p];
    return value;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i % each == 0) {
      double amax = 0;
      for (std::size_t p = i; p < std::min(n, i + each); ++p) {
        amax = std::max(amax, std::fabs(slip == Slip::kOldScales ? w[p] : now(p)));
      }
      row.scales.push_back(amax == 0 ? 1 : std::max(amax / qmax, DBL_MIN));
    }
    const double scale = row.scales.back(), steps = now(i) / scale;
    const double whole = slip == Slip::kAway  ? std::round(steps)
                         : slip == Slip::kCut ? std::trunc(steps)
                                              : std::nearbyint(steps);
    const double code = std::clamp(whole, -qmax - 1, qmax);
    row.q.push_back(static_cast<std::int8_t>(code));
    errors.push_back((now(i) - scale * code) / u[i * n + i]);
  }
  return row;
}

/// u of n weights whose errors stay where they are, but for `handed`: {i, p, u[i,p]} each.
struct Handed {
  std::size_t i, p;
  double u;
};
Doubles factor(std::size_t n, const std::vector<Handed>& handed = {}) {
  Doubles u(n * n);
  for (std::size_t i = 0; i < n; ++i) u[i * n + i] = 1;
  for (const Handed& one : handed) u[one.i * n + one.p] = one.u;
  return u;
}

void suspect_rows(Expect& expect, const Rowing::Arguments& in, const QuantizedRow&) {
  const auto with = [&](Slip slip) { return row_by_definition(in.a, in.b, in.c, in.d, slip); };
  if (in.b == factor(in.a.size())) {  // or an error that was kept looks like one that was cut
    expect.suspect("N-ROUND", "q", with(Slip::kAway).q);
    expect.suspect("N-TRUNC", "q", with(Slip::kCut).q);
  }
  expect.suspect("N-RANGE", "scales", with(Slip::kOldScales).scales);
}

const auto kSameRow = [](Expect& expect, const Rowing::Arguments&, const QuantizedRow& got,
                         const QuantizedRow& want) {
  expect_reals(expect, "scales", got.scales, want.scales, {});
  expect.equal("q", got.q, want.q);
};

/// A part of a row, with the part of u that belongs to it.
std::vector<Rowing::Arguments> shorter_rows(const Rowing::Arguments& in) {
  std::vector<Rowing::Arguments> all;
  for (std::size_t to = 1; to < in.a.size(); to *= 2) {
    all.push_back({{in.a.begin(), in.a.begin() + static_cast<std::ptrdiff_t>(to)}, {}, in.c, in.d});
    for (std::size_t i = 0; i < to; ++i) {
      const auto row = in.b.begin() + static_cast<std::ptrdiff_t>(i * in.a.size());
      all.back().b.insert(all.back().b.end(), row, row + static_cast<std::ptrdiff_t>(to));
    }
  }
  return all;
}

const Rowing rowing{
    {"w", "u", "num_bits", "group_size"}, {"q", "scales"}, suspect_rows, {.smaller = shorter_rows}};

TEST(gptq_row, RoundsToNearest) {
  rowing.gives(
      {{"Ties", {{3, 1.5, -2.5, 0.5, -0.5, 2.5}, factor(6), 3, 6}, {{3, 2, -2, 0, 0, 2}, {1}}},
       {"Others", {{-6, 2.5, 3.5, -1.5}, factor(4), 3, 4}, {{-3, 1, 2, -1}, {2}}},
       {"EightBits", {{127, 63.5, -0.75, 1.25}, factor(4), 8, 9}, {{127, 64, -1, 1}, {1}}}},
      kSameRow);
}

// The first weight is the scale and has no error, the second leaves 0.25 behind.
TEST(gptq_row, HandsErrorsOn) {
  rowing.gives({{"OneStep", {{3, 1.25, 1.25}, factor(3, {{1, 2, -1}}), 3, 3}, {{3, 1, 2}, {1}}},
                {"HalfOfU",
                 {{3, 1.25, 1.25}, factor(3, {{1, 1, 0.5}, {1, 2, -0.5}}), 3, 3},
                 {{3, 1, 2}, {1}},
                 "the error is divided by u[1,1], which is 0.5"},
                {"TwiceU",
                 {{3, 1.25, 1.25}, factor(3, {{1, 1, 2}, {1, 2, -1}}), 3, 3},
                 {{3, 1, 1}, {1}},
                 "the error is divided by u[1,1], which is 2"},
                {"Below",
                 {{3, 1.25, 1.25}, factor(3, {{1, 2, -1}, {1, 0, 7}, {2, 0, 8}, {2, 1, 9}}), 3, 3},
                 {{3, 1, 2}, {1}},
                 "what u holds below its diagonal changes nothing"},
                {"RealUnits",
                 {{6, 2.5, 2.5}, factor(3, {{1, 2, -1}}), 3, 3},
                 {{3, 1, 2}, {2}},
                 "an error is in real units: 2.5 - 2 * 1, not 1.25 - 1"},
                {"AndOn",
                 {{3, 1.25, 1.25, 1.25}, factor(4, {{1, 2, -1}, {2, 3, -1}}), 3, 4},
                 {{3, 1, 2, 1}, {1}},
                 "the error of the third weight is that of what it has become, 1.5"},
                {"ToAll",
                 {{3, 1.25, 1.25, 1.25}, factor(4, {{1, 2, 4}, {1, 3, -4}}), 3, 4},
                 {{3, 1, 0, 2}, {1}}}},
               kSameRow);
}

// The third weight has become 6 when its group begins.
TEST(gptq_row, ScalesOfTheMoment) {
  rowing.gives(
      {{"Groups", {{3, 1, 6, 2, -12}, factor(5), 3, 2}, {{3, 1, 3, 1, -3}, {1, 2, 4}}},
       {"Grown", {{3, 1.25, 3, 1}, factor(4, {{1, 2, -12}}), 3, 2}, {{3, 1, 3, 0}, {1, 2}}},
       {"Shrunk", {{3, 1.25, 6, 2}, factor(4, {{1, 2, 12}}), 3, 2}, {{3, 1, 3, 2}, {1, 1}}},
       {"LongestGroup",
        {{6, 2}, factor(2), 3, INT_MAX},
        {{3, 1}, {2}},
        "a group may be longer than any row"}},
      kSameRow);
}

TEST(gptq_row, Saturates) {
  rowing.gives(
      {{"Above", {{3, 1.25, 2.75}, factor(3, {{1, 2, -4}}), 3, 3}, {{3, 1, 3}, {1}}},
       {"Lowest",
        {{3, 1.25, -2.75}, factor(3, {{1, 2, 5}}), 3, 3},
        {{3, 1, -4}, {1}},
        "qmin is a code, one below -qmax"},
       {"Below",
        {{3, 1.25, -2.75}, factor(3, {{1, 2, 16}}), 3, 3},
        {{3, 1, -4}, {1}},
        "no code is below qmin"},
       {"EightBits", {{127, 1.25, 120}, factor(3, {{1, 2, -100}}), 8, 3}, {{127, 1, 127}, {1}}},
       {"ErrorBeyond",
        {{3, 1.25, 2.75, 0}, factor(4, {{1, 2, -13}, {2, 3, -1}}), 3, 4},
        {{3, 1, 3, 3}, {1}}}},
      kSameRow);
}

TEST(gptq_row, ZerosAndTinies) {
  rowing.gives({{"Zeros", {{0, 0, 3}, factor(3), 3, 2}, {{0, 0, 3}, {1, 1}}},
                {"Tiny", {{64 * DBL_MIN, -3 * DBL_MIN}, factor(2), 8, 2}, {{64, -3}, {DBL_MIN}}},
                {"Tiniest",
                 {{0x1p-1074}, factor(1), 8, 1},
                 {{0}, {DBL_MIN}},
                 "a group has scale 1 where all of it is 0: a quotient that underflows is raised"}},
               kSameRow);
}

std::vector<Rowing::Input> rows(Seed seed_of, const std::vector<std::size_t>& sizes) {
  std::vector<Rowing::Input> inputs;
  for (const std::size_t n : sizes) {
    const auto side = static_cast<std::int32_t>(n);
    const Doubles h = hessian_by_definition(correlated(2 * n, n, seed_of(n)), side, 0.0625);
    const Doubles u = factor_by_definition(h, side);
    for (const auto& [num_bits, group_size] : {std::pair{2, 5}, {3, 1000}, {4, 16}, {8, 1}}) {
      inputs.push_back({std::to_string(n) + " weights, " + std::to_string(num_bits) + " bits",
                        {normals(n, seed_of(n + 1)), u, num_bits, group_size}});
    }
  }
  return inputs;
}

const auto kRowByDefinition = [](const Rowing::Arguments& in) {
  return row_by_definition(in.a, in.b, in.c, in.d);
};

TEST(gptq_row, EveryShape) {
  rowing.agrees_with(kRowByDefinition, rows(seed, {1, 2, 3, 8, 33, 48}), kSameRow);
}

TEST(gptq_row, RefusesWhatIsNoRow) {
  rowing.refuses({{"Fine", {{3, 1}, factor(2), 3, 1000}, {{3, 1}, {1}}}},
                 {{"", {{3, 1}, factor(2), 1, 2}},
                  {"", {{3, 1}, factor(2), 9, 2}},
                  {"", {{3, 1}, factor(2), 3, 0}},
                  {"", {{3, 1}, factor(2, {{0, 0, 0}}), 3, 2}},
                  {"", {{3, 1}, factor(2, {{1, 1, -1}}), 3, 2}},
                  {"N-NAN", {{3, 1}, factor(2, {{0, 1, double{kNan}}}), 3, 2}},
                  {"N-NAN", {{3, 1}, factor(2, {{1, 0, double{kNan}}}), 3, 2}},
                  {"N-NAN", {{3, double{kInfinity}}, factor(2), 3, 2}},
                  {"N-SIZE", {{3, 1}, {1, 0, 0, 1, 0, 0}, 3, 2}},
                  {"N-SIZE", {Doubles{}, Doubles{}, 3, 2}}},
                 kSameRow);
}

// --- activation_order ---------------------------------------------------------------------------

using Ordering = Exercise<&activation_order>;

std::vector<std::int32_t> order_by_definition(const Doubles& h, std::int32_t inputs) {
  const std::size_t n = static_cast<std::size_t>(inputs);
  if (h.size() != n * n) throw std::invalid_argument("not square");
  std::vector<std::pair<double, std::int32_t>> all;
  for (std::int32_t i = 0; i < inputs; ++i) {
    all.emplace_back(-h[static_cast<std::size_t>(i) * (n + 1)], i);
  }
  std::ranges::sort(all);
  return each_of(all, [](const auto& one) { return one.second; });
}

/// A diagonal between numbers that are larger than it.
Doubles with_diagonal(const Doubles& diagonal) {
  Doubles h(diagonal.size() * diagonal.size());
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = 9 + static_cast<double>(i % 3);
  for (std::size_t i = 0; i < diagonal.size(); ++i) h[i * (diagonal.size() + 1)] = diagonal[i];
  return h;
}

const Ordering ordering{{"h", "inputs"}, {"order"}};

TEST(activation_order, LargestFirst) {
  ordering.gives({{"Three", {with_diagonal({1, 3, 2}), 3}, {1, 2, 0}},
                  {"Five", {with_diagonal({2, 8, 1, 4, 0.5}), 5}, {1, 3, 0, 2, 4}},
                  {"Negative",
                   {with_diagonal({1, 0, -2}), 3},
                   {0, 1, 2},
                   "the largest, not that of the largest magnitude"},
                  {"One", {{5}, 1}, {0}}});
}

TEST(activation_order, EqualOnesStay) {
  ordering.gives({{"Twice", {with_diagonal({2, 5, 3, 5}), 4}, {1, 3, 2, 0}},
                  {"All", {with_diagonal({4, 4, 4}), 3}, {0, 1, 2}}});
}

TEST(activation_order, RefusesWhatIsNoSquare) {
  ordering.refuses({{"Fine", {{5, 0, 0, 6}, 2}, {1, 0}}},
                   {{"", {{1, 2, 3, 4, 5, 6}, 2}},
                    {"", {Doubles{}, 0}},
                    {"N-NAN", {{double{kNan}, 0, 0, 1}, 2}}});
}

// --- gptq_quantize ------------------------------------------------------------------------------

using Quantizing = Exercise<&gptq_quantize>;

struct Worked {
  GptqMatrix right;
  std::vector<std::int8_t> not_put_back;
  std::vector<std::int32_t> groups_not_put_back;
};

/// `moves_h`: with the columns; where not, that is a mistake.
Worked worked(const Quantizing::Arguments& in, bool moves_h = true) {
  const auto& [w, x, inputs, options] = in;
  const std::size_t n = static_cast<std::size_t>(inputs), outputs = rows_of(w, inputs);
  const Doubles h = hessian_by_definition(x, inputs, options.damping);
  std::vector<std::int32_t> order = order_by_definition(h, inputs);
  if (!options.by_activation) std::ranges::sort(order);
  const auto at = [&](std::size_t k) { return static_cast<std::size_t>(order[k]); };
  Doubles moved;
  for (std::size_t i = 0; i < n * n; ++i) {
    moved.push_back(moves_h ? h[at(i / n) * n + at(i % n)] : h[i]);
  }
  const Doubles u = factor_by_definition(moved, inputs);
  Worked all{{std::vector<std::int8_t>(w.size()), {}, std::vector<std::int32_t>(n)}, {}, {}};
  for (std::size_t o = 0; o < outputs; ++o) {
    Doubles row;
    for (std::size_t k = 0; k < n; ++k) {
      bool alive = false;
      for (std::size_t s = at(k); s < x.size(); s += n) alive = alive || x[s] != 0;
      row.push_back(alive ? w[o * n + at(k)] : 0);
    }
    const QuantizedRow done = row_by_definition(row, u, options.num_bits, options.group_size);
    all.right.scales.insert(all.right.scales.end(), done.scales.begin(), done.scales.end());
    all.not_put_back.insert(all.not_put_back.end(), done.q.begin(), done.q.end());
    for (std::size_t k = 0; k < n; ++k) all.right.q[o * n + at(k)] = done.q[k];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto group = static_cast<std::int32_t>(k) / options.group_size;
    all.right.group[at(k)] = group;
    all.groups_not_put_back.push_back(group);
  }
  return all;
}

void suspect_layers(Expect& expect, const Quantizing::Arguments& in, const GptqMatrix&) {
  const Worked all = worked(in);
  expect.suspect("N-LAYOUT", "q", all.not_put_back);
  expect.suspect("N-LAYOUT", "group", all.groups_not_put_back);
}

const auto kSameLayer = [](Expect& expect, const Quantizing::Arguments& in, const GptqMatrix& got,
                           const GptqMatrix& want) {
  const std::size_t outputs = rows_of(in.a, in.c);
  expect.equal("group", got.group, want.group);
  if (got.q != want.q && in.d.by_activation) {
    expect.that(got.q != worked(in, false).right.q,
                "codes are those of an h that was not moved: its rows and columns change places as "
                "those of w do",
                "N-LAYOUT");
  }
  expect_reals(expect, "scales", got.scales, want.scales, {outputs, want.scales.size() / outputs});
  expect.equal("q", got.q, want.q, {outputs, want.group.size()});
};

const Quantizing quantizing{
    {"w", "x", "inputs", "num_bits", "group_size", "damping", "by_activation"},
    {"q", "scales", "group"},
    suspect_layers};

const auto kLayerByDefinition = [](const Quantizing::Arguments& in) { return worked(in).right; };

struct LayerSize {
  std::size_t outputs, n, samples;
};

/// Inputs of very different sizes, in no order.
std::vector<Quantizing::Input> layers(Seed seed_of, const std::vector<LayerSize>& sizes,
                                      bool by_activation) {
  return each_of(sizes, [&](const LayerSize& size, std::size_t at) -> Quantizing::Input {
    Doubles x = correlated(size.samples, size.n, seed_of(at));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 1 + static_cast<double>(i % size.n * 7 % 5);
    const GptqOptions options{at % 2 == 0 ? 3 : 4, at % 3 == 0 ? 1000 : 4, 0.03125, by_activation};
    return {size_text(size.outputs, size.n),
            {normals(size.outputs * size.n, seed_of(at + 50)), x, static_cast<std::int32_t>(size.n),
             options}};
  });
}

const std::vector<LayerSize> kLayers = {{1, 1, 1}, {1, 6, 9}, {3, 5, 40}, {4, 17, 30}, {9, 24, 64}};

TEST(gptq_quantize, EveryRow) {
  quantizing.gives({{"AliveLater",
                     {{3, 1}, {1, 0, 0, 1}, 2, {3, 2, 0, false}},
                     {{3, 1}, {1}, {0, 0}},
                     "an input is dead where it is 0 in every sample, not in the first"},
                    {"AddsUpToZero",
                     {{3, 1}, {1, 1, -1, 1}, 2, {3, 2, 0, false}},
                     {{3, 1}, {1}, {0, 0}},
                     kDeadIsAllZero},
                    {"AliveThoughTiny",
                     {{3, 1}, {0x1p-300, 0, 0, 0x1p-300}, 2, {3, 2, 0, false}},
                     {{3, 1}, {1}, {0, 0}},
                     kTinyIsAlive},
                    {"AliveAtOne",
                     {{3, 1}, {0.5, 1, 0.5, -2}, 2, {4, 2, 0, false}},
                     {{7, 2}, {3.0 / 7}, {0, 0}},
                     "h is 1 for a dead input, and may be 1 for one that is not"}},
                   kSameLayer);
  quantizing.agrees_with(kLayerByDefinition, layers(seed, kLayers, false), kSameLayer);
}

TEST(gptq_quantize, FindsTheWayBack) {
  quantizing.gives(
      {{"Diagonal",
        {{3, 1, 2, 6}, {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 3}, 4, {3, 2, 0, true}},
        {{3, 1, 1, 3}, {2, 1}, {1, 1, 0, 0}},
        "columns are done in the order 2 3 1 0, and stand where they stood"}},
      kSameLayer);
  quantizing.agrees_with(kLayerByDefinition, layers(seed, kLayers, true), kSameLayer);
}

TEST(gptq_quantize, DeadInputs) {
  quantizing.gives({{"Last",
                     {{3, 1, 100}, {1, 0, 0, 0, 1, 0}, 3, {3, 3, 0, false}},
                     {{3, 1, 0}, {1}, {0, 0, 0}}},
                    {"ByActivation",
                     {{100, 3, 1}, {0, 4, 0, 0, 0, 5}, 3, {3, 2, 0, true}},
                     {{0, 3, 1}, {1, 1}, {1, 0, 0}},
                     "order[k] is dead or not, where place k is made"}},
                   kSameLayer);
}

double squared_error(const Doubles& w, const Doubles& w_hat, const Doubles& x, std::size_t n) {
  double sum = 0;
  for (std::size_t s = 0; s < x.size(); s += n) {
    for (std::size_t o = 0; o < w.size(); o += n) {
      double off = 0;
      for (std::size_t i = 0; i < n; ++i) off += x[s + i] * (w[o + i] - w_hat[o + i]);
      sum += off * off;
    }
  }
  return sum;
}

// Half of what rounding loses and a tenth more; on such inputs it is a third at most, on all seeds.
TEST(gptq_quantize, BeatsRounding) {
  constexpr std::size_t kInputs = 64, kOutputs = 8;
  std::vector<Quantizing::Input> inputs;
  for (std::uint64_t i = 0; i < 5; ++i) {
    const GptqOptions options{i % 2 == 0 ? 2 : 3, 64, 0.01, false};
    inputs.push_back({"Layer" + std::to_string(i),
                      {normals(kOutputs * kInputs, seed(i)), correlated(256, kInputs, seed(i + 9)),
                       kInputs, options}});
  }
  quantizing.on_each(inputs, [](Expect& expect, const Quantizing::Arguments& in) {
    const GptqMatrix got = quantizing(in);
    const std::size_t outputs = rows_of(in.a, in.c), n = in.a.size() / outputs;
    const bool whole = got.q.size() == in.a.size() && got.group.size() == n &&
                       got.scales.size() == outputs &&
                       std::ranges::all_of(got.group, [](std::int32_t g) { return g == 0; });
    if (!expect.that(whole, "an answer of other sizes", "N-SIZE")) return;
    GptqMatrix rounded{{}, {}, got.group};
    for (std::size_t o = 0; o < outputs; ++o) {
      const auto first = in.a.begin() + static_cast<std::ptrdiff_t>(o * n);
      const Doubles row(first, first + static_cast<std::ptrdiff_t>(n));
      const QuantizedRow done = row_by_definition(row, factor(n), in.d.num_bits, 64);
      rounded.q.insert(rounded.q.end(), done.q.begin(), done.q.end());
      rounded.scales.push_back(done.scales.front());
    }
    const double ratio = squared_error(in.a, dequantize(got), in.b, n) /
                         squared_error(in.a, dequantize(rounded), in.b, n);
    expect.that(ratio < 0.6,
                "the outputs are off by " + show_value(ratio) +
                    " of what plain rounding makes of them, as a mean square; below 0.6 is due");
  });
}

TEST(gptq_quantize, RefusesWhatIsNoLayer) {
  const Quantizing::Row fine{
      "Fine", {{3, 1}, {1}, 1, {3, 1, 0, false}}, {{3, 3}, {1, 1.0 / 3}, {0}}};
  quantizing.refuses({fine},
                     {{"", {{3, 1}, {1}, 1, {9, 1, 0, false}}},
                      {"", {{3, 1}, {1}, 1, {3, 0, 0, false}}},
                      {"", {{3, 1}, {1}, 1, {3, 1, -1, false}}},
                      {"", {{3, 1}, {1, 1, 1, 1}, 2, {3, 1, 0, false}}},
                      {"N-SIZE", {{3, 1, 2}, {1, 0, 0, 1}, 2, {3, 1, 0, false}}},
                      {"N-SIZE", {Doubles{}, {1}, 1, {3, 1, 0, false}}},
                      {"N-NAN", {{3, double{kNan}}, {1}, 1, {3, 1, 0, false}}},
                      {"N-NAN", {{3, double{kNan}}, {1, 0}, 2, {3, 1, 0, false}}}},
                     kSameLayer);
}

// --- layer_error --------------------------------------------------------------------------------

using Erring = Exercise<&layer_error>;

void suspect_errors(Expect& expect, const Erring::Arguments& in, double right) {
  const auto outputs = static_cast<double>(rows_of(in.a, in.d));
  const auto samples = static_cast<double>(rows_of(in.c, in.d));
  if (outputs * samples > 1) {
    expect.suspect("N-DENOM", "error", right * outputs * samples);
    expect.suspect("N-DENOM", "error", right * outputs);
    expect.suspect("N-DENOM", "error", right * samples);
  }
  if (in.d > 1) expect.suspect("N-DENOM", "error", right / in.d);
}

const Erring erring{{"w", "w_hat", "x", "inputs"}, {"error"}, suspect_errors};

const auto kSameError = [](Expect& expect, const Erring::Arguments&, double got, double want) {
  expect.near("error", got, want, factor_tolerance(want));
};

TEST(layer_error, SquaresOfSums) {
  erring.gives({{"One", {{1, 2}, {1, 1}, {3, 4}, 2}, 16},
                {"Both",
                 {{1, 2}, {0, 1}, {3, 4}, 2},
                 49,
                 "the sum over i is squared, not each of its terms"},
                {"TheyMakeUp", {{1, 1}, {0, 2}, {5, 5}, 2}, 0},
                {"Tenth", {{0.1}, {0}, {1}, 1}, 0.01, "all of it is double"},
                {"LargeWeights",
                 {{1e9 + 0.5}, {1e9}, {3.3}, 1},
                 1.65 * 1.65,
                 "weights are subtracted before they are multiplied: large outputs cancel"},
                {"Equal", {{1, 2}, {1, 2}, {3, 4}, 2}, 0}},
               kSameError);
}

TEST(layer_error, MeanOfAll) {
  erring.gives({{"Two", {{1, 0, 0, 1}, {0, 0, 0, 0}, {1, 2, 3, 4}, 2}, 7.5},
                {"Samples", {{1}, {0}, {1, 3}, 1}, 5},
                {"Outputs", {{1, 3}, {0, 0}, {1}, 1}, 5}},
               kSameError);
}

TEST(layer_error, RefusesOtherSizes) {
  erring.refuses({{"Fine", {{1, 2}, {1, 1}, {3, 4}, 2}, 16}},
                 {{"", {{1, 2}, {1, 1, 1, 1}, {3, 4}, 2}},
                  {"", {{1, 2}, {1, 1}, {3, 4, 5}, 2}},
                  {"", {{1, 2}, {1, 1}, Doubles{}, 2}},
                  {"N-NAN", {{1, 2}, {1, double{kNan}}, {3, 4}, 2}},
                  {"N-NAN", {{1, 2}, {1, 1}, {double{kInfinity}, 4}, 2}}},
                 kSameError);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

TEST(input_hessian, EqualsTheReference) {
  std::vector<Costing::Input> inputs;
  for (const auto& [samples, n] : {std::pair<std::size_t, int>{1, 3}, {7, 5}, {40, 17}, {65, 33}}) {
    const std::size_t count = samples * static_cast<std::size_t>(n);
    inputs.push_back({size_text(samples, n), {sixteenths(count, hidden_seed(count)), n, 0.125}});
  }
  costing.agrees_with(costing.reference, inputs, kSame);
}

TEST(inverse_cholesky, EqualsTheReference) {
  shrinking.agrees_with(shrinking.reference, matrices(hidden_seed, {3, 24, 48}), look_at_factor);
}

TEST(gptq_row, EqualsTheReference) {
  rowing.agrees_with(rowing.reference, rows(hidden_seed, {7, 24, 64}), kSameRow);
}

TEST(activation_order, EqualsTheReference) {
  std::vector<Ordering::Input> inputs;
  for (const std::size_t n : {9, 20, 60}) {
    const auto diagonal = code_tensor<std::int32_t>(n, hidden_seed(n), 1, 20);
    inputs.push_back(
        {std::to_string(n),
         {with_diagonal({diagonal.begin(), diagonal.end()}), static_cast<std::int32_t>(n)}});
  }
  ordering.agrees_with(ordering.reference, inputs);
}

TEST(gptq_quantize, EqualsTheReference) {
  const std::vector<LayerSize> sizes = {{2, 9, 12}, {5, 20, 80}, {12, 32, 48}};
  quantizing.agrees_with(quantizing.reference, layers(hidden_seed, sizes, false), kSameLayer);
  quantizing.agrees_with(quantizing.reference, layers(hidden_seed, sizes, true), kSameLayer);
}

TEST(layer_error, EqualsTheReference) {
  std::vector<Erring::Input> inputs;
  for (const auto& [outputs, n, samples] : {LayerSize{3, 5, 7}, {8, 16, 60}}) {
    inputs.push_back(
        {size_text(outputs, n),
         {sixteenths(outputs * n, hidden_seed(n)), sixteenths(outputs * n, hidden_seed(n + 1)),
          sixteenths(samples * n, hidden_seed(n + 2)), static_cast<std::int32_t>(n)}});
  }
  erring.agrees_with(erring.reference, inputs, kSameError);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
