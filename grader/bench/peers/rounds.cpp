// Prepares each contender for a problem, lets them take turns, and notes who takes no part and why.
#include "rounds.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace nibble::peers {
namespace {

constexpr double kSampleSeconds = 0.004;  // long enough for a clock, short beside a time slice
constexpr double kOnce = 0.5;             // who takes longer for a call is not asked again
constexpr int kColdCalls = 3;             // other memory is read before each
constexpr std::size_t kFewest = 3;        // samples, whatever the pace

/// CPU time, where one thread is all there is: a neighbour does not count.
double seconds_of(const Sample& sample, int threads) {
  return threads == 1 ? sample.cpu : sample.wall;
}

/// One row while it is measured.
struct Entrant {
  Seat* seat;
  Score row;
  int calls = 1;
  double spent = 0;
};

/// One line that changes, where somebody looks.
void progress(const std::string& text) {
  static const bool is_seen = isatty(STDERR_FILENO) == 1;
  if (is_seen) fmt::print(stderr, "\r\033[K{}", text);
}

const std::int32_t* sums_for(Operation work, const Posed& posed) {
  return work == Operation::kGemvInt4 ? posed.int4_sums : posed.sums;
}

Entrant prepare(Seat& seat, Operation work, const Posed& posed) {
  const Problem& problem = posed.problem;
  Entrant entrant{.seat = &seat,
                  .row = {.contender = seat.contender,
                          .about = seat.worker->about(),
                          .work = work,
                          .shape = problem.shape,
                          .count = problem.count,
                          .threads = problem.threads}};
  const Worker::Trial trial = seat.worker->check(work, sums_for(work, posed));
  entrant.row.comparison = trial.comparison;
  const double seconds = seconds_of(trial.sample, problem.threads);
  if (seconds > kOnce) {
    entrant.row.seconds = {seconds};
    entrant.calls = 0;
  } else {
    entrant.calls = std::clamp(static_cast<int>(kSampleSeconds / seconds), 1,
                               is_cold(work) ? kColdCalls : 1000);
  }
  return entrant;
}

/// The same reason is told once, with the first problem it was given for.
void note_absence(Results& results, const Absence& absence) {
  const auto same = [&](const Absence& other) {
    return other.name == absence.name && other.reason == absence.reason;
  };
  if (std::ranges::none_of(results.absences, same)) results.absences.push_back(absence);
}

/// One entry for each kind of work that a contender can do; or the reason why it takes no part.
void enter(Seat& seat, const Posed& posed, const std::vector<Operation>& works,
           const std::string& title, std::vector<Entrant>& entrants, Results& results) {
  const auto is_absent = [&](const std::string& reason) {
    if (reason.empty()) return false;
    note_absence(results, {seat.contender.name, reason, title});
    return true;
  };
  if (!seat.worker->absent().empty()) return;  // said once, by who opened it
  try {
    std::vector<Operation> able;
    for (const Operation work : works) {
      if (seat.worker->can(work)) able.push_back(work);
    }
    if (able.empty() || is_absent(seat.worker->setup(posed.problem))) return;
    for (const Operation work : able) entrants.push_back(prepare(seat, work, posed));
  } catch (const std::exception& error) {
    is_absent(error.what());
  }
}

void take_sample(Entrant& entrant, Results& results) try {
  const Sample sample = entrant.seat->worker->time(entrant.row.work, entrant.calls);
  entrant.row.seconds.push_back(seconds_of(sample, entrant.row.threads));
  entrant.spent += sample.wall * entrant.calls;
} catch (const std::exception& error) {
  results.absences.push_back({entrant.row.contender.name, error.what(), "while it was timed"});
  entrant.calls = 0;
}

}  // namespace

void compete(std::vector<Seat>& seats, const Posed& posed, const std::vector<Operation>& works,
             const Pace& pace, const std::string& title, Results& results) {
  if (isatty(STDERR_FILENO) == 0) fmt::print(stderr, "{}\n", title);
  std::vector<Entrant> entrants;
  for (Seat& seat : seats) {
    progress(fmt::format("{}: {}", title, seat.contender.name));
    enter(seat, posed, works, title, entrants, results);
  }
  const double share = pace.seconds / double(std::max<std::size_t>(1, entrants.size()));
  for (int round = 0; round < pace.rounds; ++round) {
    progress(fmt::format("{}: round {} of {}", title, round + 1, pace.rounds));
    for (std::size_t turn = 0; turn < entrants.size(); ++turn) {
      Entrant& entrant =
          entrants[(turn + round) % entrants.size()];  // nobody always follows the same
      if (entrant.calls == 0) continue;
      if (entrant.row.seconds.size() >= kFewest && entrant.spent > share) continue;
      take_sample(entrant, results);
    }
  }
  progress("");
  for (Entrant& entrant : entrants) results.rows.push_back(std::move(entrant.row));
}

}  // namespace nibble::peers
