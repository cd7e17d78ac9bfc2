// How a case is run, made smaller when it fails, looked at once more for the cause, and reported.
#include "judge/cases.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "judge/budget.hpp"
#include "judge/count_book.hpp"
#include "judge/evidence.hpp"
#include "judge/kit_error.hpp"
#include "judge/record.hpp"
#include "judge/run.hpp"
#include "judge/submission.hpp"

namespace nibble::judge {

namespace detail {

namespace {

/// Only a submission that is slow on purpose meets this limit before it has had its tries.
constexpr std::chrono::seconds kLongestShrinking{10};

void report(ShrunkCase failed) {
  if (failed.failure.code == "N-STUB") note_stub();
  ADD_FAILURE() << failed.name << ": " << failed.failure.message;
  this_record().failed = std::move(failed);
}

bool is_wanted(const std::string& case_name) {
  const std::string& only = this_run().only_case;
  if (only.empty() || only == case_name) return true;
  ++this_record().cases_passed_over;
  return false;
}

void note_shown(const AnyCase& one, const std::optional<Failure>& failure) {
  if (!this_run().show) return;
  this_record().shown.push_back({one.name(), one.input(), failure ? failure->message : "pass"});
}

/// The failure of one case, if there is one.
std::optional<Failure> failure_of(const AnyCase& one, const Heard& heard) {
  Expect expect(heard);
  begin_counted_case(one.name());
  try {
    one.run(expect);
  } catch (const CallFailed& failed) {
    expect.fail(failed.failure);  // unless an expectation had failed before
  } catch (const NotInThisLeg& not_here) {
    this_record().not_here = not_here.what();
  }
  return expect.failure();
}

/// The failure of a smaller case. One that the contract refuses, or that proves too little, is
/// none: the check was written for the cases it was given, not for what shrinking makes of them.
std::optional<Failure> failure_of_smaller(const AnyCase& one, const Heard& heard) {
  try {
    return failure_of(one, heard);
  } catch (const KitError&) {
    return std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// The smaller an input is, the more mistakes answer it alike: the cause that the larger one told
/// has to be told by the smaller one, too.
bool is_the_same(const Failure& smaller, const Failure& first) {
  return smaller.code == first.code && smaller.told == first.told;
}

/// Greedily looks for a smaller case that fails in the same way as `first`; null: there is none.
std::unique_ptr<AnyCase> shrink(const AnyCase& first, const Heard& heard, ShrunkCase& failed) {
  std::unique_ptr<AnyCase> smallest;
  if (does_not_end(failed.failure) || slow_watching() > 0) return smallest;  // each costs a limit
  int tries = 0;
  const auto give_up = std::chrono::steady_clock::now() + kLongestShrinking;
  for (bool found = true; found;) {
    found = false;
    for (auto& candidate : (smallest ? *smallest : first).smaller()) {
      if (++tries > kMostTries || std::chrono::steady_clock::now() > give_up) return smallest;
      if (budget_is_used_up()) return smallest;
      const std::optional<Failure> failure = failure_of_smaller(*candidate, heard);
      if (!failure || !is_the_same(*failure, failed.failure)) continue;
      smallest = std::move(candidate);
      failed.failure = *failure;
      failed.shrunk = smallest->name();
      ++failed.steps;
      found = true;
      break;
    }
  }
  return smallest;
}

void watch(bool on) { submission().use(on ? Build::kWatched : Build::kValues); }

constexpr const char* kBarrier = "N-BARRIER";

/// A wrong value has a cause, and the engine may see it: then that is what is told, beside
/// the value. Damage that was found after a call, at no line, has one as well. To a kernel without
/// hooks all barriers are one: threads that go by one are missed at the next, not where they were.
void find_cause(const AnyCase& one, const Heard& heard, ShrunkCase& failed) {
  const bool at_no_line = failed.failure.where == "?", at_barrier = failed.failure.code == kBarrier;
  if (!failed.failure.where.empty() && !at_no_line && !at_barrier) return;
  if (!has_submission() || !submission().can_be_watched()) return;
  watch(true);
  const std::optional<Failure> seen = failure_of_smaller(one, heard);
  watch(false);
  if (!seen || seen->where.empty() || seen->where == "?") return;
  if (seen->code == "N-TIME") return;  // that build is ten times slower: no cause of anything
  if (at_barrier && seen->code != kBarrier) return;
  const bool says_all = at_no_line || at_barrier || seen->message.ends_with(failed.failure.message);
  failed.failure.code = seen->code;
  failed.failure.message =
      says_all ? seen->message : seen->message + ". So " + failed.failure.message;
  failed.failure.where = seen->where;
}

/// A value that is right where the same case is the first that a process is asked for follows from
/// the calls before, too. Kernels have an engine that sees what they read.
void find_dependence(const AnyCase& one, ShrunkCase& failed) {
  Failure& failure = failed.failure;
  const bool is_of_values = failure.status == CheckStatus::kFail && !failure.want.empty();
  if (!is_of_values || !has_submission() || submission().can_be_watched()) return;
  submission().start_afresh(-1);
  if (failure_of_smaller(one, {})) return;
  failure.code = "N-STALE";
  failure.message.resize(std::min(failure.message.size(), failure.message.find(": ")));  // guesses
  failure.message +=
      ", and right as the first call of a process: something is kept from a call before";
}

/// True when there is no use in running the check, which is then reported: its exercise is not
/// written yet, or the submission has no time left.
bool is_passed_over() {
  ShrunkCase failed;
  if (exercise_is_stub()) {
    failed.failure.code = "N-STUB";
    failed.failure.message = "not run: it builds on a function that is not written yet";
  } else if (exercise_times_out()) {
    failed.failure.status = CheckStatus::kTimeout;
    failed.failure.code = "N-TIME";
    failed.failure.message =
        "not run: two checks of this exercise did not come to an end, and this one is taken to "
        "fail for the same reason";
  } else if (budget_is_used_up()) {
    failed.failure = used_up();
    failed.failure.message = "not run: " + failed.failure.message;
  } else {
    return false;
  }
  ++this_record().cases;
  report(std::move(failed));
  return true;
}

/// Runs one case and notes what came of it; true when it holds, or nobody asked for it. A failure
/// is made as small as it gets and reported.
bool holds(const Cases& cases, std::size_t which) {
  const std::unique_ptr<AnyCase> first = cases.at(which);
  const AnyCase& one = *first;
  if (!is_wanted(one.name())) return true;
  ++this_record().cases;
  std::optional<Failure> failure = failure_of(one, {});
  note_shown(one, failure);
  if (!failure) return true;
  const Heard heard = heard_beside(cases, which, *failure);
  if (heard.cleared.contains(failure->cause) || !heard.alike.empty()) {
    if (std::optional<Failure> again = failure_of(one, heard)) failure = std::move(again);
  }
  ShrunkCase failed{one.name(), "", "", 0, std::move(*failure)};
  const std::unique_ptr<AnyCase> smaller = shrink(one, heard, failed);
  const AnyCase& smallest = smaller ? *smaller : one;
  const bool ended = !does_not_end(failed.failure);
  if (!ended) note_timeout();
  if ((ended || !exercise_times_out()) && slow_watching() == 0) find_cause(smallest, heard, failed);
  find_dependence(smallest, failed);
  failed.input = smallest.input();
  report(std::move(failed));
  return false;
}

}  // namespace

void run_cases(std::size_t count, const std::function<std::unique_ptr<AnyCase>(std::size_t)>& at) {
  if (count == 0) throw KitError("a check has no cases");
  if (this_record().failed) return;  // in another table of the check: the first failure is told
  if (is_passed_over()) return;
  for (std::size_t i = 0; i < count && holds({count, at}, i); ++i) {
  }
}

}  // namespace detail

void once(const std::function<void(Expect&)>& body) {
  struct Only {
    std::string name;
  };
  each_case<Only>({{"only"}}, [&](const Only&, Expect& expect) { body(expect); });
}

}  // namespace nibble::judge
