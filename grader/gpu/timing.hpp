// What can be said of the times of two kernels: the arithmetic of it, apart from any GPU.
//
// A score is a ratio of neighbours. Reference and learner run in turn, reference, learner, learner,
// reference …, each time on fresh data; what the machine does to one it does to the other.
//
//     r[i] = reference_us[i] / learner_us[i]          of pair i; above 1: the learner is faster
//     ratio = median(r)                               with an interval by resampling the pairs
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nibble::gpu {

/// Of p90 over p10: beyond it something else was going on.
inline constexpr double kMostSpread = 1.15;

/// The value below which a share of the samples lies; 0.5 is the median. 0 for no samples.
double quantile(std::vector<double> samples, double share);

struct Times {
  double median_us = 0, min_us = 0, p10_us = 0, p90_us = 0;
  int samples = 0;
};

Times times_of(const std::vector<double>& microseconds);

struct Pair {
  double reference_us, learner_us;
};

struct Ratio {
  double median = 0;
  double low = 0, high = 0;  ///< 95 of 100 resamplings of the pairs lie between
};

Ratio paired_ratio(std::span<const Pair> pairs, std::uint64_t seed);

/// The least time that a kernel can take on this GPU, by what it has to move and to compute.
struct Floor {
  double bytes = 0, operations = 0;                        ///< of the problem
  double bytes_per_second = 0, operations_per_second = 0;  ///< measured here; 0: not known

  double microseconds() const;
};

/// Measured in one go with the pairs, or known from before.
struct Conditions {
  double event_overhead_us = 0;  ///< of a pair of events with nothing between
  double first_half_mhz = 0,
         second_half_mhz = 0;         ///< the clock that the kernels ran at; 0: unknown
  double reference_share = 0;         ///< of its ceiling, in this run; 0: unknown
  double stored_reference_share = 0;  ///< of a run that was looked at; 0: none
  Floor floor;
};

enum class Ruling {
  kPasses,
  kFails,
  kUnclear,        ///< the interval straddles the mark: measure once more
  kTooShort,       ///< the problem is too small to be timed: no verdict
  kUnfit,          ///< the machine is busy or throttled: no verdict, nobody's failure
  kNotBelievable,  ///< faster than the GPU can be: no speed, values stand
};

struct Decision {
  Ruling ruling = Ruling::kUnfit;
  Ratio ratio;
  Times reference, learner;
  bool for_a_human = false;  ///< passes, and by more than 15 % over our own
  std::string sentence;      ///< why, where it is not the ratio alone
};

/// Judges pairs against a mark: the ratio that has to be reached.
Decision judge(std::span<const Pair> pairs, const Conditions& conditions, double mark,
               std::uint64_t seed);

/// The second time: what still straddles is decided for the learner, and the sentence says so.
Decision settle(const Decision& again);

}  // namespace nibble::gpu
