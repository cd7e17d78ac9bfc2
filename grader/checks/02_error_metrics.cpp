// Lab 02: the checks.
#include "error_metrics.hpp"

#include "checks/marks/02_error_metrics.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// --- Pairs of tensors ---------------------------------------------------------------------------

struct PairCase {
  std::string name;
  std::vector<float> x, x_hat;
  double want = 0.0;  ///< of the metric in question
};

std::string show(const PairCase& c) {
  return "x = " + show_values(c.x) + ", x_hat = " + show_values(c.x_hat);
}

double count(const PairCase& c) { return static_cast<double>(c.x.size()); }

std::vector<float> tensor_of(std::size_t size, float first, float others) {
  std::vector<float> x(size, others);
  x.front() = first;
  return x;
}

/// 65,536 values of which the first is so large that a float32 sum that has begun with `first`
/// squared, or with `first`, stays where it is whatever the others add.
PairCase long_tail(float first, float others) {
  return {"LongTail", tensor_of(65536, first, others), std::vector<float>(65536, 0.0f)};
}

/// `size` values of which 2^exponent is the base: base, base + 1, base, … with every eighth of them
/// one too large. The variance is 1/4, the mse 1/8, and the mean is the base plus 1/2.
PairCase large_mean(std::size_t size, int exponent) {
  PairCase c{"Mean2^" + std::to_string(exponent), {}, {}};
  const float base = std::ldexp(1.0f, exponent);
  for (std::size_t i = 0; i < size; ++i) {
    c.x.push_back(base + static_cast<float>(i % 2));
    c.x_hat.push_back(c.x.back() + (i % 8 == 0 ? 1.0f : 0.0f));
  }
  return c;
}

// Two values; less than, as many as and one more than two vectors of 4 doubles; a large prime.
const std::vector<std::size_t> lengths = {2, 7, 8, 9, 33, 4099};

/// 5, 3, 5, 3, … of which only the last comes back wrong, by 4.
PairCase only_the_last_is_off(std::size_t size) {
  PairCase c{std::to_string(size), {}, {}};
  for (std::size_t i = 0; i < size; ++i) c.x.push_back(i % 2 == 0 ? 5.0f : 3.0f);
  c.x_hat = c.x;
  c.x_hat.back() -= 4.0f;
  return c;
}

/// Cases of one metric, each with what `want` makes of its size.
template <class Want>
std::vector<PairCase> every_length(Want want) {
  std::vector<PairCase> cases;
  for (const std::size_t size : lengths) {
    cases.push_back(only_the_last_is_off(size));
    cases.back().want = want(static_cast<double>(size));
  }
  return cases;
}

/// Refused, one after the other, are all the pairs that have no error.
template <auto Metric>
void refuses_what_has_no_error(Expect& expect) {
  const auto refused = [&](std::vector<float> x, std::vector<float> x_hat, std::string_view code) {
    expect.that(refuses<Metric>(x, x_hat),
                "accepted x = " + show_values(x) + ", x_hat = " + show_values(x_hat), code);
  };
  refused({1, NAN, 2}, {1, 1, 2}, "N-NAN");
  refused({1, 1, 2}, {1, 1, NAN}, "N-NAN");
  refused({-INFINITY, 1}, {1, 1}, "N-NAN");
  refused({1, 1}, {1, INFINITY}, "N-NAN");
  refused({INFINITY}, {INFINITY}, "N-NAN");
  refused({1, 2}, {1, 2, 3}, "N-SIZE");
  refused({1, 2, 3}, {1, 2}, "N-SIZE");
  refused({}, {}, "N-DIV0");
}

/// What a sum where a mean is wanted would give, and a mean over one element less.
void suspect_wrong_counts(std::string_view what, const PairCase& c, Expect& expect) {
  const double n = count(c);
  expect.suspect("N-DENOM", what, c.want * n);
  if (n > 1) expect.suspect("N-DENOM", what, c.want * n / (n - 1));
}

// --- mean_squared_error -------------------------------------------------------------------------

