// Lab 02: the checks.
#include "error_metrics.hpp"

#include "checks/marks/02_error_metrics.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

// --- Pairs of tensors ---------------------------------------------------------------------------

using Squaring = Exercise<&mean_squared_error>;
using Pair = Squaring::Arguments;  // x and x_hat, as of every exercise but the last

template <class Tensors>
using Number = typename decltype(Tensors::a)::value_type;  ///< float or double

Reals tensor_of(std::size_t size, float first, float others) {
  Reals x(size, others);
  x.front() = first;
  return x;
}

/// 65,536 values of which the first is so large that a float32 sum that has begun with `first`
/// squared, or with `first`, stays where it is whatever the others add.
Pair long_tail(float first, float others) {
  return {tensor_of(65536, first, others), Reals(65536, 0.0f)};
}

/// `size` values of which 2^exponent is the base: base, base + 1, base, … with every eighth of them
/// one too large. The variance is 1/4, the mse 1/8, and the mean is the base plus 1/2.
template <class Tensors = Pair>
Tensors large_mean(std::size_t size, int exponent) {
  Tensors pair;
  const double base = std::ldexp(1.0, exponent);
  for (std::size_t i = 0; i < size; ++i) {
    pair.a.push_back(static_cast<Number<Tensors>>(base + static_cast<double>(i % 2)));
    pair.b.push_back(pair.a.back() + (i % 8 == 0 ? 1 : 0));
  }
  return pair;
}

/// 5, 3, 5, 3, … of which only the last comes back wrong, by 4; and what `want` makes of the size.
/// Two values; less than, as many as and one more than two vectors of 4 doubles; a large prime.
template <class E, class Want>
std::vector<typename E::Row> every_length(const Want& want) {
  std::vector<typename E::Row> rows;
  for (const std::size_t size : {2, 7, 8, 9, 33, 4099}) {
    Reals x(size, 5.0f);
    for (std::size_t i = 1; i < size; i += 2) x[i] = 3.0f;
    Reals x_hat = x;
    x_hat.back() -= 4.0f;
    rows.push_back({std::to_string(size), {x, x_hat}, want(static_cast<double>(size))});
  }
  return rows;
}

/// All the pairs that have no error.
template <class E>
std::vector<typename E::Refused> without_an_error() {
  return {{"N-NAN", {{1, kNan, 2}, {1, 1, 2}}},  {"N-NAN", {{1, 1, 2}, {1, 1, kNan}}},
          {"N-NAN", {{-kInfinity, 1}, {1, 1}}},  {"N-NAN", {{1, 1}, {1, kInfinity}}},
          {"N-NAN", {{kInfinity}, {kInfinity}}}, {"N-SIZE", {{1, 2}, {1, 2, 3}}},
          {"N-SIZE", {{1, 2, 3}, {1, 2}}},       {"N-DIV0", typename E::Arguments{}}};
}

// --- mean_squared_error -------------------------------------------------------------------------

/// What a sum where a mean is wanted would give, and a mean over one element less.
void suspect_wrong_counts(Expect& expect, std::string_view what, const Pair& in, double right) {
  const auto n = static_cast<double>(in.a.size());
  expect.suspect("N-DENOM", what, right * n);
  if (n > 1) expect.suspect("N-DENOM", what, right * n / (n - 1));
}

const Squaring squaring{{"x", "x_hat"},
                        {"mse"},
                        [](auto& expect, const auto& in, double right) {
                          suspect_wrong_counts(expect, "mse", in, right);
                        },
                        {.tolerance = metric_tolerance()}};

TEST(mean_squared_error, AveragesTheSquares) {
  squaring.gives({{"Four", {{1, 2, 3, 4}, {1, 0, 4, 4}}, 1.25},
                  {"OneSided", {{0.5f, 0.25f, 3}, {0, 0, 3}}, 0.3125 / 3},
                  {"AcrossZero", {{3, 2}, {-1, 2}}, 8},
                  {"Equal", {{3, -4}, {3, -4}}, 0}});
}

