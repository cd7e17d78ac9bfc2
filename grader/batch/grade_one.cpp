// Compiles, runs all public checks of all legs, then the hidden ones, and joins what came of them.
#include "batch/grade_one.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "gpu/gpu_leg.hpp"
#include "record/codec.hpp"
#include "report/speed.hpp"
#include "run/judging.hpp"
#include "sandbox/control_group.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using protocol::Leg;
using std::chrono::steady_clock;

/// A compiler that finds the disk full fails like one that finds a mistake.
constexpr std::uintmax_t kRoomToCompile = std::uintmax_t{64} << 20;

/// What all steps of one grading need.
struct Task {
  const Bench& bench;
  const LabOrder& order;
  const std::string& source;
  std::string key;
  const fs::path& work;
  compile::Budget& budget;
  steady_clock::time_point start = steady_clock::now();
};

compile::Built compile(const Task& task, const std::string& text, Leg leg,
                       const std::string& folder, compile::Budget* budget) {
  compile::Job job{task.order.lab, text, leg, task.work / folder};
  job.budget = budget;
  job.cancelled = task.bench.cancelled;
  job.boxes = task.bench.boxes;
  job.is_kept = true;
  compile::Built built = task.bench.compiled.get(task.bench.kit, job);
  if (built.cancelled) throw Interrupted();
  if (!built.ok && fs::space(task.work).available < kRoomToCompile) {
    throw std::runtime_error("the disk is full: " + task.work.string());
  }
  return built;
}

run::Trial trial_of(const Task& task, Leg leg, const fs::path& child) {
  run::Trial trial{task.order.terms, &task.budget, task.bench.boxes, task.bench.cancelled};
  trial.terms.leg = leg;
  trial.terms.child = child;
  return trial;
}

void must_be_a_verdict(const run::Judged& judged) {
  if (judged.outcome == run::Judged::Outcome::kCancelled) throw Interrupted();
  if (!judged.has_verdict()) throw std::runtime_error(judged.message);
}

/// A leg whose public checks have been judged. Its hidden ones come when all legs are so far:
/// nothing that runs before them can tell what they ask.
struct RunLeg {
  run::Trial trial;
  run::Judged judged;
};

RunLeg judge(const Task& task, run::Trial trial) {
  RunLeg leg{std::move(trial), {}};
  leg.judged = run::judge(task.bench.kit, leg.trial);
  must_be_a_verdict(leg.judged);
  return leg;
}

void judge_hidden(const Task& task, RunLeg& leg) {
  run::add_hidden(leg.judged, run::judge(task.bench.kit, run::hidden_of(leg.trial, leg.judged)));
  must_be_a_verdict(leg.judged);
}

/// They link no static program.
std::optional<RunLeg> sanitize(const Task& task, report::Account& account) {
  account.sanitizers_not_here = task.bench.boxes.run == sandbox::Level::kStatic;
  if (account.sanitizers_not_here || task.budget.left().count() == 0) return std::nullopt;
  const compile::Built built =
      compile(task, task.source, Leg::kSanitizers, "sanitizers", &task.budget);
  account.builds_differ = !built.ok;
  if (!built.ok) account.compile_message += built.diagnostics;
  if (!built.ok) return std::nullopt;
  return judge(task, trial_of(task, Leg::kSanitizers, built.executable));
}

/// No hidden check is one of speed.
void measure(const Task& task, const fs::path& child, report::Account& account) {
  const fs::path published = compile::published_solution(task.bench.kit, task.order.lab);
  if (published.empty()) {
    account.speed_not_here = "the published solution is not in this copy of the kit";
    return;
  }
  const std::string text = files::read_file(published);
  const compile::Built ours = compile(task, text, Leg::kPlain, "published", nullptr);
  if (!ours.ok) throw std::runtime_error("the published solution does not compile");
  run::Trial trial = trial_of(task, Leg::kSpeed, child);
  trial.terms.published = ours.executable;
  account.speed = judge(task, std::move(trial)).judged.verdict;
}

