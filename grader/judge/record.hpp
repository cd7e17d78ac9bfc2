// What one check did, for the results: how many cases it ran, and the first that failed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "judge/failure.hpp"
#include "judge/kernel_counts.hpp"
#include "judge/speed_goal.hpp"

namespace nibble::judge {

struct ShrunkCase {
  std::string name;    ///< the original case; a replay names it
  std::string shrunk;  ///< what it shrank to; empty when it did not
  std::string input;   ///< the (shrunk) input as text
  int steps = 0;       ///< of shrinking
  Failure failure;
};

using record::ShownCase;

struct Record {
  std::size_t cases = 0;              ///< run, whatever came of them
  std::size_t cases_passed_over = 0;  ///< not run: --case asked for another
  std::optional<ShrunkCase> failed;
  std::vector<ShownCase> shown;
  std::optional<MeasuredSpeed> speed;  ///< of a check of speed
  std::optional<Counted> counted;      ///< with --show: the last, largest call that was counted
  std::string not_here;                ///< why this machine cannot run the check; empty: it can
};

/// The record of the check that is running.
Record& this_record();

/// "multiply_rows.Speed", of the check that is running.
std::string running_check();

/// The running check took too long. An exercise that did so in two checks is not asked again.
void note_timeout();
bool exercise_times_out();

/// The same of calls in builds that are ten times slower: after the first, no cause is looked for
/// there, after two such checks no other asks for such a call.
void note_slow_watching();
std::size_t slow_watching();

/// A call that was asked for as evidence alone took too long: the exercise is not asked for more of
/// it. No point depends on that.
void note_silence();
bool exercise_is_silent();

/// True when an earlier check found the exercise of the running one unwritten.
bool exercise_is_stub();
void note_stub();

}  // namespace nibble::judge
