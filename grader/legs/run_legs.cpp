// First all public checks of all legs, then the hidden ones: nothing that has seen what they ask
// runs before a public check.
#include "legs/run_legs.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "compile/compile.hpp"
#include "compile/toolchain.hpp"
#include "compile/unset_variable.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"
#include "report/results.hpp"
#include "run/judging.hpp"
#include "sandbox/control_group.hpp"

namespace nibble::legs {
namespace {

namespace fs = std::filesystem;
using protocol::Leg;
using run::Judged;
using Clock = std::chrono::steady_clock;

/// A compiler that finds the disk full fails like one that finds a mistake.
constexpr std::uintmax_t kRoomToCompile = std::uintmax_t{64} << 20;

struct Cancelled {};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void must_be_a_verdict(const Judged& judged) {
  if (judged.outcome == Judged::Outcome::kCancelled) throw Cancelled();
  if (judged.outcome == Judged::Outcome::kUsage) throw NothingToJudge(judged.message);
  if (!judged.has_verdict()) throw std::runtime_error(judged.message);
}

bool crashed(const record::Verdict& verdict) {
  return std::ranges::count(verdict.checks, record::CheckStatus::kCrash, &record::Check::status) >
         0;
}

/// The values tell of it, and not a sentence that the submission has thrown.
bool tells_of_unset(const record::Verdict& verdict) {
  return std::ranges::any_of(verdict.checks, [](const record::Check& check) {
    return check.diagnosis == "N-UNINIT" &&
           check.message.find(record::kNobodyHasSet) != std::string::npos;
  });
}

/// A leg whose public checks were judged, as its hidden ones will be.
struct JudgedLeg {
  run::Trial trial;
  Judged judged;
};

report::Account account_of(const Bench& bench, const LegPlan& plan, const std::string& source) {
  report::Account account;
  account.terms = plan.terms;
  account.source = source;
  account.started = report::utc_now();
  account.machine = report::this_machine();
  account.machine.sandbox = static_cast<int>(bench.boxes.run);
  account.machine.limits = sandbox::limited_by(bench.boxes.groups);
  account.gpu_not_here = bench.why_no_gpu;
  account.speed_wanted = plan.find(Leg::kSpeed) != nullptr;
  return account;
}

class LegRun {
 public:
  LegRun(const Bench& bench, const LegPlan& plan, const record::Scheme& scheme,
         const std::string& source)
      : bench_(bench),
        plan_(plan),
        scheme_(scheme),
        lab_(bench.kit.lab(plan.terms.lab)),
        published_(compile::published_solution(bench.kit, lab_)),
        budget_(plan.terms.budget),
        account_(account_of(bench, plan, source)) {
    fs::create_directories(bench.work);
    if (account_.speed_wanted) find_out_about_speed();
  }

  record::Result run(const std::function<void(const Ran&)>& tell) {
    for (const Step& step : plan_.steps) {
      const bool is_first = &step == &plan_.steps.front();
      if (!is_first && !is_due(step)) continue;
      Ran ran{.leg = step.leg, .first = is_first, .results = results_};
      const auto start = Clock::now();
      run_leg(ran);
      ran.seconds = since(start);
      account_.seconds += ran.seconds;
      compose();
      ran.sanitizers_follow = is_first && sanitizers_follow();
      if (tell) tell(ran);
    }
    if (!awaits_hidden_) return results_;
    Ran ran{.leg = plan_.terms.leg, .hidden = true, .results = results_};
    run_hidden();  // not in the results' seconds: how long it takes could tell what it asks
    compose();
    if (tell) tell(ran);
    return results_;
  }

 private:
  void find_out_about_speed() {
    if (published_.empty()) {
      account_.speed_not_here = "the published solution is not in this copy of the kit";
      const fs::path book = bench_.kit.speed_book(lab_.name);
      if (fs::exists(book)) {
        account_.speed_book = record::read_speed_book(files::read_file(book));
      }
    }
#ifndef __linux__
    account_.speed_book.reset();
    account_.speed_not_here = "this system does not tell the CPU time of another process";
#endif
  }

  // --- What is run next --------------------------------------------------------------------------

  bool is_due(const Step& step) const {
    return account_.verdict && may_run(step.leg) && is_time_for(step.when);
  }

  bool is_time_for(Condition when) const {
    const bool right = results_.passes();
    switch (when) {
      case Condition::kAlways:
        return true;
      case Condition::kWhenRight:
        return right;
      case Condition::kWhenRightOrCrashed:
        return right || crashed(*account_.verdict);
      case Condition::kLater:
        break;
    }
    return false;
  }

