// The judge's own account of a run, as JSON: the deterministic heart of results.json.
#pragma once

#include <map>
#include <string>

#include "judge/marks.hpp"
#include "judge/record.hpp"
#include "protocol/leg.hpp"

namespace nibble::judge {

/// What happened to one check that ran.
struct Outcome {
  Record record;
  std::string output;  ///< what the submission printed meanwhile
  double seconds = 0.0;
  std::string unexplained;  ///< GoogleTest's text, when a check failed outside each_case
};

/// "Exercise.Check" -> outcome; checks that were not selected are absent.
using Outcomes = std::map<std::string, Outcome>;

using protocol::Leg;

/// Points, leg and checks of a run.
std::string verdict_text(const Outcomes& outcomes, Leg leg);

/// "0x71c3".
std::string show_seed(std::uint64_t seed);

}  // namespace nibble::judge