TEST(mean_squared_error, SumsInDouble) {
  squaring.gives({{"Tiny",
                   {{0x1p-80f, 0}, {0, 0}},
                   0x1p-161,
                   "the square of 0x1p-80 is 0 in float32, and no 0 in double"},
                  {"Huge", {{0x1p80f, 0}, {0, 0}}, 0x1p159},
                  {"AcrossTheFloats",
                   {{FLT_MAX, 1}, {-FLT_MAX, 1}},
                   2.0 * FLT_MAX * FLT_MAX,
                   "the subtraction is in double, too: x - x_hat is beyond FLT_MAX here"},
                  {"LongTail", long_tail(4096, 1), (16777216.0 + 65535.0) / 65536.0,
                   "a float32 sum of 65,536 values drops the small ones: the sum is a double"}});
}

TEST(mean_squared_error, CountsEveryElement) {
  squaring.gives(every_length<Squaring>([](double n) { return 16.0 / n; }));
}

TEST(mean_squared_error, RefusesWhatHasNoError) {
  squaring.refuses({{"Fine", {{2, 1}, {4, 1}}, 2}}, without_an_error<Squaring>());
}

// --- absolute_errors ----------------------------------------------------------------------------

using Magnitudes = Exercise<&absolute_errors>;

void suspect_signs(Expect& expect, const Pair& in, const AbsoluteErrors& right) {
  double sum = 0.0, above = -kInfinity, below = -kInfinity;  // the largest of e and of -e
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const double e = double{in.a[i]} - in.b[i];
    sum += e;
    above = std::max(above, e);
    below = std::max(below, -e);
  }
  const double mean = sum / static_cast<double>(in.a.size());
  suspect_wrong_counts(expect, "mae", in, right.mae);
  for (const double value : {mean, -mean}) {
    expect.suspect("N-SIGN", "mae", value, "as if errors kept their signs");
  }
  for (const double value : {above, below}) {
    expect.suspect("N-SIGN", "max_error", value, "as if errors kept their signs");
  }
}

const Magnitudes magnitudes{
    {"x", "x_hat"}, {"mae", "max_error"}, suspect_signs, {.tolerance = metric_tolerance()}};

const std::vector<Magnitudes::Row> kMagnitudes = {
    {"BothSigns", {{1, 2, 3, 4}, {1, 0, 4, 4}}, {0.75, 2}},
    {"Below", {{-0.5f, -0.25f, 3}, {0, 0, 3}}, {0.25, 0.5}},
    {"AcrossZero", {{3, 2}, {-1, 2}}, {2, 4}},
    {"Positive", {{4, 2, 1}, {1, 3, 1}}, {4.0 / 3, 3}},
    {"Negative", {{1, 3, 1}, {4, 2, 1}}, {4.0 / 3, 3}},
    {"NonePositive", {{2, 3, 1}, {5, 4, 1}}, {4.0 / 3, 3}},
    {"Equal", {{3, -4}, {3, -4}}, {0, 0}}};

TEST(absolute_errors, AveragesTheMagnitudes) {
  magnitudes.gives(kMagnitudes, magnitudes.only({"mae"}));
}

TEST(absolute_errors, TakesTheLargestMagnitude) {
  magnitudes.gives(kMagnitudes, magnitudes.only({"max_error"}));
}

TEST(absolute_errors, SumsInDouble) {
  magnitudes.gives({{"LongTail",
                     long_tail(16777216, 1),
                     {(16777216.0 + 65535.0) / 65536.0, 16777216},
                     "a float32 sum of 65,536 values drops the small ones: the sum is a double"}},
                   magnitudes.only({"mae"}));
  magnitudes.gives({{"AcrossTheFloats",
                     {{FLT_MAX, 1}, {-FLT_MAX, 1}},
                     {FLT_MAX, 2.0 * FLT_MAX},
                     "x - x_hat is beyond FLT_MAX here: it is a double, and so is the largest"}});
}

TEST(absolute_errors, CountsEveryElement) {
  magnitudes.gives(every_length<Magnitudes>([](double n) { return AbsoluteErrors{4.0 / n, 4.0}; }));
}

TEST(absolute_errors, RefusesWhatHasNoError) {
  magnitudes.refuses({{"Fine", {{2, 1}, {4, 1}}, {1, 2}}}, without_an_error<Magnitudes>(),
                     magnitudes.only({"mae"}));
}

// --- signal_to_noise ----------------------------------------------------------------------------

using Comparing = Exercise<&signal_to_noise>;

double decibels(double ratio) { return 10.0 * std::log10(ratio); }

/// Ratios, before they are made decibels.
SignalToNoise ratios(double snr, double sqnr) { return {decibels(snr), decibels(sqnr)}; }

