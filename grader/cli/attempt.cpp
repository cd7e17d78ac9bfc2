// The legs of an attempt, one after the other: when each is wanted,
// how it is run, and what it adds to the results.
#include "cli/attempt.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "cli/children.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "compile/toolchain.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"
#include "report/speed.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using protocol::Leg;
using run::Judged;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

compile::Built compile(const lab::Kit& kit, const compile::Job& job) {
  try {
    return compile_or_reuse(kit, job);
  } catch (const compile::ToolchainBroke& broke) {
    throw kit_fault(broke.what());
  } catch (const std::filesystem::filesystem_error&) {
    throw;
  } catch (const std::system_error& error) {
    throw Trouble(kNotHere, "the compiler cannot be started (" + std::string(error.what()) +
                                "): install it, or run ./nibble, which finds one and builds the"
                                " kit for it");
  }
}

/// True when the judge gave a verdict, false when it was cancelled.
bool take_verdict(const Judged& judged, std::optional<record::Verdict>& verdict) {
  switch (judged.outcome) {
    case Judged::Outcome::kVerdict:
      verdict = judged.verdict;
      return true;
    case Judged::Outcome::kCancelled:
      return false;
    case Judged::Outcome::kUsage:
      throw usage(judged.message);
    case Judged::Outcome::kKitError:
      break;
  }
  throw kit_fault(judged.message);
}

std::string course_salt() {
  const char* const salt = std::getenv("NIBBLE_SALT");
  return salt == nullptr ? "" : salt;
}

bool crashed(const record::Verdict& verdict) {
  return std::ranges::count(verdict.checks, record::CheckStatus::kCrash, &record::Check::status) >
         0;
}

}  // namespace

Attempt::Attempt(const Context& context, Order order)
    : context_(context), kit_(context.kit), order_(std::move(order)), budget_(kit_.budget) {
  account_.terms = order_.terms;
  account_.terms.lab = order_.target.lab->name;
  account_.terms.exercise = order_.target.exercise;
  account_.terms.leg = order_.plain ? Leg::kPlain : Leg::kSanitizers;
  if (order_.hidden) account_.terms.salt = course_salt();
  must_be_built(kit_, *order_.target.lab);
  account_.started = report::utc_now();
  account_.source = read_learners_file(kit_, *order_.target.lab);
  find_out_about_speed();
  if (order_.target.lab->is_cuda())
    account_.gpu_not_here = why_no_gpu_leg(context_, *order_.target.lab);
}

void Attempt::find_out_about_speed() {
  account_.speed_wanted = order_.speed != Order::SpeedLeg::kNever && order_.terms.check.empty() &&
                          report::has_speed_rows(order_.target.lab->scheme, order_.target.exercise);
  if (account_.speed_wanted && compile::published_solution(kit_, *order_.target.lab).empty()) {
    account_.speed_not_here = "the published solution is not in this copy of the kit";
    const fs::path book = kit_.speed_book(account_.terms.lab);
    if (fs::exists(book)) {
      account_.speed_book = record::read_speed_book(files::read_file(book));
    }
  }
#ifndef __linux__
  account_.speed_book.reset();
  account_.speed_not_here = "this system does not tell the CPU time of another process";
#endif
}

compile::Job Attempt::job_for(Leg leg) {
  compile::Job job{*order_.target.lab, account_.source, leg,
                   kit_.root / ".nibble" / "work" / account_.terms.lab / protocol::name_of(leg)};
  job.cancelled = order_.cancelled;
  job.budget = &budget_;
  return job;
}

/// All legs are asked what the first was asked.
run::Trial Attempt::trial_for(Leg leg, const std::filesystem::path& child) {
  run::Trial trial{account_.terms, &budget_, {}, order_.cancelled};
  trial.terms.child = std::filesystem::absolute(child);
  trial.terms.leg = leg;
  if (account_.verdict) trial.terms.seed = account_.verdict->seed;
  return trial;
}