/// On this machine's GPU, after whose crash or stop the published kernels must still be right.
std::optional<gpu::GpuLeg> try_on_gpu(const Task& task, report::Account& account) {
  if (task.order.lab.has_host_code()) {
    account.gpu_not_here = "host code is judged on the engine alone";
    return std::nullopt;
  }
  const fs::path known = compile::published_solution(task.bench.kit, task.order.lab);
  gpu::GpuLeg leg = gpu::run_gpu_leg(
      task.bench.kit,
      {task.order.lab, task.source, task.work / "gpu", task.bench.boxes, task.bench.cancelled},
      trial_of(task, Leg::kGpu, {}), known.empty() ? "" : files::read_file(known));
  account.gpu_not_here = leg.why_not;
  if (!leg.diagnostics.empty()) {
    account.gpu_not_here = "nvcc does not compile it: " + leg.diagnostics;
  }
  if (!account.gpu_not_here.empty()) return std::nullopt;
  must_be_a_verdict(leg.judged);
  return leg;
}

/// Taken before the hidden checks begin: how long one of them takes could tell what it asks.
double seconds_of(const Task& task) {
  return std::chrono::duration<double>(steady_clock::now() - task.start).count();
}

/// Everything that is run of a submission that compiles: all public checks, and after them
/// the hidden ones.
void judge_legs(const Task& task, const fs::path& child, bool with_speed,
                report::Account& account) {
  const bool is_cuda = task.order.lab.is_cuda();
  RunLeg plain = judge(task, trial_of(task, Leg::kPlain, child));
  std::optional<RunLeg> sanitizers;
  std::optional<gpu::GpuLeg> gpu;
  if (plain.judged.verdict.passes()) {
    if (task.order.legs.sanitizers && !is_cuda) sanitizers = sanitize(task, account);
    if (task.order.legs.gpu && is_cuda) gpu = try_on_gpu(task, account);
    if (account.speed_wanted && with_speed) measure(task, child, account);
  }
  account.seconds = seconds_of(task);
  if (task.order.legs.hidden) judge_hidden(task, plain);
  account.verdict = plain.judged.verdict;
  if (account.verdict->passes() && task.order.legs.hidden) {
    if (sanitizers) judge_hidden(task, *sanitizers);
    if (gpu) gpu::add_hidden_gpu_checks(task.bench.kit, *gpu);
    if (gpu) must_be_a_verdict(gpu->judged);
  }
  if (sanitizers) account.sanitizers = sanitizers->judged.verdict;
  if (gpu) account.gpu = gpu->judged.verdict;
  if (!account.verdict->passes()) account.speed.reset();  // paid where all values are right
}

}  // namespace

record::Result grade_one(const Bench& bench, const LabOrder& order, const std::string& source,
                         bool with_speed, const fs::path& work) {
  fs::create_directories(work);
  const protocol::Terms& terms = order.terms;
  compile::Budget budget(terms.budget);
  const Task task{bench, order, source, key_of(order, source), work, budget};
  const record::Scheme scheme = record::read_scheme(files::read_file(bench.kit.scheme(terms.lab)));
  report::Account account;
  account.terms = terms;
  account.source = source;
  account.started = report::utc_now();
  account.machine = report::this_machine();
  account.machine.sandbox = static_cast<int>(bench.boxes.run);
  account.machine.limits = sandbox::limited_by(bench.boxes.groups);
  account.speed_wanted = report::has_speed_rows(scheme, "");

  const compile::Built plain = compile(task, source, Leg::kPlain, "plain", &budget);
  account.compile_message = plain.diagnostics;
  account.odd_imports = plain.odd_imports;
  account.prints = plain.prints;
  account.builds_differ = plain.builds_differ;
  account.seconds = seconds_of(task);
  if (plain.ok) judge_legs(task, plain.executable, with_speed, account);
  record::Result results = report::results_of(bench.kit, scheme, account);
  results.manifest.key = task.key;
  return results;
}

}  // namespace nibble::batch