/// What a sum where a mean is wanted would give, and a mean over one element less.
void suspect_ratios(Expect& expect, const Pair& in, const SignalToNoise&) {
  const auto n = static_cast<double>(in.a.size());
  double sum = 0, power = 0, variance = 0, noise = 0;
  for (const double x : in.a) sum += x;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    power += double{in.a[i]} * in.a[i];
    variance += std::pow(in.a[i] - sum / n, 2);
    noise += std::pow(double{in.a[i]} - in.b[i], 2);
  }
  for (const double less : {1.0, n - 1}) {
    expect.suspect("N-DENOM", "snr_db", decibels(variance / noise * n / less));
    expect.suspect("N-DENOM", "sqnr_db", decibels(power / noise * n / less));
  }
}

const Comparing comparing{
    {"x", "x_hat"}, {"snr_db", "sqnr_db"}, suspect_ratios, {.tolerance = cancelling_tolerance()}};

// Means that are not 0, so that variance and power differ.
const std::vector<Comparing::Row> kRatios = {
    {"Two", {{3, 5}, {3.5f, 4.5f}}, ratios(1 / 0.25, 17 / 0.25)},
    {"Four", {{1, 3, 5, 7}, {2, 2, 6, 6}}, ratios(5 / 1.0, 21 / 1.0)},
    {"MoreNoise", {{-1, -3}, {-5, 1}}, ratios(1 / 16.0, 5 / 16.0)}};

TEST(signal_to_noise, SnrComparesTheVariance) {
  comparing.gives(kRatios, comparing.only({"snr_db"}));
}

TEST(signal_to_noise, SqnrComparesThePower) {
  comparing.gives(kRatios, comparing.only({"sqnr_db"}));
}

TEST(signal_to_noise, NoErrorIsInfinite) {
  const SignalToNoise both{kInfinity, kInfinity};
  comparing.gives({{"Varied", {{3, 5}, {3, 5}}, both},
                   {"Constant",
                    {{2, 2}, {2, 2}},
                    both,
                    "mse is 0 and so is the variance: then the ratio is +infinity, not 0 / 0"},
                   {"Zero", {{0}, {0}}, both},
                   {"Almost",
                    {{1, 3}, {1, 3 - 0x1p-22f}},
                    ratios(0x1p45, 5 * 0x1p45),
                    "mse is tiny here, and not 0"}});
}

// 49 times 1/49 is less than 1, as doubles have it: 49 ones over 49 is 1.
TEST(signal_to_noise, NoSignalIsMinusInfinite) {
  comparing.gives(
      {{"Constant", {{2, 2}, {3, 1}}, ratios(0, 4)},
       {"Ones",
        {Reals(49, 1.0f), Reals(49, 3.0f)},
        ratios(0, 0.25),
        "the mean is the sum divided by n: a product with 1 / n leaves a little variance"},
       {"Zero", {{0, 0}, {1, 1}}, ratios(0, 0)}});
}

TEST(signal_to_noise, SumsInDouble) {
  const double mean = 0x1p20 + 0.5;
  comparing.gives(
      {{"Tiny",
        {{0x1p-80f, 0x2p-80f}, {0, 0x3p-80f}},
        ratios(0.25, 2.5),
        "mse is not 0 here: the square of 0x1p-80 is 0 in float32, and no 0 in double"},
       {"Huge", {{0x1p80f, 0x2p80f}, {0, 0x3p80f}}, ratios(0.25, 2.5)},
       {"Mean2^20", large_mean(4096, 20), ratios(0.25 / 0.125, (mean * mean + 0.25) / 0.125),
        "a float32 sum of 4,096 values near 2^20 is rounded again and again: sums are doubles"}});
}

// mean x^2 - mean^2 is 2^46 - 2^46 here, and a double has 53 bits: less than 1/64 cannot be seen.
TEST(signal_to_noise, SubtractsTheMeanFirst) {
  comparing.gives({{"Mean2^23", large_mean(1000, 23), ratios(0.25 / 0.125, 0)}},
                  comparing.only({"snr_db"}));
}

// Of n values 5, 3, 5, …, an odd n has one 5 more: the variance is 1 - 1/n^2.
TEST(signal_to_noise, CountsEveryElement) {
  const auto want = [](double n) {
    const double variance = std::fmod(n, 2.0) == 0.0 ? 1.0 : 1.0 - 1.0 / (n * n);
    return ratios(variance / (16.0 / n), 0);
  };
  comparing.gives(every_length<Comparing>(want), comparing.only({"snr_db"}));
}

