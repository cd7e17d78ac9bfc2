#include "judge/cases.hpp"

#include "judge/submission.hpp"

namespace nibble::judge::detail {

void report(FailedCase failed) {
  if (failed.failure.code == "N-STUB") note_stub();
  if (failed.failure.status == Status::kTimeout) note_timeout();
  ADD_FAILURE() << failed.name << ": " << failed.failure.message;
  this_record().failed = std::move(failed);
}

bool can_watch() { return has_submission() && submission().can_be_watched(); }

void watch(bool on) { submission().use(on ? Build::kWatched : Build::kValues); }

bool is_wanted(const std::string& case_name) {
  const std::string& only = this_run().only_case;
  if (only.empty() || only == case_name) return true;
  ++this_record().cases_passed_over;
  return false;
}

bool is_passed_over() {
  FailedCase failed;
  if (exercise_is_stub()) {
    failed.failure.code = "N-STUB";
    failed.failure.message = "not run: it builds on a function that is not written yet";
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

void note_shown(std::string name, std::string input, const std::optional<Failure>& failure) {
  if (!this_run().show) return;
  std::string outcome = "pass";
  if (failure) outcome = failure->message;
  this_record().shown.push_back({std::move(name), std::move(input), std::move(outcome)});
}

}  // namespace nibble::judge::detail
