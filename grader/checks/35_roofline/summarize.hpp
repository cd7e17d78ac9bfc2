// Lab 35, summarize: what is right, and what people write instead.
#pragma once

#include "roofline.hpp"

#include "checks/35_roofline/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_35_roofline {

using Summing = Exercise<&summarize>;

inline Summary summary_of(Times t, std::size_t cut) {
  if (cut >= t.size()) throw std::invalid_argument("nothing is left");
  t.erase(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(cut));
  std::ranges::sort(t);
  const std::size_t n = t.size();
  const auto ranked = [&](std::size_t rank) { return t[rank - 1]; };
  const double median = n % 2 == 1 ? ranked((n + 1) / 2) : (ranked(n / 2) + ranked(n / 2 + 1)) / 2;
  const double low = ranked((n + 3) / 4), high = ranked((3 * n + 3) / 4);
  return {median, low, high, (high - low) / median};
}

inline Summary summary_by_definition(const Summing::Arguments& in) {
  if (in.b < 0) throw std::invalid_argument("no warm-up");
  return summary_of(in.a, static_cast<std::size_t>(in.b));
}

inline void suspect_summaries(Expect& expect, const Summing::Arguments& in, const Summary& right) {
  expect.suspect("N-UNITS", "spread", right.spread * 100, "in percent: it is a share");
  expect.suspect("N-UNITS", "spread", right.high - right.low,
                 "in seconds: it is divided by the median");
  if (in.b < 0 || static_cast<std::size_t>(in.b) >= in.a.size()) return;
  const std::size_t cut = static_cast<std::size_t>(in.b), n = in.a.size() - cut;
  const auto suspect = [&](const char* what, const char* words, double value) {
    expect.suspect("N-FORMULA", what, value, words);
  };
  const auto from = in.a.begin() + static_cast<std::ptrdiff_t>(cut);
  const Times unsorted(from, in.a.end());
  Times t = unsorted, sorted_first = in.a;
  std::ranges::sort(t);
  std::ranges::sort(sorted_first);
  const Times without_fastest(sorted_first.begin() + static_cast<std::ptrdiff_t>(cut),
                              sorted_first.end());
  const Times without_last(in.a.begin(), in.a.end() - static_cast<std::ptrdiff_t>(cut));
  const double mean = mean_of(t);
  suspect("median", "the times are not in order: the middle of a list is no median",
          n % 2 == 1 ? unsorted[n / 2] : (unsorted[n / 2 - 1] + unsorted[n / 2]) / 2);
  suspect("median", "the times are not in order: the middle of a list is no median",
          unsorted[n / 2]);
  suspect("median", "the mean of the times: a median is the middle of them", mean);
  suspect("median", "the least of the times: a median is the middle of them", t[0]);
  suspect("median", "of two middles the greater: it is the mean of both", t[n / 2]);
  suspect("median", "of two middles the lesser: it is the mean of both", t[(n - 1) / 2]);
  suspect("median", "the first runs count: they are left out", summary_of(in.a, 0).median);
  if (cut > 1) {
    suspect("median", "one run alone is left out: warm_up are", summary_of(in.a, 1).median);
  }
  suspect("median", "the fastest runs are left out: the first are, so cut before you sort",
          summary_of(without_fastest, 0).median);
  suspect("median", "the last runs are left out: the first are",
          summary_of(without_last, 0).median);
  const auto at = [&](double place) {  // between two times, as other programs have it
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, n - 1);
    return t[below] + (place - std::floor(place)) * (t[above] - t[below]);
  };
  const auto last = static_cast<double>(n - 1);
  constexpr const char* kBetween = "a time between two times: it is one of them, t[rank]";
  suspect("low", kBetween, at(last / 4));
  suspect("high", kBetween, at(last * 3 / 4));
  constexpr const char* kDown = "a rank is rounded down: it is rounded up";
  suspect("low", kDown, t[std::max<std::size_t>(n / 4, 1) - 1]);
  suspect("high", kDown, t[std::max<std::size_t>(3 * n / 4, 1) - 1]);
  constexpr const char* kFromZero = "one time too far: a rank counts from 1, a vector from 0";
  suspect("low", kFromZero, t[std::min((n + 3) / 4, n - 1)]);
  suspect("high", kFromZero, t[std::min((3 * n + 3) / 4, n - 1)]);
  suspect("high", "3 * ceil(n / 4) is the rank: it is ceil(3 * n / 4)",
          t[std::min(3 * ((n + 3) / 4), n) - 1]);
  suspect("high", "as far from the greatest as low is from the least: its rank is ceil(3 * n / 4)",
          t[n - (n + 3) / 4]);
  suspect("low", "the least of the times", t[0]);
  suspect("high", "the greatest of the times", t[n - 1]);
  suspect("spread", "by the mean: it is by the median", (right.high - right.low) / mean);
  suspect("spread", "of the least and the greatest time: it is of low and high",
          (t[n - 1] - t[0]) / right.median);
  suspect("spread", "by low: it is by the median", (right.high - right.low) / right.low);
}

inline const Summing summing{{"seconds", "warm_up"},
                             {"median", "low", "high", "spread"},
                             suspect_summaries,
                             {.tolerance = metric_tolerance()}};

/// Times as a clock gives them: most of them alike, some of them much longer.
inline Times times(std::size_t n, std::uint64_t seed, float usual) {
  Times all;
  for (const float x : normal_tensor(n, seed)) {
    all.push_back(double{usual} * std::exp(0.05 * double{x} * double{x} * double{x}));
  }
  return all;
}

inline std::vector<Summing::Input> runs(Seed seed_of, int longest) {
  std::vector<Summing::Input> inputs;
  for (const int n : {1, 2, 3, 4, 5, 30, 101, longest}) {
    inputs.push_back(
        {std::to_string(n),
         {times(static_cast<std::size_t>(n), seed_of(static_cast<std::size_t>(n)), 0.01f), n / 3}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_35_roofline