bool Attempt::run() {
  const auto start = Clock::now();
  const compile::Job job = job_for(account_.terms.leg);
  const files::FileLock lock(job.work.parent_path() / "lock");
  const compile::Built child = compile(kit_, job);
  if (child.cancelled) return false;
  compile_seconds = child.compile_seconds;
  link_seconds = child.link_seconds;
  compiled_before = child.reused;
  account_.compile_message = child.diagnostics;
  account_.odd_imports = child.odd_imports;
  account_.prints = child.prints;
  account_.builds_differ = child.builds_differ;
  if (child.ok) {
    const run::Trial trial = trial_for(account_.terms.leg, child.executable);
    Judged judged = run::judge(kit_, trial);
    // One hidden check was asked for, and no public one.
    awaits_hidden_ = order_.hidden && judged.outcome != Judged::Outcome::kUsage;
    if (order_.hidden && !awaits_hidden_) judged = run::judge(kit_, run::hidden_of(trial, judged));
    if (!take_verdict(judged, account_.verdict)) return false;
    run_seconds = judged.seconds;
  }
  account_.seconds = since(start);
  compose();
  return true;
}

bool Attempt::wants_sanitizers() const {
  if (order_.sanitizers == Order::Sanitizers::kNever || !order_.plain) return false;
  if (order_.target.lab->is_cuda()) return false;  // the engine has looked at every access already
  if (!account_.verdict) return false;
  if (order_.sanitizers == Order::Sanitizers::kAlways) return true;
  return account_.verdict->passes() || crashed(*account_.verdict);
}

/// A machine that cannot build it has no such leg; a file that keeps it from being built has
/// something to hide, or a mistake that only this leg sees.
compile::Built Attempt::compile_sanitized(const compile::Job& job) {
  try {
    compile::Built child = compile_or_reuse(kit_, job);
    account_.builds_differ = !child.ok;
    if (!child.ok) account_.compile_message += child.diagnostics;
    return child;
  } catch (const compile::ToolchainBroke&) {
    account_.sanitizers_not_here = true;
    return {};
  }
}

bool Attempt::run_sanitizers() {
  const auto start = Clock::now();
  const compile::Job job = job_for(Leg::kSanitizers);
  const files::FileLock lock(job.work.parent_path() / "lock");
  const compile::Built child = compile_sanitized(job);
  if (child.cancelled) return false;
  if (child.ok) {
    const Judged judged = run::judge(kit_, trial_for(Leg::kSanitizers, child.executable));
    const bool nothing_public = judged.outcome == Judged::Outcome::kUsage;  // one hidden check
    if (!nothing_public && !take_verdict(judged, account_.sanitizers)) return false;
  }
  sanitizer_seconds = since(start);
  compose();
  return true;
}

bool Attempt::wants_speed() const {
  if (!account_.speed_wanted || !account_.verdict) return false;
  if (!account_.speed_not_here.empty() && !account_.speed_book) return false;
  return order_.speed == Order::SpeedLeg::kAlways || results_.passes();
}

bool Attempt::run_speed() {
  if (!account_.speed_not_here.empty()) return run_speed_alone();
  const auto start = Clock::now();
  const files::FileLock lock(kit_.root / ".nibble" / "work" / account_.terms.lab / "lock");
  compile::Job published = job_for(Leg::kPlain);
  published.source = files::read_file(compile::published_solution(kit_, *order_.target.lab));
  published.budget = nullptr;
  published.work = published.work.parent_path() / "published";
  const compile::Built theirs = compile(kit_, job_for(Leg::kPlain)),
                       ours = compile(kit_, published);
  if (theirs.cancelled || ours.cancelled) return false;
  if (!ours.ok) throw kit_fault("the published solution does not compile\n");
  run::Trial trial = trial_for(Leg::kSpeed, theirs.executable);
  trial.terms.published = std::filesystem::absolute(ours.executable);
  const Judged judged = run::judge(kit_, trial);
  if (!take_verdict(judged, account_.speed)) return false;
  speed_seconds = since(start);
  account_.seconds += speed_seconds;
  compose();
  return true;
}

/// Beside itself: its time is what an estimate needs. Should it fall, that is no fault of the
/// kit's, and there is no estimate.
bool Attempt::run_speed_alone() {
  const auto start = Clock::now();
  const files::FileLock lock(kit_.root / ".nibble" / "work" / account_.terms.lab / "lock");
  const compile::Built child = compile(kit_, job_for(Leg::kPlain));
  if (child.cancelled) return false;
  run::Trial trial = trial_for(Leg::kSpeed, child.executable);
  trial.terms.published = trial.terms.child;
  const Judged judged = run::judge(kit_, trial);
  if (judged.outcome == Judged::Outcome::kCancelled) return false;
  if (judged.has_verdict()) account_.speed_alone = judged.verdict;
  speed_seconds = since(start);
  account_.seconds += speed_seconds;
  compose();
  return true;
}

