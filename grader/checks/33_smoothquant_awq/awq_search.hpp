// Lab 33, awq_search: what is right, and what people write instead.
#pragma once

#include "smoothquant_awq.hpp"

#include "checks/33_smoothquant_awq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

using Searching = Exercise<&awq_search>;

/// The slips that are told by their names.
enum class Slip {
  kNone,
  kSigned,
  kOfTheMean,
  kLargest,
  kLiftsTheSum,
  kByTheLargest,
  kEachTerm,
  kWholeGroups,
  kOneStepMore,
  kLeastForZero,
  kLiftsThePower,
  kTiesAway,
  kNotDivided,
  kByTheMean,
  kByMaxTimesMin,
  kUpsideDown,
  kNineteenths,
  kNoPowers,
  kOfTheWeights,
  kOfTheirSquares,
  kByMax,
  kAdded,
  kRootOfSquares,
  kStillLarger,
  kNotUndone,
  kCut,
  kAcrossRows,
  kOneGroupARow,
  kOneScale
};

struct NamedSlip {
  Slip slip;
  const char *code, *sentence;
};

inline constexpr const char* kErrorOfWeights =
    "the error is how far the weights are off: it is how far the outputs are";
inline constexpr const char* kNoGroups =
    "groups are left out: each group_size numbers of a row have a scale of their own";
inline constexpr NamedSlip kSlips[] = {
    {Slip::kSigned, "N-FORMULA", "a[i] is a mean of x: it is one of |x|"},
    {Slip::kOfTheMean, "N-FORMULA", "a[i] is a mean of x: it is one of |x|"},
    {Slip::kLargest, "N-FORMULA", "a[i] is the largest |x|: it is their mean"},
    {Slip::kLiftsTheSum, "N-DIV0", "the sum of |x| is at least 1e-4: it is their mean that is"},
    {Slip::kByTheLargest, "N-FORMULA",
     "scales are divided by sqrt(max p): it is sqrt(max p * min p)"},
    {Slip::kEachTerm, "N-FORMULA",
     "the error is of squared terms: it is of squared sums over the inputs"},
    {Slip::kWholeGroups, "N-TAIL", "what is left of a row is not rounded: it is the last group"},
    {Slip::kOneStepMore, "N-FORMULA", "qmax is 2^(num_bits-1): it is one less"},
    {Slip::kLeastForZero, "N-DIV0", "1e-4 stands for a mean of 0 alone: it does for any below it"},
    {Slip::kLiftsThePower, "N-DIV0",
     "the power is at least 1e-4: it is the mean, before its power"},
    {Slip::kTiesAway, "N-ROUND", "ties go away from zero: they go to the even neighbour"},
    {Slip::kNotDivided, "N-FORMULA", "scales are p: they are p divided by sqrt(max p * min p)"},
    {Slip::kByTheMean, "N-FORMULA",
     "scales are divided by (max p + min p) / 2: it is sqrt(max p * min p)"},
    {Slip::kByMaxTimesMin, "N-FORMULA",
     "scales are divided by max p * min p: it is the root of that"},
    {Slip::kUpsideDown, "N-INVERSE", "scales are upside down: a large input has a large one"},
    {Slip::kNineteenths, "N-FORMULA", "the power is k / 19: it is k / 20"},
    {Slip::kNoPowers, "N-FORMULA",
     "no power helps: k / 20 of integers is 0, or w_hat is not what rounding makes of w * s"},
    {Slip::kOfTheWeights, "N-FORMULA", kErrorOfWeights},
    {Slip::kOfTheirSquares, "N-FORMULA", kErrorOfWeights},
    {Slip::kByMax, "N-FORMULA", "scales are divided by max p: it is sqrt(max p * min p)"},
    {Slip::kAdded, "N-FORMULA", "1e-4 is added to a mean: it is the least that a mean may be"},
    {Slip::kRootOfSquares, "N-FORMULA", "a[i] is the root of a mean square: it is a mean of |x|"},
    {Slip::kStillLarger, "N-FORMULA",
     "w_hat is not divided by s: rounded weights are still larger than w"},
    {Slip::kNotUndone, "N-FORMULA", "w * s is compared with its rounding: w_hat is divided by s"},
    {Slip::kCut, "N-TRUNC", "codes are cut: they are rounded"},
    {Slip::kAcrossRows, "N-TAIL",
     "groups run on across the ends of rows: the last group of a row is what is left"},
    {Slip::kOneGroupARow, "N-TAIL", kNoGroups},
    {Slip::kOneScale, "N-TAIL", kNoGroups}};

