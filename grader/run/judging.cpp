// Completes an order, starts a judge on it, and joins the verdicts of public and hidden checks.
#include "run/judging.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "compile/compile.hpp"
#include "process/command.hpp"
#include "record/codec.hpp"
#include "text/harmless.hpp"

namespace nibble::run {

namespace {

/// A backstop: the judge bounds every call, every check and the whole. It could only be stopped
/// from outside.
constexpr std::chrono::minutes kLongestJudge{45};
constexpr std::chrono::seconds kOverBudget{8};

/// One core takes the turns of a whole GPU, and a slow one must not fail anybody: right kernels
/// were seen to take 2.3 s.
constexpr std::chrono::seconds kLongestEmulatedCall{6};

using protocol::Terms;
using namespace std::chrono_literals;

void add_checks(record::Verdict& all, const record::Verdict& hidden) {
  all.end = std::max(all.end, hidden.end);
  all.points += hidden.points;
  all.max_points += hidden.max_points;
  all.not_counted += hidden.not_counted;
  all.hidden.run = true;
  all.checks.insert(all.checks.end(), hidden.checks.begin(), hidden.checks.end());
}

/// What a judge has written is ours; a verdict that is none is a fault of the kit.
void read_answer(Judged& judged, const std::string& text, Terms::Task task) {
  try {
    if (task == Terms::Task::kVerdict) judged.verdict = record::read_verdict(text);
    judged.told = text;
    judged.outcome = Judged::Outcome::kVerdict;
  } catch (const std::invalid_argument& error) {
    judged.message += std::string("the verdict: ") + error.what() + "\n";
  }
}

/// With all that follows from what was asked for.
Terms completed(const lab::Kit& kit, const Trial& trial) {
  Terms terms = trial.terms;
  if (!terms.hidden) terms.salt.clear();  // no public input follows from it
  terms.level = trial.boxes.run;
  terms.groups = trial.boxes.groups;
  if (trial.budget != nullptr) terms.budget_left = trial.budget->left();
  terms.budget = trial.budget == nullptr ? 0ms : trial.budget->whole();
  const bool on_gpu = terms.leg == protocol::Leg::kGpu || terms.leg == protocol::Leg::kGpuSanitizer;
  const lab::Lab& lab = kit.lab(terms.lab);
  if (on_gpu || !lab.is_cuda()) return terms;
  if (terms.leg == protocol::Leg::kPlain) terms.leg = protocol::Leg::kSimt;
  if (terms.cpu_limit == 0ms) terms.cpu_limit = kLongestEmulatedCall;
  const auto [watched, counted] = compile::companions(terms.child);
  terms.watched = watched;
  if (lab.has_host_code()) return terms;
  terms.counted = counted;
  terms.published_counted = compile::counted_solution(kit, lab, trial.boxes.run);
  if (terms.published_counted.empty()) terms.count_book = kit.count_book(terms.lab);
  return terms;
}

}  // namespace

Judged judge(const lab::Kit& kit, const Trial& trial) {
  const Terms terms = completed(kit, trial);
  const std::chrono::milliseconds left = terms.budget_left;
  process::Command command;
  command.words = {kit.judge(terms.lab).string()};
  command.input = text_of(terms);
  command.wall_limit = kLongestJudge;
  // One that has no time to give away starts no submission, and nothing can keep it.
  if (left.count() > 0) {
    command.wall_limit = std::chrono::ceil<std::chrono::seconds>(left) + kOverBudget;
  }
  command.kept_bytes = std::size_t{16} << 20;
  command.cancelled = trial.cancelled;

  const process::Finished finished = [&] {
    const compile::Budget::Spending spending(trial.budget);
    return process::run(command);
  }();
  // At a level without a sandbox it may have been stopped by the submission. Now that the budget is
  // used up, it says of every check that this is why it was not run.
  if (finished.timed_out && left.count() > 0) return judge(kit, trial);
  Judged judged{Judged::Outcome::kKitError, {}, text::harmless(finished.err), finished.seconds};
  if (finished.cancelled) {
    judged.outcome = Judged::Outcome::kCancelled;
  } else if (finished.exit_status == 2) {
    judged.outcome = Judged::Outcome::kUsage;
  } else if (finished.ok()) {
    read_answer(judged, finished.out, terms.task);
  } else if (finished.timed_out) {
    judged.message += "the judge was stopped: it did not end in time\n";
  } else if (finished.signal != 0) {
    judged.message += "the judge was ended by signal " + std::to_string(finished.signal) + "\n";
  }
  return judged;
}

void add_hidden(Judged& all, Judged hidden) {
  using Outcome = Judged::Outcome;
  hidden.seconds += all.seconds;
  if (all.has_verdict() && hidden.has_verdict()) {
    add_checks(all.verdict, hidden.verdict);
    all.seconds = hidden.seconds;
  } else if (hidden.outcome != Outcome::kUsage) {
    all = std::move(hidden);
  }
}

Trial hidden_of(Trial trial, const Judged& so_far) {
  trial.terms.hidden = true;
  if (so_far.has_verdict()) trial.terms.seed = so_far.verdict.seed;
  return trial;
}

Judged judge_everything(const lab::Kit& kit, const Trial& trial) {
  Judged all = judge(kit, trial);
  const bool broke =
      all.outcome == Judged::Outcome::kKitError || all.outcome == Judged::Outcome::kCancelled;
  const bool is_enough =
      trial.terms.brief && all.has_verdict() && all.verdict.end != record::End::kPass;
  if (!broke && !is_enough) add_hidden(all, judge(kit, hidden_of(trial, all)));
  return all;
}

}  // namespace nibble::run