void is_mse(const PairCase& c, Expect& expect) {
  suspect_wrong_counts("mse", c, expect);
  expect.near("mse", call<&mean_squared_error>(c.x, c.x_hat), c.want, metric_tolerance());
}

TEST(mean_squared_error, AveragesTheSquares) {
  each_case<PairCase>({{"Four", {1, 2, 3, 4}, {1, 0, 4, 4}, 1.25},
                       {"OneSided", {0.5f, 0.25f, 3}, {0, 0, 3}, 0.3125 / 3},
                       {"AcrossZero", {3, 2}, {-1, 2}, 8},
                       {"Equal", {3, -4}, {3, -4}, 0}},
                      is_mse);
}

TEST(mean_squared_error, SumsInDouble) {
  PairCase tail = long_tail(4096, 1);
  tail.want = (16777216.0 + 65535.0) / 65536.0;
  each_case<PairCase>({{"Tiny", {0x1p-80f, 0}, {0, 0}, 0x1p-161},
                       {"Huge", {0x1p80f, 0}, {0, 0}, 0x1p159},
                       std::move(tail)},
                      is_mse);
}

TEST(mean_squared_error, CountsEveryElement) {
  each_case(every_length([](double n) { return 16.0 / n; }), is_mse);
}

TEST(mean_squared_error, RefusesWhatHasNoError) {
  once([](Expect& expect) {
    is_mse({"", {2, 1}, {4, 1}, 2.0}, expect);  // refusing counts only where accepting works
    refuses_what_has_no_error<&mean_squared_error>(expect);
  });
}

// --- absolute_errors ----------------------------------------------------------------------------

void is_mae(const PairCase& c, Expect& expect) {
  suspect_wrong_counts("mae", c, expect);
  double signed_sum = 0.0;
  for (std::size_t i = 0; i < c.x.size(); ++i) signed_sum += double{c.x[i]} - c.x_hat[i];
  for (const double sign : {1.0, -1.0})
    expect.suspect("N-SIGN", "mae", sign * signed_sum / count(c));
  expect.near("mae", call<&absolute_errors>(c.x, c.x_hat).mae, c.want, metric_tolerance());
}

void is_max_error(const PairCase& c, Expect& expect) {
  double above = -kInfinity, below = -kInfinity;  // the largest of e and of -e, as signed numbers
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    above = std::max(above, double{c.x[i]} - c.x_hat[i]);
    below = std::max(below, double{c.x_hat[i]} - c.x[i]);
  }
  expect.suspect("N-SIGN", "max_error", above);
  expect.suspect("N-SIGN", "max_error", below);
  expect.near("max_error", call<&absolute_errors>(c.x, c.x_hat).max_error, c.want,
              metric_tolerance());
}

TEST(absolute_errors, AveragesTheMagnitudes) {
  each_case<PairCase>({{"BothSigns", {1, 2, 3, 4}, {1, 0, 4, 4}, 0.75},
                       {"Below", {-0.5f, -0.25f, 3}, {0, 0, 3}, 0.25},
                       {"AcrossZero", {3, 2}, {-1, 2}, 2},
                       {"Equal", {3, -4}, {3, -4}, 0}},
                      is_mae);
}

TEST(absolute_errors, TakesTheLargestMagnitude) {
  each_case<PairCase>({{"Positive", {4, 2, 1}, {1, 3, 1}, 3},
                       {"Negative", {1, 3, 1}, {4, 2, 1}, 3},
                       {"NonePositive", {2, 3, 1}, {5, 4, 1}, 3},
                       {"Equal", {3, -4}, {3, -4}, 0}},
                      is_max_error);
}

TEST(absolute_errors, SumsInDouble) {
  PairCase tail = long_tail(16777216, 1);
  tail.want = (16777216.0 + 65535.0) / 65536.0;
  each_case<PairCase>({std::move(tail)}, is_mae);
}

TEST(absolute_errors, CountsEveryElement) {
  each_case(every_length([](double n) { return 4.0 / n; }), [](const PairCase& c, Expect& expect) {
    const AbsoluteErrors got = call<&absolute_errors>(c.x, c.x_hat);
    expect.near("mae", got.mae, c.want, metric_tolerance());
    expect.near("max_error", got.max_error, 4.0, metric_tolerance());
  });
}