  bool may_run(Leg leg) const {
    if (leg == Leg::kSanitizers) return budget_.left().count() > 0;
    if (leg == Leg::kGpu) return account_.gpu_not_here.empty();
    if (leg == Leg::kGpuSanitizer) return account_.gpu.has_value();
    return account_.speed_not_here.empty() || account_.speed_book;
  }

  bool sanitizers_follow() const {
    const Step* const step = plan_.find(Leg::kSanitizers);
    return step != nullptr && step != &plan_.steps.front() && is_due(*step);
  }

  void run_leg(Ran& ran) {
    if (ran.first) return judge_values(ran);
    if (ran.leg == Leg::kSanitizers) return run_sanitizers();
    if (ran.leg == Leg::kGpu) return run_on_gpu(ran);
    if (ran.leg == Leg::kGpuSanitizer) return look_closer();
    if (account_.speed_not_here.empty()) return measure();
    measure_alone();
  }

  // --- From a text to a verdict ------------------------------------------------------------------

  compile::Job job_for(Leg leg) {
    compile::Job job{lab_, account_.source, leg, bench_.work / protocol::name_of(leg)};
    job.cancelled = bench_.cancelled;
    job.boxes = bench_.boxes;
    job.budget = &budget_;
    job.is_kept = bench_.is_graded;
    return job;
  }

  compile::Built compile(const compile::Job& job) const {
    compile::Built built = bench_.compiled.get(bench_.kit, job);
    if (built.cancelled) throw Cancelled();
    if (!built.ok && fs::space(bench_.work).available < kRoomToCompile) {
      throw std::runtime_error("the disk is full: " + bench_.work.string());
    }
    return built;
  }

  /// All legs are asked what the first was asked.
  run::Trial trial_for(Leg leg, const fs::path& child) {
    run::Trial trial = trial_for(leg);
    trial.terms.child = fs::absolute(child);
    return trial;
  }
  run::Trial trial_for(Leg leg) {
    run::Trial trial{plan_.terms, &budget_, bench_.boxes, bench_.cancelled};
    trial.terms.leg = leg;
    if (account_.verdict) trial.terms.seed = account_.verdict->seed;
    return trial;
  }

  // --- The legs ----------------------------------------------------------------------------------

  void judge_values(Ran& ran) {
    ran.child = compile(job_for(ran.leg));
    account_.compile_message = ran.child.diagnostics;
    account_.odd_imports = ran.child.odd_imports;
    account_.prints = ran.child.prints;
    account_.builds_differ = ran.child.builds_differ;
    if (!ran.child.ok) return;
    const run::Trial trial = trial_for(ran.leg, ran.child.executable);
    Judged judged = run::judge(bench_.kit, trial);
    awaits_hidden_ = plan_.hidden && judged.outcome != Judged::Outcome::kUsage;
    // One hidden check was asked for, and no public one.
    if (plan_.hidden && !awaits_hidden_) {
      judged = run::judge(bench_.kit, run::hidden_of(trial, judged));
    }
    must_be_a_verdict(judged);
    ran.run_seconds = judged.seconds;
    account_.verdict = judged.verdict;
    name_what_nobody_set();
    values_ = {trial, std::move(judged)};
  }

  /// Of an array the compiler tells nothing by the way.
  void name_what_nobody_set() {
    const bool is_told = account_.compile_message.find("uninitialized") != std::string::npos;
    if (!lab_.is_cuda() || is_told || !tells_of_unset(*account_.verdict)) return;
    compile::Job job = job_for(plan_.terms.leg);
    job.work = bench_.work / "unset";
    account_.compile_message += compile::unset_variable(bench_.kit, job);
    if (bench_.cancelled && bench_.cancelled()) throw Cancelled();
  }

  /// A machine that cannot build it has no such leg, unless a grade follows; a file that keeps it
  /// from being built has something to hide, or a mistake that only this leg sees.
  compile::Built compile_sanitized() {
    try {
      compile::Built child = compile(job_for(Leg::kSanitizers));
      account_.builds_differ = !child.ok;
      if (!child.ok) account_.compile_message += child.diagnostics;
      return child;
    } catch (const compile::ToolchainBroke&) {
      if (bench_.is_graded) throw;
      account_.sanitizers_not_here = true;
      return {};
    }
  }

  /// They link no static program.
  void run_sanitizers() {
    account_.sanitizers_not_here = bench_.boxes.run == sandbox::Level::kStatic;
    if (account_.sanitizers_not_here) return;
    const compile::Built child = compile_sanitized();
    if (!child.ok) return;
    const run::Trial trial = trial_for(Leg::kSanitizers, child.executable);
    Judged judged = run::judge(bench_.kit, trial);
    if (judged.outcome == Judged::Outcome::kUsage) return;  // one hidden check was asked for
    must_be_a_verdict(judged);
    account_.sanitizers = judged.verdict;
    sanitizers_ = {trial, std::move(judged)};
  }

