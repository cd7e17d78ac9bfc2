// Lays out secrets, judges one attack beside them, and looks what was told, changed or left behind.
#include "attacks/attack_trial.hpp"
#include "record/codec.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "attacks/stage.hpp"
#include "compile/key.hpp"
#include "files/files.hpp"
#include "process/ending.hpp"
#include "run/judging.hpp"

namespace nibble::attacks {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// No attack may hold up the grader any longer than this.
constexpr double kLongestSeconds = 60.0;

/// Of CPU time, less than a lab's. Those that attack the compiler take all that they are given, on
/// each level: what a right solution takes, three times.
constexpr auto kLongestCompilation = 15s, kLongestAttackOnIt = 6s;

// --- What an attack did besides -----------------------------------------------------------------

/// Something of the user's own that no submission may read, change or add to.
class Secrets {
 public:
  explicit Secrets(fs::path folder) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    std::ofstream(folder_ / "results.json") << text_ << '\n';
    fs::permissions(folder_ / "results.json", fs::perms::owner_read | fs::perms::owner_write);
    before_ = contents();
  }
  const fs::path& folder() const { return folder_; }
  bool stands_in(const std::string& text) const { return text.find(text_) != std::string::npos; }
  bool changed() const { return contents() != before_; }

 private:
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      files[entry.path().filename().string()] = files::read_file(entry.path());
    }
    return files;
  }
  fs::path folder_;
  std::string text_ = "a secret of " + std::to_string(getpid());
  std::map<std::string, std::string> before_;
};

/// Processes that outlived the judge have become ours. Ends them; how many there were.
int end_left_behind() {
  int count = 0;
  const auto give_up = steady_clock::now() + 5s;
  while (steady_clock::now() < give_up) {
    const std::vector<pid_t> pids = process::children_now();
    if (pids.empty()) break;
    for (const pid_t pid : pids) {
      if (waitpid(pid, nullptr, WNOHANG) == 0) ++count;  // it lives
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
  return count;
}

std::string first_code_of(const record::Verdict& verdict) {
  for (const record::Check& check : verdict.checks) {
    if (check.status == record::CheckStatus::kPass) continue;
    return check.diagnosis.empty() ? "none" : check.diagnosis;
  }
  return "";
}

run::Trial trial_of(const lab::Kit& kit, const Stage& stage, const Attack& attack,
                    const sandbox::Boxes& boxes, const fs::path& child, CompiledAttacks& compiled,
                    const fs::path& work) {
  run::Trial trial{.terms = attack.terms, .boxes = boxes};
  trial.terms.lab = stage.lab;
  trial.terms.child = child;
  trial.terms.leg = stage.built;
  trial.terms.exercise = stage.exercise;
  trial.terms.wall_limit = stage.wall_limit;
  if (trial.terms.cpu_limit.count() == 0) trial.terms.cpu_limit = stage.cpu_limit;
  if (stage.timed) {
    trial.terms.leg = protocol::Leg::kSpeed;
    const lab::Lab& lab = kit.lab(stage.lab);
    const std::string solution = files::read_file(compile::published_solution(kit, lab));
    trial.terms.published =
        compiled
            .get(kit, {.lab = lab, .source = solution, .work = work / "published", .boxes = boxes},
                 false)
            .executable;
  }
  return trial;
}

}  // namespace

compile::Built CompiledAttacks::get(const lab::Kit& kit, compile::Job job, bool anew) {
  if (!anew) {  // what is compiled in one box does for all others
    if (!first_) first_ = job.boxes;
    job.boxes.compile = first_->compile;
    job.boxes.link_flags = first_->link_flags;
  }
  const std::string key = compile::key_of(kit, job);
  job.work /= key;
  const auto found = kept_.find(key);
  if (found != kept_.end()) return found->second;
  compile::Built built = compile::compile_child(kit, job);
  if (built.ok) kept_.emplace(key, built);  // a compiler may have run out of time
  return built;
}

AttackResult attempt(const lab::Kit& kit, const Attack& attack, const sandbox::Boxes& boxes,
                     const fs::path& work, CompiledAttacks& compiled) {
  const auto start = steady_clock::now();
  const bool is_on_compiler = attack.rule == "V14";
  const Secrets secrets(work / "secrets");  // beside the folder that the compiler may write to
  const Stage& stage = stage_of(attack.leg);
  AttackResult tried;
  const compile::Built built =
      compiled.get(kit,
                   {.lab = kit.lab(stage.lab),
                    .source = source_of(kit, stage, attack.source, secrets.folder()),
                    .leg = stage.built,
                    .work = work / "build",
                    .cpu_limit = is_on_compiler ? kLongestAttackOnIt : kLongestCompilation,
                    .boxes = boxes},
                   is_on_compiler);
  end_left_behind();  // some linkers go on tidying up after they have ended
  tried.compiled = built.ok;
  tried.diagnostics = built.diagnostics;
  std::string seen = built.diagnostics;
  if (built.ok) {
    compile::Budget budget(attack.terms.budget);
    run::Trial trial =
        trial_of(kit, stage, attack, boxes, built.executable, compiled, work.parent_path());
    if (attack.terms.budget.count() > 0) trial.budget = &budget;
    const run::Judged judged = run::judge_everything(kit, trial);
    tried.judged = judged.has_verdict();
    seen += record::text_of(judged.verdict) + judged.message;
    if (tried.judged) {
      tried.points = judged.verdict.points;
      tried.max_points = judged.verdict.max_points;
      tried.first_code = first_code_of(judged.verdict);
      const record::Check& first = judged.verdict.checks.front();
      if (first.speed) tried.ratio = first.speed->ratio, tried.margin = first.speed->margin;
    } else {
      tried.effects.push_back("the judge broke");
    }
  }
  const int left = end_left_behind();
  if (left > 0) tried.effects.push_back(fmt::format("{} processes left", left));
  if (secrets.stands_in(seen)) tried.effects.emplace_back("showed a secret");
  const std::string said = tried.judged ? seen.substr(built.diagnostics.size()) : "";
  if (said.find("EFFECT ") != std::string::npos) {
    const std::string rest = said.substr(said.find("EFFECT ") + 7, 40);
    tried.effects.push_back(rest.substr(0, rest.find_first_of("\\\n\"")));
  }
  if (secrets.changed()) tried.effects.emplace_back("changed the user's files");
  if (seen.find('\x1b') != std::string::npos) tried.effects.emplace_back("repainted the screen");
  tried.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  if (tried.seconds > kLongestSeconds) tried.effects.emplace_back(kHeldUp);
  return tried;
}

}  // namespace nibble::attacks