TEST(absolute_errors, RefusesWhatHasNoError) {
  once([](Expect& expect) {
    is_mae({"", {2, 1}, {4, 1}, 1.0}, expect);
    refuses_what_has_no_error<&absolute_errors>(expect);
  });
}

// --- signal_to_noise ----------------------------------------------------------------------------
//
// Here `want` is the ratio, before it is made decibels.

double decibels(double ratio) { return 10.0 * std::log10(ratio); }

void is_ratio(std::string_view what, double got, const PairCase& c, Expect& expect) {
  const double n = count(c);
  expect.suspect("N-DENOM", what, decibels(c.want * n));
  if (n > 1) expect.suspect("N-DENOM", what, decibels(c.want * n / (n - 1)));
  expect.near(what, got, decibels(c.want), metric_tolerance());
}

void is_snr(const PairCase& c, Expect& expect) {
  is_ratio("snr_db", call<&signal_to_noise>(c.x, c.x_hat).snr_db, c, expect);
}

void is_sqnr(const PairCase& c, Expect& expect) {
  is_ratio("sqnr_db", call<&signal_to_noise>(c.x, c.x_hat).sqnr_db, c, expect);
}

// Means that are not 0, so that variance and power differ.
TEST(signal_to_noise, SnrComparesTheVariance) {
  each_case<PairCase>({{"Two", {3, 5}, {3.5f, 4.5f}, 1 / 0.25},
                       {"Four", {1, 3, 5, 7}, {2, 2, 6, 6}, 5 / 1.0},
                       {"MoreNoise", {-1, -3}, {-5, 1}, 1 / 16.0}},
                      is_snr);
}

TEST(signal_to_noise, SqnrComparesThePower) {
  each_case<PairCase>({{"Two", {3, 5}, {3.5f, 4.5f}, 17 / 0.25},
                       {"Four", {1, 3, 5, 7}, {2, 2, 6, 6}, 21 / 1.0},
                       {"MoreNoise", {-1, -3}, {-5, 1}, 5 / 16.0}},
                      is_sqnr);
}

TEST(signal_to_noise, NoErrorIsInfinite) {
  each_case<PairCase>(
      {{"Varied", {3, 5}, {3, 5}}, {"Constant", {2, 2}, {2, 2}}, {"Zero", {0}, {0}}},
      [](const PairCase& c, Expect& expect) {
        const SignalToNoise got = call<&signal_to_noise>(c.x, c.x_hat);
        expect.equal("snr_db", got.snr_db, kInfinity);
        expect.equal("sqnr_db", got.sqnr_db, kInfinity);
      });
}

TEST(signal_to_noise, NoSignalIsMinusInfinite) {
  each_case<PairCase>({{"Constant", {2, 2}, {3, 1}, 4}, {"Zero", {0, 0}, {1, 1}, 0}},
                      [](const PairCase& c, Expect& expect) {
                        const SignalToNoise got = call<&signal_to_noise>(c.x, c.x_hat);
                        expect.equal("snr_db", got.snr_db, -kInfinity);
                        expect.near("sqnr_db", got.sqnr_db, decibels(c.want), metric_tolerance());
                      });
}

struct RatioCase {
  PairCase pair;
  double snr, sqnr;  ///< ratios
  std::string name = pair.name;
};

std::string show(const RatioCase& c) { return show(c.pair); }

TEST(signal_to_noise, SumsInDouble) {
  const double mean = 0x1p20 + 0.5;
  each_case<RatioCase>({{{"Tiny", {0x1p-80f, 0x2p-80f}, {0, 0x3p-80f}}, 0.25, 2.5},
                        {{"Huge", {0x1p80f, 0x2p80f}, {0, 0x3p80f}}, 0.25, 2.5},
                        {large_mean(4096, 20), 0.25 / 0.125, (mean * mean + 0.25) / 0.125}},
                       [](const RatioCase& c, Expect& expect) {
                         const SignalToNoise got = call<&signal_to_noise>(c.pair.x, c.pair.x_hat);
                         expect.near("snr_db", got.snr_db, decibels(c.snr), metric_tolerance());
                         expect.near("sqnr_db", got.sqnr_db, decibels(c.sqnr), metric_tolerance());
                       });
}

