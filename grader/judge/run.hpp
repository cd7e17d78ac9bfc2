// What this run of the judge was asked to do, and the seeds that follow from it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace nibble::judge {

/// Of HMAC-SHA256. Nobody who knows values that follow from it comes back to it, or on to others.
using Key = std::array<unsigned char, 32>;

struct Run {
  std::uint64_t seed = 0;  ///< of public cases; printed, and taken back to replay
  Key hidden_key{};        ///< of hidden cases; derived from the course's secret
  std::string only_case;   ///< empty: every case
  bool show = false;       ///< describe every case that is run
  bool sanitized = false;  ///< the submission computes several times as long
};

Run& this_run();

/// For data of the running check: the same for the same run, check and `salt`, and for no others. A
/// child that finds the seed of the data it got has learnt nothing of any other.
std::uint64_t seed(std::uint64_t salt);

/// For data whose accesses are counted: the same for all checks of the exercise, so that one launch
/// serves them all.
std::uint64_t counted_seed(std::uint64_t salt);

/// As `seed`, of the course's secret, for hidden checks.
std::uint64_t hidden_seed(std::uint64_t salt);

/// seed or hidden_seed: a public check and its hidden twin differ in it, and in who is asked.
using Seed = std::uint64_t (*)(std::uint64_t);

/// The secret of a course, for one lab.
Key derive_key(std::string_view secret, std::string_view lab);

/// Where the poison of a run begins, which a child sees: no way leads from it to `run`.
std::uint64_t poison_seed(const Run& run, bool with_hidden);

}  // namespace nibble::judge
