// Speed where the published solution is not: how fast it would be on this machine, from the share
// of a machine's ceiling that it reached on another. An estimate, and called one:
// no points are given for it.
#pragma once

#include <optional>
#include <string>

#include "report/results.hpp"

namespace nibble::report {

/// What a handout knows of the published solution's speed: for each row of `speed`, the judge's
/// verdict of the speed leg, the share of this machine's ceiling.
/// Rows that were not measured are left out.
record::SpeedBook speed_book(const record::Verdict& speed, const Machine& machine);

/// For one check of a speed leg in which a submission ran beside itself: what an instructor's
/// measurement may come to. Nothing when the book or the check says too little.
std::optional<record::Estimate> estimate_of(const Check& check, const record::SpeedBook& book);

/// Points of results that somebody else gives, because the published solution is not here.
struct Elsewhere {
  int points = 0;               ///< at most
  std::optional<int> estimate;  ///< of them; nothing when some row has none
};
Elsewhere elsewhere(const Result& results, const std::string& exercise = "");

/// "62 of 75 here; up to 13 for speed are judged by your instructor; estimate 9", or without the
/// rest where nothing is left to others.
std::string points_words(int points, int max_points, const Elsewhere& rest);

}  // namespace nibble::report
