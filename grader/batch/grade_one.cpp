#include "batch/grade_one.hpp"

#include <chrono>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "build/judging.hpp"
#include "gpu/gpu_leg.hpp"
#include "report/speed.hpp"
#include "sandbox/control_group.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using build::Leg;
using report::Json;
using std::chrono::steady_clock;

/// A compiler that finds the disk full fails like one that finds a mistake.
constexpr std::uintmax_t kRoomToCompile = std::uintmax_t{64} << 20;

/// What all steps of one grading need.
struct Task {
  const Bench& bench;
  const Terms& terms;
  const std::string& source;
  std::string key;
  const fs::path& work;
};

build::Built compile(const Task& task, const std::string& text, const std::string& key, Leg leg,
                     const std::string& folder) {
  build::Job job{task.terms.lab, text, leg, task.work / folder};
  job.cancelled = task.bench.cancelled;
  job.boxes = task.bench.boxes;
  build::Built built = task.bench.compiled.get(task.bench.kit, job, key);
  if (built.cancelled) throw Interrupted();
  if (!built.ok && fs::space(task.work).available < kRoomToCompile) {
    throw std::runtime_error("the disk is full: " + task.work.string());
  }
  if (!built.ok && built.diagnostics.empty()) {
    throw std::runtime_error("the compiler failed and said nothing");
  }
  return built;
}

Json judge(const Task& task, build::Trial trial) {
  trial.lab = task.terms.lab;
  trial.seed = task.terms.seed;
  trial.hidden = task.terms.hidden;
  trial.salt = task.terms.salt;
  trial.cancelled = task.bench.cancelled;
  trial.boxes = task.bench.boxes;
  build::Judged judged = build::judge(task.bench.kit, trial);
  if (judged.outcome == build::Judged::Outcome::kCancelled) throw Interrupted();
  if (judged.outcome != build::Judged::Outcome::kVerdict) throw std::runtime_error(judged.message);
  return std::move(judged.verdict);
}

void sanitize(const Task& task, report::Account& account) {
  const build::Built built = compile(task, task.source, task.key, Leg::kSanitizers, "sanitizers");
  account.sanitizers_not_here = !built.ok;
  if (!built.ok) return;
  account.sanitizers = judge(task, {.lab = {}, .child = built.executable, .leg = Leg::kSanitizers});
}

void measure(const Task& task, const fs::path& child, report::Account& account) {
  const fs::path published = build::published_solution(task.bench.kit, task.terms.lab);
  if (published.empty()) {
    account.speed_not_here = "the published solution is not in this copy of the kit";
    return;
  }
  const std::string text = build::read_file(published);
  const build::Built ours = compile(task, text, key_of(task.terms, text), Leg::kPlain, "published");
  if (!ours.ok) throw std::runtime_error("the published solution does not compile");
  account.speed = judge(task, {.lab = {}, .child = child, .published = ours.executable});
}

/// On this machine's GPU, after whose crash or stop the published kernels must still be right.
void try_on_gpu(const Task& task, report::Account& account) {
  if (build::has_host_code(task.terms.lab)) {
    account.gpu_not_here = "host code is judged on the engine alone";
    return;
  }
  build::Trial trial;
  trial.lab = task.terms.lab;
  trial.seed = task.terms.seed;
  trial.hidden = task.terms.hidden;
  trial.salt = task.terms.salt;
  trial.cancelled = task.bench.cancelled;
  const fs::path known = build::published_solution(task.bench.kit, task.terms.lab);
  const gpu::GpuLeg leg = gpu::run_gpu_leg(
      task.bench.kit,
      {task.terms.lab, task.source, task.work / "gpu", task.bench.boxes, task.bench.cancelled},
      trial, known.empty() ? "" : build::read_file(known));
  account.gpu_not_here = leg.why_not;
  if (!leg.why_not.empty()) return;
  if (leg.outcome == build::Judged::Outcome::kCancelled) throw Interrupted();
  if (!leg.diagnostics.empty()) {
    account.gpu_not_here = "nvcc does not compile it: " + leg.diagnostics;
  } else if (leg.outcome == build::Judged::Outcome::kVerdict) {
    account.gpu = leg.verdict;
  } else {
    throw std::runtime_error(leg.message);
  }
}

bool passes(const report::Account& account) {
  return !account.verdict.is_null() && account.verdict.at("verdict") == "pass";
}

}  // namespace

Json grade_one(const Bench& bench, const Terms& terms, const std::string& source, bool with_speed,
               const fs::path& work) {
  const auto start = steady_clock::now();
  fs::create_directories(work);
  const Task task{bench, terms, source, key_of(terms, source), work};
  const Json scheme = Json::parse(build::read_file(bench.kit.scheme(terms.lab)));
  report::Account account;
  account.lab = terms.lab;
  account.source = source;
  account.started = report::utc_now();
  account.machine = report::this_machine();
  account.machine.sandbox = static_cast<int>(bench.boxes.run);
  account.machine.limits = sandbox::limited_by(bench.boxes.groups);
  account.salt = terms.salt;
  account.seed = terms.seed;
  account.speed_wanted = report::has_speed_rows(scheme, "");

  const build::Built plain = compile(task, source, task.key, Leg::kPlain, "plain");
  account.compile_message = plain.diagnostics;
  account.odd_imports = plain.odd_imports;
  if (plain.ok) {
    account.verdict = judge(task, {.lab = {}, .child = plain.executable, .leg = Leg::kPlain});
  }
  if (passes(account) && terms.sanitizers && !build::is_cuda_lab(terms.lab)) {
    sanitize(task, account);
  }
  if (passes(account) && terms.gpu && build::is_cuda_lab(terms.lab)) try_on_gpu(task, account);
  if (passes(account) && account.speed_wanted && with_speed) {
    measure(task, plain.executable, account);
  }
  account.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  Json results = report::results_of(bench.kit, scheme, account);
  results["manifest"]["key"] = task.key;
  return results;
}

}  // namespace nibble::batch