TEST(signal_to_noise, RefusesWhatHasNoError) {
  comparing.refuses({{"Fine", {{3, 5}, {3, 3}}, ratios(1 / 2.0, 17 / 2.0)}},
                    without_an_error<Comparing>(), comparing.only({"snr_db"}));
}

// --- cosine_similarity --------------------------------------------------------------------------

using Turning = Exercise<&cosine_similarity>;

/// What PyTorch's function of this name divides by at least.
constexpr double kLeastOfPyTorch = 1e-8;

void suspect_least(Expect& expect, const Turning::Arguments& in, double cosine) {
  const auto length = [](const Reals& x) {
    double sum = 0;
    for (const double value : x) sum += value * value;
    return std::sqrt(sum);
  };
  const double lengths = length(in.a) * length(in.b);
  const bool differs = lengths < kLeastOfPyTorch && lengths > kLeastOfPyTorch / 1000;
  if (!differs) return;  // or it would be 0, which much else is
  expect.suspect("N-DIV0", "cosine", cosine * lengths / kLeastOfPyTorch,
                 "as if the lengths' product were 1e-8 at least: 0 alone has no direction");
}

const Turning turning{
    {"x", "x_hat"}, {"cosine"}, suspect_least, {.tolerance = cancelling_tolerance()}};

// Each pair ends in zeros, so that a loop that stops early is told apart from wrong arithmetic.
TEST(cosine_similarity, FollowsTheFormula) {
  turning.gives(
      {{"SameLength", {{3, 4, 0}, {4, 3, 0}}, 0.96},
       {"OtherLength",
        {{3, 4, 0}, {8, 6, 0}},
        0.96,
        "the product is divided by both lengths, and a length is the root of the sum of squares"},
       {"Stretched", {{3, 4, 0}, {3072, 4096, 0}}, 1},
       {"Shrunk", {{3, 4, 0}, {0.375f, 0.5f, 0}}, 1},
       {"Small", {{0x3p-17f, 0x4p-17f, 0}, {0x4p-17f, 0x3p-17f, 0}}, 0.96},
       {"Opposite", {{3, 4, 0}, {-3, -4, 0}}, -1},
       {"RightAngle",
        {{3, 4, 0}, {-4, 3, 0}},
        0,
        "the product is 0 here, and both have a direction"},
       {"ThreeNumbers", {{3, 4, 0, 0}, {0, 3, 4, 0}}, 0.48}});
}

TEST(cosine_similarity, ZeroHasNoDirection) {
  turning.gives({{"XHatIsZero", {{3, 4}, {0, 0}}, 0},
                 {"XIsZero", {{0, 0}, {3, 4}}, 0},
                 {"BothAreZero", {{0, 0}, {0, -0.0f}}, 1}});
}

TEST(cosine_similarity, SumsInDouble) {
  turning.gives({{"Tiny",
                  {{0x3p-80f, 0x4p-80f, 0}, {0x4p-80f, 0x3p-80f, 0}},
                  0.96,
                  "the square of 0x3p-80 is 0 in float32, and no 0 in double"},
                 {"Huge", {{0x3p80f, 0x4p80f, 0}, {0x4p80f, 0x3p80f, 0}}, 0.96},
                 {"LongTail",
                  {tensor_of(65536, 4096, 1), tensor_of(65536, 4096, -1)},
                  (16777216.0 - 65535.0) / (16777216.0 + 65535.0)}});
}

// 1, 1, … against 1, 1, …, -1: the product is two less than n.
TEST(cosine_similarity, CountsEveryElement) {
  std::vector<Turning::Row> rows;
  for (const std::size_t size : {7, 8, 9, 33, 4099}) {
    const Reals x(size, 1.0f);
    Reals x_hat = x;
    x_hat.back() = -1.0f;
    rows.push_back({std::to_string(size), {x, x_hat}, 1.0 - 2.0 / static_cast<double>(size)});
  }
  turning.gives(rows);
}

TEST(cosine_similarity, RefusesWhatHasNoError) {
  turning.refuses({{"Fine", {{4, 3, 0}, {3, 4, 0}}, 0.96}}, without_an_error<Turning>());
}