// mean x^2 - mean^2 is 2^46 - 2^46 here, and a double has 53 bits: less than 1/64 cannot be seen.
TEST(signal_to_noise, SubtractsTheMeanFirst) {
  PairCase mean = large_mean(1000, 23);
  mean.want = 0.25 / 0.125;
  each_case<PairCase>({std::move(mean)}, is_snr);
}

// Of n values 5, 3, 5, …, an odd n has one 5 more: the variance is 1 - 1/n^2.
TEST(signal_to_noise, CountsEveryElement) {
  const auto ratio = [](double n) {
    const double variance = std::fmod(n, 2.0) == 0.0 ? 1.0 : 1.0 - 1.0 / (n * n);
    return variance / (16.0 / n);
  };
  each_case(every_length(ratio), [](const PairCase& c, Expect& expect) {
    expect.near("snr_db", call<&signal_to_noise>(c.x, c.x_hat).snr_db, decibels(c.want),
                metric_tolerance());
  });
}

TEST(signal_to_noise, RefusesWhatHasNoError) {
  once([](Expect& expect) {
    is_snr({"", {3, 5}, {3, 3}, 1 / 2.0}, expect);
    refuses_what_has_no_error<&signal_to_noise>(expect);
  });
}

// --- cosine_similarity --------------------------------------------------------------------------

void is_cosine(const PairCase& c, Expect& expect) {
  expect.near("cosine", call<&cosine_similarity>(c.x, c.x_hat), c.want, metric_tolerance());
}

// Each pair ends in zeros, so that a loop that stops early is told apart from wrong arithmetic.
TEST(cosine_similarity, FollowsTheFormula) {
  each_case<PairCase>({{"SameLength", {3, 4, 0}, {4, 3, 0}, 0.96},
                       {"OtherLength", {3, 4, 0}, {8, 6, 0}, 0.96},
                       {"Stretched", {3, 4, 0}, {3072, 4096, 0}, 1},
                       {"Shrunk", {3, 4, 0}, {0.375f, 0.5f, 0}, 1},
                       {"Opposite", {3, 4, 0}, {-3, -4, 0}, -1},
                       {"ThreeNumbers", {3, 4, 0, 0}, {0, 3, 4, 0}, 0.48}},
                      is_cosine);
}

TEST(cosine_similarity, ZeroHasNoDirection) {
  each_case<PairCase>({{"XHatIsZero", {3, 4}, {0, 0}, 0},
                       {"XIsZero", {0, 0}, {3, 4}, 0},
                       {"BothAreZero", {0, 0}, {0, -0.0f}, 1}},
                      is_cosine);
}

TEST(cosine_similarity, SumsInDouble) {
  PairCase tail = long_tail(4096, 1);
  tail.x_hat = tensor_of(65536, 4096, -1);
  tail.want = (16777216.0 - 65535.0) / (16777216.0 + 65535.0);
  each_case<PairCase>({{"Tiny", {0x3p-80f, 0x4p-80f, 0}, {0x4p-80f, 0x3p-80f, 0}, 0.96},
                       {"Huge", {0x3p80f, 0x4p80f, 0}, {0x4p80f, 0x3p80f, 0}, 0.96},
                       std::move(tail)},
                      is_cosine);
}

// 1, 1, … against 1, 1, …, -1: the product is two less than n.
TEST(cosine_similarity, CountsEveryElement) {
  std::vector<PairCase> cases;
  for (const std::size_t size : {7, 8, 9, 33, 4099}) {
    const std::vector<float> x(size, 1.0f);
    PairCase c{std::to_string(size), x, x, 1.0 - 2.0 / static_cast<double>(size)};
    c.x_hat.back() = -1.0f;
    cases.push_back(std::move(c));
  }
  each_case(cases, is_cosine);
}