/// One exponent of the twenty.
inline AwqChoice tried(const Searching::Arguments& in, int k, Slip slip = Slip::kNone) {
  const std::size_t n = static_cast<std::size_t>(in.c), outputs = rows_of(in.a, in.c),
                    samples = rows_of(in.b, in.c), each = static_cast<std::size_t>(in.e);
  Doubles logs(n), off(in.a.size());
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t s = 0; s < samples; ++s) {
      const bool with_sign = slip == Slip::kSigned || slip == Slip::kOfTheMean;
      const double x = in.b[s * n + i];
      sum += slip == Slip::kRootOfSquares ? x * x : with_sign ? x : std::fabs(x);
    }
    if (slip == Slip::kOfTheMean) sum = std::fabs(sum);
    const auto count = static_cast<double>(samples);
    const double mean = slip == Slip::kLargest         ? largest_of(in.b, n, i)
                        : slip == Slip::kLiftsTheSum   ? std::max(sum, 1e-4) / count
                        : slip == Slip::kRootOfSquares ? std::sqrt(sum / count)
                        : slip == Slip::kAdded         ? sum / count + 1e-4
                                                       : sum / count;
    const bool is_lifted = slip == Slip::kLiftsTheSum || slip == Slip::kLiftsThePower ||
                           (slip == Slip::kLeastForZero && mean > 0);
    const double power = slip == Slip::kNoPowers      ? 0
                         : slip == Slip::kUpsideDown  ? -k / 20.0
                         : slip == Slip::kNineteenths ? k / 19.0
                                                      : k / 20.0;
    logs[i] = power == 0 ? 0 : power * std::log(is_lifted ? mean : std::max(mean, 1e-4));
    if (slip == Slip::kLiftsThePower) logs[i] = std::max(logs[i], std::log(1e-4));
  }
  const auto [least, most] = std::ranges::minmax(logs);
  const double middle = slip == Slip::kByTheLargest ? most / 2
                        : slip == Slip::kNotDivided ? 0
                        : slip == Slip::kByMax      ? most
                        : slip == Slip::kByTheMean
                            ? std::log((std::exp(least) + std::exp(most)) / 2)
                        : slip == Slip::kByMaxTimesMin ? least + most
                                                       : (least + most) / 2;
  const Doubles s = each_of(logs, [middle](double l) { return std::exp(l - middle); });
  const int qmax = signed_range(in.d).qmax + (slip == Slip::kOneStepMore ? 1 : 0);
  const std::size_t rounded = slip == Slip::kWholeGroups ? n / each * each : n;
  const std::size_t row = slip == Slip::kAcrossRows || slip == Slip::kOneScale ? in.a.size() : n;
  const std::size_t group =
      std::min(slip == Slip::kOneScale || slip == Slip::kOneGroupARow ? row : each, row);
  double scale = 1;
  for (std::size_t at = 0; at < in.a.size(); ++at) {
    if (at % row % group == 0) {
      const std::size_t end = std::min((at / row + 1) * row, at + group);
      double amax = 0;
      for (std::size_t p = at; p < end; ++p) amax = std::max(amax, std::fabs(in.a[p] * s[p % n]));
      scale = amax == 0 ? 1 : amax / qmax;
    }
    if (at % n >= rounded) continue;
    const double w = in.a[at], factor = s[at % n], steps = w * factor / scale;
    const double code = slip == Slip::kTiesAway ? std::round(steps)
                        : slip == Slip::kCut    ? std::trunc(steps)
                                                : std::nearbyint(steps);
    off[at] = slip == Slip::kStillLarger ? w - code * scale
              : slip == Slip::kNotUndone ? w * factor - code * scale
                                         : w - code * scale / factor;
  }
  double sum = 0;
  for (std::size_t at = 0; at < samples * outputs; ++at) {
    double y = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = slip == Slip::kOfTheWeights || slip == Slip::kOfTheirSquares
                           ? 1
                           : in.b[at / outputs * n + i];
      const double term = x * off[at % outputs * n + i];
      y += term;
      squares += term * term;
    }
    sum += slip == Slip::kEachTerm || slip == Slip::kOfTheirSquares ? squares : y * y;
  }
  return {k, s, sum / static_cast<double>(samples * outputs)};
}