// --- quantization_error -------------------------------------------------------------------------

using Measuring = Exercise<&quantization_error>;
const Measuring measuring{
    {"x", "x_hat"},
    {"mse", "mae", "max_error", "relative_error", "snr_db", "sqnr_db", "cosine"},
    [](auto& expect, const auto&, const auto& want) {
      expect.suspect("N-DENOM", "relative_error", std::sqrt(want.relative_error),
                     "as if it were of the root of mse, and of the standard deviation");
      expect.suspect("N-DIV0", "relative_error", 0.0);
      for (const char* ratio : {"snr_db", "sqnr_db"}) expect.suspect("N-DIV0", ratio, HUGE_VAL);
    },
    {.tolerance = metric_tolerance()}};

/// What a value of 1 is made.
struct Unit {
  const char* name;
  double size;
};

// The errors are 2, -1, 0, -3. The mean of x is 4, its variance 5, its power 21. Then the same in
// other units: what has a unit changes, a ratio does not.
template <class E>
std::vector<typename E::Row> worked_by_hand(const std::vector<Unit>& units) {
  const double cosine = 106.0 / std::sqrt(84.0 * 142.0);
  const auto [snr_db, sqnr_db] = ratios(5 / 3.5, 21 / 3.5);
  std::vector<typename E::Row> rows;
  for (const auto& [name, u] : units) {
    const auto unit = static_cast<Number<typename E::Arguments>>(u);
    rows.push_back({name,
                    {{unit, 3 * unit, 5 * unit, 7 * unit}, {-unit, 4 * unit, 5 * unit, 10 * unit}},
                    {3.5 * u * u, 1.5 * u, 3 * u, 0.7, snr_db, sqnr_db, cosine}});
  }
  return rows;
}

/// The product over both lengths is 1 + 2^-52 in double, and an acos of that is NaN.
template <class E>
void stays_a_cosine(const E& exercise) {
  exercise.on_each({{"SameDirection", {{3, 3}, {3, 3}}}, {"Opposite", {{1, 5}, {-2, -10}}}},
                   [&](Expect& expect, const auto& in) {
                     const double cosine = exercise(in).cosine;
                     expect.that(-1 <= cosine && cosine <= 1,
                                 "cosine = " + show_value(cosine) +
                                     " lies outside [-1, 1], if only by a rounding");
                   });
}

// Two of the units have no square in float32.
const auto kByHand = worked_by_hand<Measuring>(
    {{"Whole", 1.0}, {"Eighths", 0.125}, {"Tiny", 0x1p-80}, {"Huge", 0x1p80}});

TEST(quantization_error, ErrorsAreInTheirPlaces) {
  measuring.gives(kByHand, measuring.only({"mse", "mae", "max_error"}));
}

TEST(quantization_error, RelativeToTheVariance) {
  measuring.gives(kByHand, measuring.only({"relative_error"}));
}

TEST(quantization_error, RatiosAreInDecibels) {
  measuring.gives(kByHand, measuring.only({"snr_db", "sqnr_db"}));
}

TEST(quantization_error, CosineIsTheLast) {
  measuring.gives(kByHand, measuring.only({"cosine"}));
  stays_a_cosine(measuring);
}

TEST(quantization_error, NoErrorIsExact) {
  const QuantizationError exact{0, 0, 0, 0, kInfinity, kInfinity, 1};
  measuring.gives({{"Varied", {{3, 5}, {3, 5}}, exact},
                   {"Constant", {{2, 2}, {2, 2}}, exact},
                   {"Zero", {{0}, {0}}, exact}});
}

TEST(quantization_error, NoSignalIsInfinitelyWrong) {
  measuring.gives(
      {{"Constant", {{2, 2}, {6, 6}}, {16, 4, 4, kInfinity, -kInfinity, decibels(4 / 16.0), 1}},
       {"Zero", {{0, 0}, {1, 1}}, {1, 1, 1, kInfinity, -kInfinity, -kInfinity, 0}}});
}

TEST(quantization_error, SubtractsTheMeanFirst) {
  measuring.gives({{"Mean2^23", large_mean(1000, 23), {0, 0, 0, 0.125 / 0.25, 0, 0, 0}}},
                  measuring.only({"relative_error"}));
}

TEST(quantization_error, RefusesWhatHasNoError) {
  measuring.refuses({kByHand.front()}, without_an_error<Measuring>());
}

