// Quantiles, ratios and their spread, out of times that are believed only when they are times.
#include "gpu/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

namespace nibble::gpu {
namespace {

constexpr double kOverheadsOfAKernel = 10;  ///< shorter: the events themselves are measured
constexpr double kMostDrift = 0.10;         ///< of the reference from its stored share
// Between the halves. A chip at its power limit moves that much, and whoever runs in turn with
// another moves with it.
constexpr double kMostClockChange = 0.10;
constexpr double kSlack = 1.05;    ///< of a measured ceiling
constexpr double kTooGood = 1.15;  ///< over our own: a human looks at it
constexpr int kResamplings = 2000;

std::vector<double> column(std::span<const Pair> pairs, double Pair::*which) {
  std::vector<double> values;
  values.reserve(pairs.size());
  for (const Pair& pair : pairs) values.push_back(pair.*which);
  return values;
}

bool is_time(double microseconds) { return std::isfinite(microseconds) && microseconds > 0; }

double share_off(double a, double b) { return std::fabs(a - b) / std::max(a, b); }

/// "" for a machine that was fit.
std::string unfit(const Times& reference, const Conditions& at) {
  if (at.stored_reference_share > 0 && at.reference_share > 0) {
    const double drift =
        std::fabs(at.reference_share - at.stored_reference_share) / at.stored_reference_share;
    if (drift > kMostDrift) {
      return fmt::format("our own kernel reached {:.0f} % of the limit, and {:.0f} % before",
                         100 * at.reference_share, 100 * at.stored_reference_share);
    }
  }
  const double spread = reference.p10_us > 0 ? reference.p90_us / reference.p10_us : INFINITY;
  if (spread > kMostSpread) {
    return fmt::format("the times of one and the same kernel differ by {:.0f} %",
                       100 * (spread - 1));
  }
  const bool clocks_known = at.first_half_mhz > 0 && at.second_half_mhz > 0;
  if (clocks_known && share_off(at.first_half_mhz, at.second_half_mhz) > kMostClockChange) {
    return fmt::format("its clock went from {:.0f} to {:.0f} MHz", at.first_half_mhz,
                       at.second_half_mhz);
  }
  return "";
}

Ruling compare(const Ratio& ratio, double mark) {
  if (ratio.low >= mark) return Ruling::kPasses;
  return ratio.high < mark ? Ruling::kFails : Ruling::kUnclear;
}

}  // namespace

double quantile(std::vector<double> samples, double share) {
  if (samples.empty()) return 0;
  std::ranges::sort(samples);
  const double place = share * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  const double between = place - static_cast<double>(below);
  return samples[below] + between * (samples[above] - samples[below]);
}

Times times_of(const std::vector<double>& microseconds) {
  Times times;
  times.median_us = quantile(microseconds, 0.5);
  times.min_us = quantile(microseconds, 0.0);
  times.p10_us = quantile(microseconds, 0.1);
  times.p90_us = quantile(microseconds, 0.9);
  times.samples = static_cast<int>(microseconds.size());
  return times;
}

Ratio paired_ratio(std::span<const Pair> pairs, std::uint64_t seed) {
  std::vector<double> ratios;
  ratios.reserve(pairs.size());
  for (const Pair& pair : pairs) ratios.push_back(pair.reference_us / pair.learner_us);
  if (ratios.empty()) return {};
  std::mt19937_64 bits(seed);
  std::vector<double> medians, drawn(ratios.size());
  medians.reserve(kResamplings);
  for (int i = 0; i < kResamplings; ++i) {
    for (double& one : drawn) one = ratios[bits() % ratios.size()];
    medians.push_back(quantile(drawn, 0.5));
  }
  return {quantile(ratios, 0.5), quantile(medians, 0.025), quantile(medians, 0.975)};
}

double Floor::microseconds() const {
  const double memory = bytes_per_second > 0 ? bytes / bytes_per_second : 0;
  const double compute = operations_per_second > 0 ? operations / operations_per_second : 0;
  return 1e6 * std::max(memory, compute) / kSlack;
}

Decision judge(std::span<const Pair> pairs, const Conditions& conditions, double mark,
               std::uint64_t seed) {
  Decision decision;
  const bool all_are_times = std::ranges::all_of(
      pairs, [](const Pair& one) { return is_time(one.reference_us) && is_time(one.learner_us); });
  if (pairs.size() < 2 || !all_are_times) {
    decision.sentence = "the GPU's clock told no times";
    return decision;
  }
  decision.reference = times_of(column(pairs, &Pair::reference_us));
  decision.learner = times_of(column(pairs, &Pair::learner_us));
  decision.ratio = paired_ratio(pairs, seed);

  const double shortest = std::min(decision.reference.median_us, decision.learner.median_us);
  if (decision.learner.median_us < conditions.floor.microseconds()) {
    decision.ruling = Ruling::kNotBelievable;
    decision.sentence =
        fmt::format("{:.1f} us; no kernel that does the work takes less than {:.1f}",
                    decision.learner.median_us, conditions.floor.microseconds());
  } else if (shortest < kOverheadsOfAKernel * conditions.event_overhead_us) {
    decision.ruling = Ruling::kTooShort;
    decision.sentence =
        fmt::format("{:.1f} us is too short beside the {:.1f} us of the clock itself", shortest,
                    conditions.event_overhead_us);
  } else if (const std::string why = unfit(decision.reference, conditions); !why.empty()) {
    decision.ruling = Ruling::kUnfit;
    decision.sentence = "the GPU is busy or throttled (" + why + "): try again";
  } else {
    decision.ruling = compare(decision.ratio, mark);
    decision.for_a_human = decision.ruling == Ruling::kPasses && decision.ratio.median > kTooGood;
  }
  return decision;
}

Decision settle(const Decision& again) {
  Decision settled = again;
  if (settled.ruling == Ruling::kUnclear) {
    settled.ruling = Ruling::kPasses;
    settled.sentence = "too close to call, twice: decided in your favour";
  }
  return settled;
}

}  // namespace nibble::gpu