inline AwqChoice choice_with(const Searching::Arguments& in, Slip slip) {
  AwqChoice best = tried(in, 0, slip);
  for (int k = 1; k < 20; ++k) {
    const AwqChoice one = tried(in, k, slip);
    if (one.error < best.error) best = one;
  }
  return best;
}

inline bool are_alike(const AwqChoice& a, const AwqChoice& b) {
  return a.exponent == b.exponent &&
         all_near(a.scales, b.scales, factor_tolerance(largest(b.scales)).absolute) &&
         std::fabs(a.error - b.error) <= factor_tolerance(b.error).absolute;
}

/// Says which slip gives this answer, where one does and no other.
inline void name_the_slip(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                          const AwqChoice& want) {
  if (are_alike(got, want)) return;
  const NamedSlip* only = nullptr;
  for (const NamedSlip& one : kSlips) {
    const AwqChoice other = choice_with(in, one.slip);
    if (are_alike(other, want) || !are_alike(got, other)) continue;
    if (only != nullptr && std::string_view(only->sentence) != one.sentence) return;
    only = &one;
  }
  if (only != nullptr) expect.that(false, only->sentence, only->code);
}

/// Errors of two exponents may be equal but for the order of a sum: where all codes stay, say. Then
/// either will do.
inline void look_at_choice(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                           const AwqChoice& want) {
  expect.that(std::isfinite(got.error), "error is no number", "N-DIV0");
  const bool is_exponent = 0 <= got.exponent && got.exponent < 20;
  const AwqChoice theirs = is_exponent ? tried(in, got.exponent) : want;
  const double off = factor_tolerance(want.error).absolute;
  const bool is_as_good = is_exponent && are_alike(got, theirs) && theirs.error <= want.error + off;
  if (!is_as_good) name_the_slip(expect, in, got, want);
  expect.that(is_exponent, "exponent is " + std::to_string(got.exponent) + ": it is one of 0 to 19",
              "N-FORMULA");
  expect.that(got.error > off || want.error <= off,
              "error is 0 but for its last digits: as if no weight were rounded");
  if (std::fabs(theirs.error - got.error) <= factor_tolerance(theirs.error).absolute) {
    expect.that(theirs.error <= want.error + off, "exponent " + std::to_string(got.exponent) +
                                                      " has the error " + show_value(got.error) +
                                                      ", and " + std::to_string(want.exponent) +
                                                      " has " + show_value(want.error));
  }
  const auto outputs = static_cast<double>(rows_of(in.a, in.c)),
             samples = static_cast<double>(rows_of(in.b, in.c));
  for (const double count : {outputs, samples, outputs * samples}) {
    const bool is_sum = count > 1 && std::fabs(got.error / count - want.error) <= off;
    expect.that(!is_sum || want.error == 0, "error is a sum where a mean is wanted", "N-DENOM");
  }
  const bool is_divided =
      in.c > 1 && want.error > 0 && std::fabs(got.error * in.c - want.error) <= off;
  expect.that(!is_divided,
              "error is divided by the inputs, too: it is a mean over samples and outputs",
              "N-DENOM");
  const AwqChoice& as_good = theirs.error <= want.error + off ? theirs : want;
  expect.equal("exponent", got.exponent, as_good.exponent);
  expect_reals(expect, "scales", got.scales, as_good.scales);
  expect.near("error", got.error, as_good.error, factor_tolerance(as_good.error));
}

inline const Searching searching{{"w", "x", "inputs", "num_bits", "group_size"},
                                 {"exponent", "scales", "error"}};

struct SearchSize {
  std::size_t outputs, n, samples;
  std::int32_t num_bits, group_size;
};

inline std::vector<Searching::Input> searches(Seed seed_of, const std::vector<SearchSize>& sizes) {
  return each_of(sizes, [&](const SearchSize& size, std::size_t at) -> Searching::Input {
    return {size_text(size.outputs, static_cast<int>(size.n)) + " in " +
                std::to_string(size.num_bits) + " bits",
            {normals(size.outputs * size.n, seed_of(at)),
             with_outliers(size.samples, size.n, seed_of(at + 99)),
             static_cast<std::int32_t>(size.n), size.num_bits, size.group_size}};
  });
}

}  // namespace nibble::judge::lab_33_smoothquant_awq
