// Takes samples in rounds until the points are settled, refuses what
// is not believable, and says what came of it.
#include "judge/measure.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "judge/cases.hpp"
#include "judge/ceiling.hpp"
#include "judge/kit_error.hpp"
#include "judge/marks.hpp"
#include "judge/quartile.hpp"
#include "judge/record.hpp"

namespace nibble::judge {
namespace {

using detail::Round;
using detail::RunRound;
using detail::SetUp;
using Clock = std::chrono::steady_clock;

/// Where a process lies in memory moves its times by several per cent, and one core may be slower
/// than another for seconds on end. So a measurement is made of sessions: both processes are
/// started afresh, together on one core, the next core every time. (One session: 4 to 8 % between
/// verdicts; five pooled: 2 %.)
constexpr int kSessions = 5;
constexpr int kRoundsOfSession = 15, kFewestOfSession = 3;
constexpr int kWarmUps = 2;  ///< these touch pages, fill caches and wake wide units
constexpr int kAfterwards =
    1;  ///< nobody can tell the last counted call: here what follows is seen
constexpr int kMostMeasurements = 3;

/// A measurement ends early, with fewer rounds than it would like, rather than keep anybody
/// waiting; never with fewer than kFewestOfSession in each session.
constexpr std::chrono::milliseconds kLongest{600};

/// Peaks and bandwidths are measured beside other work: only what beats them by half is too good.
constexpr double kSlack = 1.5;

/// So much dearer may all calls of a submission be than its quartile says, measured by
/// the published solution's: first calls touch pages, and neighbours do not come and go evenly.
/// Beyond that it is work that was moved to where nobody counts.
constexpr double kUneven = 1.25;

/// No weather makes a margin wider than this share of the ratio: it would be paid for.
constexpr double kWidestMargin = 0.1;

struct Samples {
  std::vector<double> submission, published;              ///< of the counted rounds
  std::vector<double> session_ratios;                     ///< of the sums of all calls of a session
  std::vector<double> every_submission, every_published;  ///< of all rounds
  double floor = 0.0;  ///< nanoseconds that no call of this machine can beat

  double ratio() const {
    const double of_quartiles =
        lower_quartile(published) / std::max(1.0, lower_quartile(submission));
    return std::min(of_quartiles, kUneven * median(session_ratios));
  }
  double margin() const { return ratio() * std::min(kWidestMargin, relative_margin(published)); }
  /// Every call has to be one that this machine can do. A clock may read 0 once, as it then does
  /// for the published solution too.
  bool believable() const {
    const auto below = [&](const std::vector<double>& times) {
      return std::ranges::count_if(times, [&](double ns) { return ns < floor; });
    };
    const auto slips = std::max<std::ptrdiff_t>(1, std::ssize(every_submission) / 50);
    return below(every_submission) <= below(every_published) + slips;
  }
};

/// The cores that this process may use.
std::vector<int> usable_cores() {
  std::vector<int> cores;
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
    }
  }
#endif
  if (cores.empty()) cores.push_back(-1);
  return cores;
}

double floor_of(const SpeedGoal& goal) {
  const double compute = goal.operations / std::max(1.0, peak_gops());
  const auto bytes = static_cast<std::size_t>(goal.bytes);
  const double memory = bytes == 0 ? 0.0 : goal.bytes / std::max(1.0, read_gbytes(bytes));
  return std::max(compute, memory) / kSlack;
}

[[noreturn]] void wrong_answer(const Round& round) {
  const bool stale = round.answer == Round::Answer::kStale;
  throw CallFailed({CheckStatus::kFail,
                    stale ? "N-STALE" : "N-WRONG",
                    stale ? "gave the answer to the data of the call before"
                          : "a timed call gave another answer than the published solution",
                    {},
                    {},
                    {},
                    {}});
}

/// One session. A wrong answer ends the measurement.
class Rounds {
 public:
  explicit Rounds(RunRound run) : run_(std::move(run)) {}

  void add_to(Samples& samples, Clock::time_point give_up) {
    for (int i = 0; i < kWarmUps; ++i) next(samples);
    for (int i = 0; i < kRoundsOfSession; ++i) {
      if (i >= kFewestOfSession && Clock::now() > give_up) break;
      const Round round = next(samples);
      samples.submission.push_back(round.submission);
      samples.published.push_back(round.published);
    }
    for (int i = 0; i < kAfterwards; ++i) next(samples);
    samples.session_ratios.push_back(published_sum_ / std::max(1.0, submission_sum_));
  }

 private:
  Round next(Samples& samples) {
    const Round round = run_(++number_ % 2 == 0);
    if (round.answer != Round::Answer::kSame) wrong_answer(round);
    samples.every_submission.push_back(round.submission);
    samples.every_published.push_back(round.published);
    submission_sum_ += round.submission;
    published_sum_ += round.published;
    return round;
  }

