// What this run of the judge was asked to do, and the seeds that follow from it.
#pragma once

#include <cstdint>
#include <string>

namespace nibble::judge {

struct Run {
  std::uint64_t seed = 0;         ///< of public cases; printed, and taken back to replay
  std::uint64_t hidden_salt = 0;  ///< of hidden cases; derived from the course's secret
  std::string only_case;          ///< empty: every case
  bool show = false;              ///< describe every case that is run
};

Run& this_run();

/// The run's seed mixed with `salt`: the same data for the same seed, other data for other cases.
std::uint64_t seed(std::uint64_t salt);

/// The course's secret mixed with `salt`, for hidden checks.
std::uint64_t hidden_seed(std::uint64_t salt);

/// The secret of a course, for one lab: the first 64 bits of HMAC-SHA256(key = secret, lab).
std::uint64_t derive_salt(const std::string& secret, const std::string& lab);

}  // namespace nibble::judge
