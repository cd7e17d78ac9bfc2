// Lab 35, compare_pairs: the checks.
#include "checks/35_roofline/compare_pairs.hpp"

namespace nibble::judge::lab_35_roofline {
namespace {

/// Interval of draws in which pairs are torn: ours of one pair, theirs of another.
bool is_torn(const Comparing::Arguments& in, const Comparison& got) {
  const auto is = [&](const Times& draws) {
    return is_near(got.low, std::exp(draws[24]), metric_tolerance()) &&
           is_near(got.high, std::exp(draws[975]), metric_tolerance());
  };
  Times apart;  // all of ours first, then all of theirs
  SplitMix random(in.c);
  const auto n = static_cast<std::uint32_t>(in.a.size());
  for (int r = 0; r < kResamples; ++r) {
    double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += std::log(in.a[random.below(n)]);
    for (std::uint32_t i = 0; i < n; ++i) sum -= std::log(in.b[random.below(n)]);
    apart.push_back(sum / n);
  }
  std::ranges::sort(apart);
  return is(apart) || is(draws_with(in, [&](const auto& below) {
           const double ours = in.a[below()];
           return std::log(ours / in.b[below()]);
         }));
}

bool is_same(double got, double want) { return is_near(got, want, metric_tolerance()); }

/// A ratio that was drawn is told as such.
const auto kRatio = [](Expect& expect, const Comparing::Arguments& in, const Comparison& got,
                       const Comparison& want) {
  const Times draws = draws_of(in);
  const double middle = std::exp((draws[499] + draws[500]) / 2);
  expect.that(is_same(got.ratio, want.ratio) || !is_same(got.ratio, middle),
              "ratio is the middle of the draws: it is of the pairs themselves");
  comparing.only({"ratio"})(expect, in, got, want);
};

/// The product of these quotients is no double, though their mean is one.
const auto kFarRatio = [](Expect& expect, const Comparing::Arguments& in, const Comparison& got,
                          const Comparison& want) {
  expect.that(got.ratio != 0 && !std::isinf(got.ratio),
              "ratio is " + show_value(got.ratio) +
                  ": looks like a product of all quotients, which may be so; the mean of their "
                  "logarithms is not",
              "N-OVERFLOW");
  kRatio(expect, in, got, want);
};

/// Of a wrong interval is told what it is, where that is known; with a code, so that fewer pairs
/// say the same.
const auto kInterval = [](Expect& expect, const Comparing::Arguments& in, const Comparison& got,
                          const Comparison& want) {
  if (!is_same(got.low, want.low) || !is_same(got.high, want.high)) {
    const Times draws = draws_of(in);
    const auto is_draw = [&](double factor, std::size_t at) {
      return is_same(factor, std::exp(draws[at]));
    };
    expect.that(got.low != got.high || want.low == want.high,
                "low is high: all draws are one and the same, since the random numbers begin anew",
                "N-FORMULA");
    expect.that(!is_torn(in, got),
                "a pair is torn: ours of one and theirs of another, which no load has met together",
                "N-FORMULA");
    expect.that(is_same(got.low, want.low) || !is_draw(got.low, 23),
                "low is the 24th least draw, not the 25th", "N-FORMULA");
    expect.that(is_same(got.low, want.low) || !is_draw(got.low, 25),
                "low is the 26th least draw, not the 25th", "N-FORMULA");
    expect.that(is_same(got.high, want.high) || !is_draw(got.high, 976),
                "high is the 24th greatest draw, not the 25th", "N-FORMULA");
    expect.that(is_same(got.high, want.high) || !is_draw(got.high, 974),
                "high is the 26th greatest draw, not the 25th", "N-FORMULA");
    expect.that(!is_same(got.low, want.ratio * want.ratio / want.high),
                "the interval is turned round the ratio: low is the 25th least draw itself",
                "N-FORMULA");
    const Comparison narrow = comparison_by_definition({in.a, in.b, in.c & 0xFFFFFFFF});
    expect.that(!is_same(got.low, narrow.low) || !is_same(got.high, narrow.high),
                "32 bits of the seed are used: it has 64", "N-OVERFLOW");
  }
  comparing.only({"low", "high"})(expect, in, got, want);
};

// Of two pairs, twice and half, all that is not an average of factors says who measured first.
TEST(compare_pairs, AveragesFactors) {
  const auto row = [](const char* name, const Times& ours, const Times& theirs, double ratio,
                      const char* rule =
                          "the logarithm of each quotient is averaged: twice and "
                          "half make 1, and a long pair counts as much as a short "
                          "one") {
    return Comparing::Row{name, {ours, theirs, 1}, {ratio, 0, 0, 0}, rule};
  };
  const std::vector<Comparing::Row> rows = {
      row("TwiceAndHalf", {2, 1}, {1, 2}, 1),
      row("TwiceAndHalfOfMore", {4, 10}, {2, 20}, 1),
      row("Half", {1, 2, 4}, {2, 4, 8}, 0.5),
      row("FourTimesOnce", {8, 3, 5}, {1, 3, 5}, 2),
      row("FourPairs", {1, 2, 5, 30}, {1, 1, 1, 1}, std::pow(300, 0.25),
          "ratio is of all pairs; what is drawn makes low and high alone"),
      row("One", {3}, {2}, 1.5, "one pair is enough")};
  comparing.gives(rows, kRatio);
  comparing.gives({row("FarSlower", Times(30, 1e12), Times(30, 1e-12), 1e24, ""),
                   row("FarFaster", Times(30, 1e-12), Times(30, 1e12), 1e-24, "")},
                  kFarRatio);
}

TEST(compare_pairs, DrawsAgain) {
  std::vector<Comparing::Input> inputs;
  for (const double factor : {0.5, 1.0, 1.7}) {
    inputs.push_back({std::to_string(factor), pairs(8, factor, seed(8))});
  }
  inputs.push_back({"OtherSeed", {inputs[0].in.a, inputs[0].in.b, seed(9)}});
  comparing.agrees_with(comparison_by_definition, inputs, kInterval);
}

TEST(compare_pairs, SaysWhatIsSure) {
  comparing.gives({{"Faster", {{1, 2, 4}, {2, 4, 8}, 7}, {0.5, 0.5, 0.5, -1}},
                   {"Slower",
                    {{2, 4, 8}, {1, 2, 4}, 7},
                    {2, 2, 2, 1},
                    "low is a factor, 2, and its logarithm 0.7: above 1 is the factor"},
                   {"Equal",
                    {{2, 4, 8}, {2, 4, 8}, 7},
                    {1, 1, 1, 0},
                    "an interval that ends at 1 holds it: no difference was found"},
                   {"NobodyKnows", {{2, 1}, {1, 2}, 7}, {1, 0.5, 2, 0}},
                   {"FasterOnce",
                    {{1, 4, 8}, {2, 4, 8}, 7},
                    {std::cbrt(0.5), 0.5, 1, 0},
                    "the interval decides, not the ratio, and this one ends at 1"},
                   {"SlowerOnce",
                    {{2, 4, 8}, {1, 4, 8}, 7},
                    {std::cbrt(2.0), 1, 2, 0},
                    "the interval decides, not the ratio, and this one begins at 1"}},
                  comparing.only({"verdict"}));
}

TEST(compare_pairs, HoldsAtAnyLength) {
  comparing.agrees_with(comparison_by_definition, many_pairs(seed, 100));
}

TEST(compare_pairs, RefusesWhatIsNoPair) {
  comparing.refuses({{"Fine", {{1}, {2}, 7}, {0.5, 0.5, 0.5, -1}}},
                    {{"", {{1, 2}, {1, 2, 3}, 7}},
                     {"", {{1, 2, 3}, {1, 2}, 7}},
                     {"", {Times{}, Times{}, 7}},
                     {"N-RANGE", {{1, 0}, {1, 1}, 7}},
                     {"N-RANGE", {{1, 1}, {-1, 1}, 7}},
                     {"N-NAN", {{1, double{kNan}}, {1, 1}, 7}},
                     {"N-NAN", {{1, 1}, {1, double{kInfinity}}, 7}}});
}

}  // namespace
}  // namespace nibble::judge::lab_35_roofline
