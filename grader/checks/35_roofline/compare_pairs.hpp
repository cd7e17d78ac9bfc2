// Lab 35, compare_pairs: what is right, and what people write instead.
#pragma once

#include "roofline.hpp"

#include "checks/35_roofline/summarize.hpp"
#include "checks/35_roofline/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_35_roofline {

using Comparing = Exercise<&compare_pairs>;

/// What is drawn, in turn: draw(random) gives the logarithm of a pair.
template <class Draw>
Times draws_in_turn(const Comparing::Arguments& in, const Draw& draw) {
  if (in.a.size() != in.b.size() || in.a.empty()) throw std::invalid_argument("no pairs");
  Times draws;
  SplitMix random(in.c);
  for (int r = 0; r < kResamples; ++r) {
    Times drawn;
    for (std::size_t i = 0; i < in.a.size(); ++i) drawn.push_back(draw(random));
    draws.push_back(mean_of(drawn));
  }
  return draws;
}

inline Times sorted(Times x) {
  std::ranges::sort(x);
  return x;
}

/// What is drawn, in ascending order.
template <class Draw>
Times draws_with(const Comparing::Arguments& in, const Draw& draw) {
  const auto pairs = static_cast<std::uint32_t>(in.a.size());
  return sorted(draws_in_turn(
      in, [&](SplitMix& random) { return draw([&] { return random.below(pairs); }); }));
}
inline Times draws_of(const Comparing::Arguments& in) {
  return draws_with(in, [&](const auto& below) {
    const auto i = below();
    return std::log(in.a[i] / in.b[i]);
  });
}

inline Comparison comparison_by_definition(const Comparing::Arguments& in) {
  const Times draws = draws_of(in);
  Times l;
  for (std::size_t i = 0; i < in.a.size(); ++i) l.push_back(std::log(in.a[i] / in.b[i]));
  const double low = std::exp(draws[24]), high = std::exp(draws[975]);
  return {std::exp(mean_of(l)), low, high, high < 1 ? -1 : low > 1 ? 1 : 0};
}

/// One pair for each draw, the first or that behind n others: the pairs' own spread.
inline Times single_pairs(const Comparing::Arguments& in, bool is_behind) {
  const auto n = static_cast<std::uint32_t>(in.a.size());
  Times draws;
  SplitMix random(in.c);
  for (int r = 0; r < kResamples; ++r) {
    for (std::uint32_t i = 0; is_behind && i < n; ++i) random.below(n);
    const std::uint32_t i = random.below(n);
    draws.push_back(std::log(in.a[i] / in.b[i]));
  }
  return sorted(std::move(draws));
}

/// The ends of an interval that was drawn in another way.
inline void suspect_draws(Expect& expect, const Comparing::Arguments& in) {
  const auto suspect = [&](const char* words, const Times& draws) {
    expect.suspect("N-FORMULA", "low", std::exp(draws[24]), words);
    expect.suspect("N-FORMULA", "high", std::exp(draws[975]), words);
  };
  const std::size_t n = in.a.size();
  const auto log_of = [&](std::size_t i) { return std::log(in.a[i] / in.b[i]); };
  suspect("draws are not in order: it is the 25th of them in ascending order",
          draws_in_turn(in, [&](SplitMix& random) {
            return log_of(random.below(static_cast<std::uint32_t>(n)));
          }));
  suspect("random.next() % n draws another pair than random.below(n)",
          sorted(draws_in_turn(in, [&](SplitMix& random) { return log_of(random.next() % n); })));
  for (const bool is_behind : {false, true}) {
    suspect("a draw is one pair: it is the mean of n", single_pairs(in, is_behind));
  }
  for (const std::uint64_t seed : {0, 1, 42}) {
    if (seed == in.c) continue;
    suspect("the seed is a constant: it is an argument", draws_of({in.a, in.b, seed}));
  }
}

inline void suspect_comparisons(Expect& expect, const Comparing::Arguments& in,
                                const Comparison& right) {
  const auto& [ours, theirs, seed] = in;
  if (ours.size() != theirs.size() || ours.empty()) return;
  expect.suspect("N-INVERSE", "ratio", 1 / right.ratio, "theirs by ours: it is ours by theirs");
  constexpr const char* logarithm = "a logarithm: it is exp of that";
  expect.suspect("N-UNITS", "ratio", std::log(right.ratio), logarithm);
  expect.suspect("N-ORDER", "low", right.high, "low and high are exchanged");
  expect.suspect("N-UNITS", "low", std::log(right.low), logarithm);
  expect.suspect("N-UNITS", "high", std::log(right.high), logarithm);
  expect.suspect("N-ORDER", "verdict", -right.verdict,
                 "the signs are exchanged: it is -1 where we are faster");
  if (right.low > 0) suspect_draws(expect, in);  // else the row does not say them
  const auto ratio = [&](const char* words, double value) {
    expect.suspect("N-FORMULA", "ratio", value, words);
  };
  const double n = static_cast<double>(ours.size());
  double quotients = 0, turned = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    quotients += ours[i] / theirs[i], turned += theirs[i] / ours[i];
  }
  ratio("the mean of the quotients: it is that of their logarithms", quotients / n);
  ratio("one over the mean of the quotients: it is the mean of their logarithms", n / turned);
  ratio("the quotient of two means: a long pair would count for more",
        mean_of(ours) / mean_of(theirs));
  ratio("all factors are multiplied: there is no root of as many", std::pow(right.ratio, n));
  if (n > 1) {
    const double all = std::log(right.ratio) * n, last = std::log(ours.back() / theirs.back());
    expect.suspect("N-TAIL", "ratio", std::exp((all - last) / (n - 1)),
                   "the last pair is not counted");
  }
  const Times ours_in_order = sorted(ours), theirs_in_order = sorted(theirs);
  ratio("the quotient of two medians: it is the mean of the logarithms of all",
        ours_in_order[ours.size() / 2] / theirs_in_order[ours.size() / 2]);
  Times each;
  for (std::size_t i = 0; i < ours.size(); ++i) each.push_back(ours[i] / theirs[i]);
  ratio("the median of the quotients: it is the mean of their logarithms",
        sorted(each)[ours.size() / 2]);
}

inline const Comparing comparing{{"ours", "theirs", "seed"},
                                 {"ratio", "low", "high", "verdict"},
                                 suspect_comparisons,
                                 {.tolerance = metric_tolerance()}};

/// Two lists of times in which each time is `factor` of its partner, but for some noise.
inline Comparing::Arguments pairs(std::size_t n, double factor, std::uint64_t seed) {
  Comparing::Arguments in{times(n, seed, 0.01f), times(n, seed, 0.01f), seed};
  const Reals noise = normal_tensor(n, seed + 1);
  for (std::size_t i = 0; i < n; ++i) in.a[i] *= factor * std::exp(0.03 * double{noise[i]});
  return in;
}

inline std::vector<Comparing::Input> many_pairs(Seed seed_of, std::size_t longest) {
  std::vector<Comparing::Input> inputs;
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{33}, longest}) {
    for (const double factor : {0.5, 1.0, 1.7}) {
      inputs.push_back(
          {std::to_string(n) + " pairs, " + std::to_string(factor), pairs(n, factor, seed_of(n))});
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_35_roofline