TEST(cosine_similarity, RefusesWhatHasNoError) {
  once([](Expect& expect) {
    is_cosine({"", {4, 3, 0}, {3, 4, 0}, 0.96}, expect);
    refuses_what_has_no_error<&cosine_similarity>(expect);
  });
}

// --- quantization_error -------------------------------------------------------------------------
//
// One pair, worked out by hand, and the same in eighths: what has a unit changes, a ratio does not.

struct WholeCase {
  std::string name;
  std::vector<float> x, x_hat;
  QuantizationError want;
};

std::string show(const WholeCase& c) {
  return "x = " + show_values(c.x) + ", x_hat = " + show_values(c.x_hat);
}

// The errors are 2, -1, 0, -3. The mean of x is 4, its variance 5, its power 21.
std::vector<WholeCase> worked_by_hand() {
  const double cosine = 106.0 / std::sqrt(84.0 * 142.0);
  const double snr_db = decibels(5 / 3.5), sqnr_db = decibels(21 / 3.5);
  return {{"Whole", {1, 3, 5, 7}, {-1, 4, 5, 10}, {3.5, 1.5, 3, 0.7, snr_db, sqnr_db, cosine}},
          {"Eighths",
           {0.125f, 0.375f, 0.625f, 0.875f},
           {-0.125f, 0.5f, 0.625f, 1.25f},
           {3.5 / 64, 1.5 / 8, 3.0 / 8, 0.7, snr_db, sqnr_db, cosine}}};
}

/// Compares the given members of the result, by their names.
struct Member {
  std::string_view name;
  double QuantizationError::*value;
};

void compare(const std::vector<Member>& members, const QuantizationError& got,
             const QuantizationError& want, Expect& expect) {
  for (const auto& [name, value] : members) {
    expect.near(name, got.*value, want.*value, metric_tolerance());
  }
}

void members_agree(const std::vector<WholeCase>& cases, const std::vector<Member>& members) {
  each_case(cases, [&](const WholeCase& c, Expect& expect) {
    compare(members, call<&quantization_error>(c.x, c.x_hat), c.want, expect);
  });
}

const std::vector<Member> sizes = {{"mse", &QuantizationError::mse},
                                   {"mae", &QuantizationError::mae},
                                   {"max_error", &QuantizationError::max_error}};
const std::vector<Member> ratios = {{"snr_db", &QuantizationError::snr_db},
                                    {"sqnr_db", &QuantizationError::sqnr_db}};
const std::vector<Member> relative = {{"relative_error", &QuantizationError::relative_error}};
const std::vector<Member> cosine = {{"cosine", &QuantizationError::cosine}};

std::vector<Member> all_members() {
  std::vector<Member> all = sizes;
  for (const auto* more : {&relative, &ratios, &cosine}) {
    all.insert(all.end(), more->begin(), more->end());
  }
  return all;
}

TEST(quantization_error, ErrorsAreInTheirPlaces) { members_agree(worked_by_hand(), sizes); }

TEST(quantization_error, RelativeToTheVariance) { members_agree(worked_by_hand(), relative); }

TEST(quantization_error, RatiosAreInDecibels) { members_agree(worked_by_hand(), ratios); }

TEST(quantization_error, CosineIsTheLast) { members_agree(worked_by_hand(), cosine); }

TEST(quantization_error, NoErrorIsExact) {
  const QuantizationError exact{0, 0, 0, 0, kInfinity, kInfinity, 1};
  members_agree({{"Varied", {3, 5}, {3, 5}, exact},
                 {"Constant", {2, 2}, {2, 2}, exact},
                 {"Zero", {0}, {0}, exact}},
                all_members());
}

TEST(quantization_error, NoSignalIsInfinitelyWrong) {
  members_agree(
      {{"Constant", {2, 2}, {6, 6}, {16, 4, 4, kInfinity, -kInfinity, decibels(4 / 16.0), 1}},
       {"Zero", {0, 0}, {1, 1}, {1, 1, 1, kInfinity, -kInfinity, -kInfinity, 0}}},
      all_members());
}