bool Attempt::wants_gpu() const {
  return order_.target.lab->is_cuda() && account_.gpu_not_here.empty() && order_.plain &&
         order_.gpu && account_.verdict && results_.passes();
}

bool Attempt::run_gpu() {
  const auto start = Clock::now();
  const fs::path work = job_for(Leg::kPlain).work.parent_path() / "gpu";
  const files::FileLock lock(work.parent_path() / "lock");
  gpu::GpuLeg leg =
      context_.gpu.run(kit_, {*order_.target.lab, account_.source, work, {}, order_.cancelled},
                       trial_for(Leg::kGpu, work / "child"));
  if (leg.judged.outcome == Judged::Outcome::kCancelled) return false;
  if (!leg.why_not.empty()) return true;
  if (!leg.diagnostics.empty()) {
    throw Trouble(kNoCompile, "for the GPU it does not compile:\n" + leg.diagnostics);
  }
  if (!take_verdict(leg.judged, account_.gpu)) return false;
  gpu_leg_ = std::move(leg);
  gpu_seconds = since(start);
  account_.seconds += gpu_seconds;
  compose();
  return true;
}

bool Attempt::wants_gpu_sanitizer() const { return account_.gpu && results_.passes(); }

bool Attempt::run_gpu_sanitizer() {
  const auto start = Clock::now();
  const std::filesystem::path work = gpu_leg_->executable.parent_path();
  const files::FileLock lock(work.parent_path() / "lock");
  run::Trial trial = trial_for(Leg::kGpuSanitizer, gpu_leg_->executable);
  trial.terms.cpu_limit = trial.terms.wall_limit =
      std::chrono::seconds(60);  // a tool looks at every access
  trial.budget = nullptr;
  const gpu::SanitizerLeg leg = context_.gpu.look_closer(kit_, trial, work);
  if (leg.cancelled) return false;
  account_.gpu_sanitizer = leg.seen;
  account_.gpu_sanitizer_not_here = leg.why_not;
  gpu_sanitizer_seconds = since(start);
  account_.seconds += gpu_sanitizer_seconds;
  compose();
  return true;
}

bool Attempt::wants_hidden() const { return awaits_hidden_; }

bool Attempt::run_hidden() {
  const auto start = Clock::now();
  const compile::Job job = job_for(account_.terms.leg);
  const files::FileLock lock(job.work.parent_path() / "lock");
  const compile::Built child = compile(kit_, job);
  if (child.cancelled) return false;
  Judged all{Judged::Outcome::kVerdict, *account_.verdict, {}};
  run::add_hidden(
      all, run::judge(kit_, run::hidden_of(trial_for(account_.terms.leg, child.executable), all)));
  if (!take_verdict(all, account_.verdict)) return false;
  const bool passes = account_.verdict->passes();
  if (passes && gpu_leg_) {
    context_.gpu.add_hidden(kit_, *gpu_leg_);
    if (!take_verdict(gpu_leg_->judged, account_.gpu)) return false;
  }
  // Paid where all values are right, unless it was asked for by name.
  if (!passes && order_.speed != Order::SpeedLeg::kAlways) account_.speed.reset();
  awaits_hidden_ = false;
  account_.seconds += since(start);
  compose();
  return true;
}

void Attempt::compose() {
  account_.machine = report::this_machine();
  results_ = report::results_of(kit_, order_.target.lab->scheme, account_);
}

std::filesystem::path results_file(const lab::Kit& kit, const std::string& lab) {
  return kit.root / ".nibble" / "out" / lab / "results.json";
}

std::optional<record::Result> last_results(const lab::Kit& kit, const std::string& lab) {
  const std::filesystem::path file = results_file(kit, lab);
  if (!std::filesystem::is_regular_file(file)) return {};
  try {
    return record::read_result(files::read_file(file));
  } catch (const std::invalid_argument&) {
    return {};  // it lies where a learner works
  }
}

std::optional<record::Check> last_failing(const lab::Kit& kit, const std::string& lab,
                                          const std::string& exercise) {
  const auto last = last_results(kit, lab);
  if (!last) return {};
  for (const record::Check& check : last->checks) {
    const bool is_its = exercise.empty() || check.exercise == exercise;
    if (is_its && check.status != record::CheckStatus::kPass) return check;
  }
  return {};
}

}  // namespace nibble::cli
