// Rounds of a measurement into a verdict on speed: how many, which of them count, what they pay.
#pragma once

#include <cstdint>
#include <functional>

#include "judge/speed_goal.hpp"

namespace nibble::judge::detail {

/// One round: what each side used, in nanoseconds, and whether their answers agree.
struct Round {
  double submission = 0.0, published = 0.0;
  enum class Answer { kSame, kStale, kDifferent } answer = Answer::kSame;
};

/// Does round number i; `submission_first` says who begins.
using RunRound = std::function<Round(std::uint64_t draw, bool submission_first)>;

/// Starts both processes on one core and prepares them; may throw CallFailed.
using SetUp = std::function<RunRound(int core)>;

/// Measures, judges and records. Catches what the submission does wrong.
void measure_speed(const SpeedGoal& goal, const SetUp& set_up);

}  // namespace nibble::judge::detail
