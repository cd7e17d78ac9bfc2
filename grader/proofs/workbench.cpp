// Compiles what was not compiled before, judges it on a leg, and notes every fault of a judge.
#include "proofs/workbench.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "compile/key.hpp"
#include "run/salt.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kKeepUnused = 24h * 7;

/// Folders of runs that were killed: named after a process that is no more.
void sweep_work(const fs::path& work) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(work, ignored)) {
    const int pid = std::atoi(entry.path().filename().c_str());
    const bool gone = pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
    if (gone) fs::remove_all(entry.path(), ignored);
  }
}

BuiltChild child_of(const compile::Built& built) {
  return {built.ok, built.executable, built.diagnostics};
}

}  // namespace

Workbench::Workbench(const lab::Kit& kit, Options options)
    : kit_(kit), options_(std::move(options)), cache_(kit.notes() / "check-kit" / "cache") {
  const fs::path folder = kit.notes() / "check-kit";
  sweep_work(folder / "work");
  cache_.sweep(kKeepUnused);
  work_ = folder / "work" / std::to_string(getpid());
  fs::create_directories(work_);
  if (options_.terms.salt.empty()) options_.terms.salt = run::draw_salt();
}

Workbench::~Workbench() {
  std::error_code ignored;
  fs::remove_all(work_, ignored);
}

fs::path Workbench::fresh_folder() {
  const fs::path folder = work_ / std::to_string(folders_++);
  fs::create_directories(folder);
  return folder;
}

BuiltChild Workbench::build(const Implementation& what) {
  const fs::path folder = fresh_folder();
  const BuiltChild child = child_of(
      cache_.get(kit_, {kit_.lab(what.lab), what.source, what.leg, folder, what.more_flags, {}}));
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return child;
}

std::vector<BuiltChild> Workbench::build_together(const MistakeProgram& program,
                                                  const std::vector<Mistaken>& mistaken) {
  std::vector<BuiltChild> children(mistaken.size());
  std::vector<std::size_t> places;  // of the copies
  std::vector<std::string> copies, keys;
  for (std::size_t i = 0; i < mistaken.size(); ++i) {
    const auto copy = program.copy_of(mistaken[i]);
    if (!copy) continue;
    const std::string key = compile::key_of(
        kit_, {.lab = program.lab(), .source = {}, .ready = program.file_of({*copy})});
    if (const auto kept = cache_.find(key)) {
      children[i] = child_of(*kept);
      continue;
    }
    places.push_back(i);
    copies.push_back(*copy);
    keys.push_back(key);
  }
  const fs::path folder = fresh_folder();
  const std::vector<fs::path> executables = program.build(copies, folder);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (executables[i].empty()) continue;
    compile::Built built;
    built.ok = true;
    built.executable = executables[i];
    children[places[i]] = child_of(cache_.put(keys[i], built));
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return children;
}

Judgement Workbench::judge(const Implementation& what, const BuiltChild& child,
                           const std::string& exercise) {
  return run({.lab = what.lab, .leg = what.leg, .exercise = exercise, .child = child.executable});
}

Judgement Workbench::judge_briefly(const Implementation& what, const BuiltChild& child,
                                   const std::string& exercise) {
  return run({.lab = what.lab,
              .leg = what.leg,
              .exercise = exercise,
              .brief = true,
              .child = child.executable});
}

Judgement Workbench::judge_check(const Implementation& what, const BuiltChild& child,
                                 const record::Row& check) {
  return run({.lab = what.lab,
              .leg = what.leg,
              .exercise = check.exercise,
              .check = check.id,
              .hidden = check.hidden,
              .child = child.executable});
}

Judgement Workbench::measure(const Implementation& what, const BuiltChild& child,
                             const BuiltChild& published) {
  return run({.lab = what.lab,
              .leg = protocol::Leg::kSpeed,
              .child = child.executable,
              .published = published.executable});
}

/// Every check that is asked for, hidden ones too.
Judgement Workbench::run(protocol::Terms terms) {
  terms.salt = options_.terms.salt;
  terms.seed = options_.terms.seed;
  const run::Trial trial{terms};
  // No hidden check is one of speed, and one check is of one kind.
  const bool is_one_kind = terms.leg == protocol::Leg::kSpeed || !terms.check.empty();
  const run::Judged judged =
      is_one_kind ? run::judge(kit_, trial) : run::judge_everything(kit_, trial);
  Judgement result{judged.verdict, "", judged.seconds};
  if (!judged.has_verdict()) {
    result.kit_error = text::trim(judged.message);
    if (result.kit_error.empty()) result.kit_error = "the judge said nothing";
  }
  const std::lock_guard lock(mutex_);
  Health& health = health_[terms.lab];
  ++health.runs;
  if (!result.ok()) health.kit_errors.push_back(result.kit_error);
  return result;
}

std::map<std::string, Workbench::Health> Workbench::health() const {
  const std::lock_guard lock(mutex_);
  return health_;
}

}  // namespace nibble::proofs