  /// Where a grade follows, the published kernels must still be right after a crash or a stop.
  void run_on_gpu(Ran& ran) {
    const std::string canary =
        bench_.is_graded && !published_.empty() ? files::read_file(published_) : "";
    gpu::GpuLeg leg = bench_.gpu.run(
        bench_.kit, {lab_, account_.source, bench_.work / "gpu", bench_.boxes, bench_.cancelled},
        trial_for(Leg::kGpu), canary);
    if (leg.judged.outcome == Judged::Outcome::kCancelled) throw Cancelled();
    account_.gpu_not_here = leg.why_not;
    ran.gpu_diagnostics = leg.diagnostics;
    if (!leg.diagnostics.empty()) {
      account_.gpu_not_here = "nvcc does not compile it: " + leg.diagnostics;
    }
    if (!account_.gpu_not_here.empty()) return;
    must_be_a_verdict(leg.judged);
    account_.gpu = leg.judged.verdict;
    gpu_ = std::move(leg);
  }

  void look_closer() {
    run::Trial trial = trial_for(Leg::kGpuSanitizer, gpu_->executable);
    trial.terms.cpu_limit = trial.terms.wall_limit =
        std::chrono::seconds(60);  // a tool looks at every access
    const gpu::SanitizerLeg leg =
        bench_.gpu.look_closer(bench_.kit, trial, gpu_->executable.parent_path());
    if (leg.cancelled) throw Cancelled();
    account_.gpu_sanitizer = leg.seen;
    account_.gpu_sanitizer_not_here = leg.why_not;
  }

  void measure() {
    compile::Job published = job_for(Leg::kPlain);
    published.source = files::read_file(published_);
    published.budget = nullptr;
    published.work = bench_.work / "published";
    const compile::Built theirs = compile(job_for(Leg::kPlain)), ours = compile(published);
    if (!ours.ok) throw std::runtime_error("the published solution does not compile");
    run::Trial trial = trial_for(Leg::kSpeed, theirs.executable);
    trial.terms.published = fs::absolute(ours.executable);
    const Judged judged = run::judge(bench_.kit, trial);
    must_be_a_verdict(judged);
    account_.speed = judged.verdict;
  }

  /// Beside itself: its time is what an estimate needs. Should it fall, that is no fault of the
  /// kit's, and there is no estimate.
  void measure_alone() {
    run::Trial trial = trial_for(Leg::kSpeed, compile(job_for(Leg::kPlain)).executable);
    trial.terms.published = trial.terms.child;
    const Judged judged = run::judge(bench_.kit, trial);
    if (judged.outcome == Judged::Outcome::kCancelled) throw Cancelled();
    if (judged.has_verdict()) account_.speed_alone = judged.verdict;
  }

  // --- Hidden checks -----------------------------------------------------------------------------

  void judge_hidden(JudgedLeg& leg) {
    run::add_hidden(leg.judged, run::judge(bench_.kit, run::hidden_of(leg.trial, leg.judged)));
    must_be_a_verdict(leg.judged);
  }

  void run_hidden() {
    judge_hidden(*values_);
    account_.verdict = values_->judged.verdict;
    if (!account_.verdict->passes()) {
      // Paid where all values are right, unless it was asked for by name.
      const Step* const speed = plan_.find(Leg::kSpeed);
      if (speed != nullptr && speed->when != Condition::kAlways) account_.speed.reset();
      return;
    }
    if (sanitizers_) {
      judge_hidden(*sanitizers_);
      account_.sanitizers = sanitizers_->judged.verdict;
    }
    if (gpu_) {
      bench_.gpu.add_hidden(bench_.kit, *gpu_);
      must_be_a_verdict(gpu_->judged);
      account_.gpu = gpu_->judged.verdict;
    }
  }

  void compose() { results_ = report::results_of(bench_.kit, scheme_, account_); }

  const Bench& bench_;
  const LegPlan& plan_;
  const record::Scheme& scheme_;
  const lab::Lab& lab_;
  const fs::path published_;
  compile::Budget budget_;
  report::Account account_;
  record::Result results_;
  std::optional<JudgedLeg> values_, sanitizers_;
  std::optional<gpu::GpuLeg> gpu_;
  bool awaits_hidden_ = false;
};

}  // namespace

std::optional<record::Result> run_legs(const Bench& bench, const LegPlan& plan,
                                       const record::Scheme& scheme, const std::string& source,
                                       const std::function<void(const Ran&)>& tell) {
  try {
    return LegRun(bench, plan, scheme, source).run(tell);
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

}  // namespace nibble::legs
