// Rounds of a measurement into a verdict on speed: how many there are, and what they pay.
//
// A side's time is its lower quartile: what a call takes when nobody disturbs it. That leaves three
// of four calls out, and the rounds before the counted ones, where a submission could do what makes
// the others fast. So all calls of a session are added up as well, and the sums may tell of a ratio
// that is lower, by no more than what weather explains.
//
// The margin, in the student's favour, is what the published solution's times tell of the weather.
// How much its own times vary is up to a submission.
#pragma once

#include <functional>

#include "judge/speed_goal.hpp"

namespace nibble::judge::detail {

/// One round: what each side used, in nanoseconds, and whether their answers agree.
struct Round {
  double submission = 0.0, published = 0.0;
  enum class Answer { kSame, kStale, kDifferent } answer = Answer::kSame;
};

/// Does one round, on data of its own; `submission_first` says who begins.
using RunRound = std::function<Round(bool submission_first)>;

/// Starts both processes on one core; may throw CallFailed.
using SetUp = std::function<RunRound(int core)>;

/// Measures, judges and records. Catches what the submission does wrong.
void measure_speed(const SpeedGoal& goal, const SetUp& set_up);

}  // namespace nibble::judge::detail