  RunRound run_;
  int number_ = 0;
  double submission_sum_ = 0.0, published_sum_ = 0.0;
};

/// So slow that more rounds could change nothing, and would take long: calls of more than 50 ms,
/// and half of the ratio from which points begin.
bool is_hopeless(const Samples& samples, const SpeedGoal& goal) {
  constexpr double kLong = 50e6;  // nanoseconds
  return lower_quartile(samples.submission) > kLong && samples.ratio() < goal.zero_at / 2;
}

void add_measurement(Samples& samples, const SetUp& set_up, const SpeedGoal& goal) {
  static const std::vector<int> cores = usable_cores();
  static std::size_t next_core = 0;
  const auto start = Clock::now();
  for (int i = 1; i <= kSessions; ++i) {
    const int core = cores[next_core++ % cores.size()];
    const auto give_up = start + kLongest * i / kSessions;
    try {
      Rounds(set_up(core)).add_to(samples, give_up);
    } catch (const CallKilled&) {
      Rounds(set_up(core)).add_to(samples, give_up);
    }
    if (is_hopeless(samples, goal)) return;
  }
}

/// The same points at both ends of the margin: another measurement would not change them.
bool is_settled(const MeasuredSpeed& speed, int max_points) {
  return points_for(speed.ratio - speed.margin, speed.goal, max_points) ==
         points_for(speed.ratio + speed.margin, speed.goal, max_points);
}

void evaluate(MeasuredSpeed& speed, const Samples& samples, int max_points) {
  speed.ratio = samples.ratio();
  speed.margin = samples.margin();
  speed.pairs = static_cast<int>(samples.submission.size());
  speed.submission_ns = lower_quartile(samples.submission);
  speed.published_ns = lower_quartile(samples.published);
  speed.believable = samples.believable();
  speed.in_doubt = !is_settled(speed, max_points);
  // In the student's favour, as far as the noise reaches.
  speed.points =
      speed.believable ? points_for(speed.ratio + speed.margin, speed.goal, max_points) : 0;
}

MeasuredSpeed measure(const SpeedGoal& goal, const SetUp& set_up, int max_points) {
  Samples samples;
  samples.floor = floor_of(goal);
  MeasuredSpeed speed;
  speed.goal = goal;
  for (speed.measurements = 1;; ++speed.measurements) {
    add_measurement(samples, set_up, goal);
    samples.floor = std::min(samples.floor, floor_of(goal));  // peaks only rise, as neighbours go
    evaluate(speed, samples, max_points);
    const bool is_clear = !speed.in_doubt && speed.believable;
    if (is_clear || speed.measurements == kMostMeasurements) break;
  }
  speed.peak_gops = goal.isa == Isa::kScalar ? peak_gops() : peak_gops(goal.isa);
  speed.read_gbytes = goal.bytes > 0 ? read_gbytes(static_cast<std::size_t>(goal.bytes)) : 0.0;
  return speed;
}

void report_failure(const Failure& failure) { detail::report({"timed", "", "", 0, failure}); }

std::string two_places(double value) {
  std::string text = std::to_string(std::round(value * 100) / 100);
  return text.substr(0, text.find('.') + 3);
}

void report_speed(const MeasuredSpeed& speed, int max_points) {
  this_record().speed = speed;
  if (!speed.believable) {
    report_failure({CheckStatus::kOdd,
                    "N-ODD",
                    "faster than this machine can be: no points for speed; the values stand",
                    {},
                    {},
                    {},
                    {}});
  } else if (max_points > 0 && speed.points == 0) {
    report_failure({CheckStatus::kFail,
                    "",
                    "runs at " + two_places(speed.ratio) + " of the published solution's speed",
                    {},
                    two_places(speed.ratio) + "x",
                    "more than " + two_places(speed.goal.zero_at) + "x",
                    ""});
  }
}

const record::Row& running_row() {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  for (const record::Row& row : all_rows()) {
    if (row.exercise == test.test_suite_name() && row.id == test.name()) return row;
  }
  throw KitError(std::string(test.name()) + " has no row in the mark scheme");
}

}  // namespace

namespace detail {

void measure_speed(const SpeedGoal& goal, const SetUp& set_up) {
  if (is_passed_over()) return;
  ++this_record().cases;
#ifndef __linux__
  this_record().not_here = "this system does not tell the CPU time of another process";
  return;
#endif
  const int max_points = running_row().max_points;
  try {
    report_speed(measure(goal, set_up, max_points), max_points);
  } catch (const CallFailed& failed) {
    report_failure(failed.failure);
  }
}

}  // namespace detail
}  // namespace nibble::judge