// --- error_of_doubles ---------------------------------------------------------------------------

using InDouble = Exercise<&error_of_doubles>;
const InDouble in_double{
    {"x", "x_hat"},
    {"mse", "mae", "max_error", "relative_error", "snr_db", "sqnr_db", "cosine"},
    {},
    {.tolerance = metric_tolerance()}};

TEST(error_of_doubles, KeepsTheDoubles) {
  const auto [snr_db, sqnr_db] = ratios(0x1p61, 0x5p61);
  in_double.gives(
      {{"Tenths",
        {{1, 2, 3}, {1.1, 2, 2.9}},
        {0.02 / 3, 0.2 / 3, 0.1, 0.01, 20, 10 * std::log10(700.0), 13.8 / std::sqrt(14 * 13.62)}},
       {"Close",
        {{1 + 0x1p-30, 3}, {1, 3}},
        {0x1p-61, 0x1p-31, 0x1p-30, 0x1p-61, snr_db, sqnr_db, 1},
        "1 + 2^-30 is 1 as a float, and no error is left"}});
  auto far_off = worked_by_hand<InDouble>({{"Tiny", 0x1p-300}, {"Huge", 0x1p300}});
  for (InDouble::Row& row : far_off) {
    row.rule = "no float is this; its square fits a double, and a product of two squares does not";
  }
  in_double.gives(far_off);
  stays_a_cosine(in_double);
}

TEST(error_of_doubles, DividesByZeroAsBefore) {
  const double minus_six = decibels(4 / 16.0);
  in_double.gives({{"NoError", {{2, 2}, {2, 2}}, {0, 0, 0, 0, kInfinity, kInfinity, 1}},
                   {"NoSignal", {{2, 2}, {6, 6}}, {16, 4, 4, kInfinity, -kInfinity, minus_six, 1}},
                   {"BothAreZero", {{0, 0}, {0, 0}}, {0, 0, 0, 0, kInfinity, kInfinity, 1}},
                   {"XIsZero", {{0, 0}, {1, 1}}, {1, 1, 1, kInfinity, -kInfinity, -kInfinity, 0}}});
}

TEST(error_of_doubles, SubtractsTheMeanFirst) {
  in_double.gives(
      {{"Mean2^30", large_mean<InDouble::Arguments>(1000, 30), {0, 0, 0, 0.5, 0, 0, 0}}},
      in_double.only({"relative_error"}));
}

TEST(error_of_doubles, RefusesWhatHasNoError) {
  in_double.refuses(worked_by_hand<InDouble>({{"Fine", 1.0}}), without_an_error<InDouble>());
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

// One value, where there is no variance; two; around a vector; a prime; more than 2^16. The mean is
// shifted, the steps go down to two in all, and no x_hat is 0: then the error would be x itself.
template <class E>
void equals_the_reference(const E& exercise, int finest) {
  using Tensors = typename E::Arguments;
  std::vector<typename E::Input> inputs;
  for (const std::size_t size : {1, 2, 31, 33, 4099, 70001}) {
    for (const int steps : {1, 7, finest}) {
      const auto step = static_cast<Number<Tensors>>(4.0 / steps);
      Tensors pair;
      for (const float value :
           normal_tensor(size, hidden_seed(size * 128 + static_cast<std::size_t>(steps)))) {
        pair.a.push_back(value + 0.75f);
        pair.b.push_back(step * (std::floor(pair.a.back() / step) + Number<Tensors>{0.5}));
      }
      inputs.push_back({std::to_string(size) + "x" + std::to_string(steps), std::move(pair)});
    }
  }
  exercise.agrees_with(exercise.reference, inputs);
}

TEST(mean_squared_error, EqualsTheReference) { equals_the_reference(squaring, 127); }

TEST(absolute_errors, EqualsTheReference) { equals_the_reference(magnitudes, 127); }

TEST(signal_to_noise, EqualsTheReference) { equals_the_reference(comparing, 127); }

TEST(cosine_similarity, EqualsTheReference) { equals_the_reference(turning, 127); }

TEST(quantization_error, EqualsTheReference) { equals_the_reference(measuring, 127); }

// Steps finer than a float has digits for: of floats, other errors would be left.
TEST(error_of_doubles, EqualsTheReference) { equals_the_reference(in_double, 1 << 26); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