TEST(quantization_error, SubtractsTheMeanFirst) {
  const PairCase c = large_mean(1000, 23);
  QuantizationError want{};
  want.relative_error = 0.125 / 0.25;
  members_agree({{c.name, c.x, c.x_hat, want}}, relative);
}

TEST(quantization_error, RefusesWhatHasNoError) {
  once([](Expect& expect) {
    const WholeCase fine = worked_by_hand().front();
    compare(all_members(), call<&quantization_error>(fine.x, fine.x_hat), fine.want, expect);
    refuses_what_has_no_error<&quantization_error>(expect);
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

struct UnseenCase {
  std::string name;
  std::vector<float> x, x_hat;
};

std::string show(const UnseenCase& c) {
  return "x = " + show_values(c.x) + ", x_hat = " + show_values(c.x_hat);
}

std::vector<UnseenCase> smaller(const UnseenCase& c) {
  std::vector<UnseenCase> halves;
  const std::size_t middle = c.x.size() / 2;
  const std::span x(c.x), x_hat(c.x_hat);
  const auto add = [&](std::span<const float> some, std::span<const float> back) {
    halves.push_back({std::to_string(some.size()) + " values",
                      {some.begin(), some.end()},
                      {back.begin(), back.end()}});
  };
  if (middle > 0) add(x.first(middle), x_hat.first(middle));
  if (middle > 0) add(x.subspan(middle), x_hat.subspan(middle));
  return halves;
}

// One value, where there is no variance; two; around a vector; a prime; more than 2^16. The mean is
// shifted, the steps go down to two in all, and no x_hat is 0: then the error would be x itself.
std::vector<UnseenCase> unseen() {
  std::vector<UnseenCase> cases;
  for (const std::size_t size : {1, 2, 31, 33, 4099, 70001}) {
    for (const int steps : {1, 7, 127}) {
      UnseenCase c{std::to_string(size) + "x" + std::to_string(steps),
                   normal_tensor(size, hidden_seed(size * 128 + static_cast<std::size_t>(steps))),
                   {}};
      const float step = 4.0f / static_cast<float>(steps);
      for (float& value : c.x) {
        value += 0.75f;
        c.x_hat.push_back(step * (std::floor(value / step) + 0.5f));
      }
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

TEST(mean_squared_error, EqualsTheReference) {
  each_case(unseen(), [](const UnseenCase& c, Expect& expect) {
    expect.near("mse", call<&mean_squared_error>(c.x, c.x_hat), mean_squared_error(c.x, c.x_hat),
                metric_tolerance());
  });
}

TEST(absolute_errors, EqualsTheReference) {
  each_case(unseen(), [](const UnseenCase& c, Expect& expect) {
    const AbsoluteErrors got = call<&absolute_errors>(c.x, c.x_hat);
    const AbsoluteErrors want = absolute_errors(c.x, c.x_hat);
    expect.near("mae", got.mae, want.mae, metric_tolerance());
    expect.near("max_error", got.max_error, want.max_error, metric_tolerance());
  });
}

TEST(signal_to_noise, EqualsTheReference) {
  each_case(unseen(), [](const UnseenCase& c, Expect& expect) {
    const SignalToNoise got = call<&signal_to_noise>(c.x, c.x_hat);
    const SignalToNoise want = signal_to_noise(c.x, c.x_hat);
    expect.near("snr_db", got.snr_db, want.snr_db, metric_tolerance());
    expect.near("sqnr_db", got.sqnr_db, want.sqnr_db, metric_tolerance());
  });
}

TEST(cosine_similarity, EqualsTheReference) {
  each_case(unseen(), [](const UnseenCase& c, Expect& expect) {
    expect.near("cosine", call<&cosine_similarity>(c.x, c.x_hat), cosine_similarity(c.x, c.x_hat),
                metric_tolerance());
  });
}

TEST(quantization_error, EqualsTheReference) {
  each_case(unseen(), [](const UnseenCase& c, Expect& expect) {
    compare(all_members(), call<&quantization_error>(c.x, c.x_hat),
            quantization_error(c.x, c.x_hat), expect);
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
