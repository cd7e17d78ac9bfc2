#include "teach/attack.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "build/judging.hpp"
#include "teach/stage.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// No attack may hold up the grader any longer than this.
constexpr double kLongestSeconds = 60.0;

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
      files[entry.path().filename().string()] = build::read_file(entry.path());
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
#ifdef __linux__
  const std::string list = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  const auto give_up = steady_clock::now() + 5s;
  while (steady_clock::now() < give_up) {
    std::ifstream file(list);
    const std::vector<pid_t> pids{std::istream_iterator<pid_t>(file), {}};
    if (pids.empty()) break;
    for (const pid_t pid : pids) {
      if (waitpid(pid, nullptr, WNOHANG) == 0) ++count;  // it lives
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
#endif
  return count;
}

std::string first_code_of(const nlohmann::ordered_json& verdict) {
  for (const auto& check : verdict["checks"]) {
    if (check["status"] != "pass") return check.value("diagnosis", "none");
  }
  return "";
}

// --- Expectations -------------------------------------------------------------------------------

bool holds(const std::string& expect, const Attempt& attempt) {
  std::istringstream words(expect);
  std::string first, second;
  words >> first >> second;
  if (first == "no_compile") return !attempt.compiled;
  if (first == "says") return attempt.diagnostics.find(expect.substr(5)) != std::string::npos;
  if (!attempt.judged) return false;
  if (first == "honest") return attempt.points == attempt.max_points;
  if (first == "first") return attempt.first_code == second;
  if (first == "ratio" && second == "<=") {
    double most = 0.0;
    words >> most;
    return attempt.ratio > 0.0 && attempt.ratio <= most;
  }
  if (first == "points" && second == "<=") {
    int most = -1;
    words >> most;
    return attempt.points <= most;
  }
  if (first == "points") return attempt.points == std::stoi(second);
  throw std::runtime_error("not an expectation: " + expect);
}

std::string join(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

/// As the table has room for it: without the words that must be said.
std::string wants_text(const Attack& attack) {
  std::vector<std::string> wants = attack.expects;
  std::erase_if(wants, [](const std::string& expect) { return expect.starts_with("says "); });
  return join(wants, ", ");
}

std::string got_text(const Attempt& attempt) {
  std::string text = "no compile";
  if (attempt.judged) text = fmt::format("{}/{}", attempt.points, attempt.max_points);
  if (attempt.ratio > 0.0) text += fmt::format(" ratio {:.2f}", attempt.ratio);
  if (attempt.compiled && !attempt.judged) text = "no verdict";
  if (!attempt.first_code.empty()) text += " " + attempt.first_code;
  if (!attempt.effects.empty()) text += "; " + join(attempt.effects, ", ");
  return text;
}

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRefused:
      return "ok";
    case Outcome::kOpen:
      return "open";
    case Outcome::kFail:
      return "FAIL";
  }
  return "";
}

// --- The command --------------------------------------------------------------------------------

/// A folder under the system's own for such things; removed in the end.
class Workplace {
 public:
  Workplace() : folder_(fs::temp_directory_path() / fmt::format("nibble-attack-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

std::vector<Attack> all_attacks(const build::Kit& kit, const std::vector<std::string>& wanted) {
  std::vector<Attack> attacks;
  for (const auto& entry : fs::recursive_directory_iterator(kit.source / "grader/tests/attacks")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".cu") continue;
    if (!wanted.empty() && std::ranges::count(wanted, name) == 0) continue;
    attacks.push_back(read_attack(name, build::read_file(entry.path())));
  }
  std::ranges::sort(attacks, {}, &Attack::name);
  return attacks;
}

/// The suite means something only where a right answer is paid in full and a wrong one is not paid.
bool control(const build::Kit& kit, const char* lab, const fs::path& work, bool pays_all) {
  const fs::path file = pays_all ? build::published_solution(kit, lab)
                                 : kit.source / "labs" / lab / build::source_name(lab).filename();
  const build::Built built =
      build::compile_child(kit, {.lab = lab, .source = build::read_file(file), .work = work});
  const build::Judged judged =
      build::judge(kit, {.lab = lab, .child = built.executable, .hidden = true});
  const bool has_verdict = judged.outcome == build::Judged::Outcome::kVerdict;
  const int points = has_verdict ? judged.verdict["points"].get<int>() : -1;
  const int all = has_verdict ? judged.verdict["max_points"].get<int>() : 0;
  const bool ok = all > 0 && points == (pays_all ? all : 0);
  fmt::print("{:<22} {:<7} {:<27} {:<44} {}\n", pays_all ? "the solution" : "the starter",
             "control", pays_all ? "all points" : "points 0", fmt::format("{}/{}", points, all),
             ok ? "ok" : "FAIL");
  return ok;
}

struct AttackTally {
  std::map<Outcome, int> outcomes;
  bool controls_hold = true;
};

/// The attacks of one stage; those of a lab that was not built are not run, which is said.
void run_stage(const build::Kit& kit, const Stage& stage, const std::vector<Attack>& attacks,
               const fs::path& work, AttackTally& tally) {
  if (attacks.empty()) return;
  if (std::ranges::count(build::all_labs(kit), stage.lab) == 0) {
    fmt::print("not run: {} attacks on lab {}, which is not built here\n", attacks.size(),
               stage.lab);
    return;
  }
  tally.controls_hold &= control(kit, stage.lab, work / stage.lab / "right", true);
  tally.controls_hold &= control(kit, stage.lab, work / stage.lab / "wrong", false);
  for (const Attack& attack : attacks) {
    const Attempt tried = attempt(kit, attack, work / attack.name);
    const Outcome outcome = outcome_of(attack, tried);
    ++tally.outcomes[outcome];
    fmt::print("{:<22} {:<7} {:<27} {:<44} {:<5} {:>5.1f}\n", attack.name, attack.rule,
               wants_text(attack), got_text(tried), name_of(outcome), tried.seconds);
    std::fflush(stdout);
  }
}

int run_attacks(const build::Kit& kit, const std::vector<std::string>& wanted) {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
  const Workplace work;
  std::map<std::string, std::vector<Attack>> by_leg;
  for (Attack& attack : all_attacks(kit, wanted)) {
    by_leg[attack.leg].push_back(std::move(attack));
  }
  AttackTally tally;
  fmt::print("{:<22} {:<7} {:<27} {:<44} {:<5} {:>5}\n", "attack", "rule", "want", "got", "", "s");
  for (const auto& [leg, attacks] : by_leg) {
    run_stage(kit, stage_of(leg), attacks, work.folder(), tally);
  }
  const int failed = tally.outcomes[Outcome::kFail];
  const int all = failed + tally.outcomes[Outcome::kRefused] + tally.outcomes[Outcome::kOpen];
  fmt::print("{} attacks: {} refused, {} open (not defended without a sandbox), {} FAIL\n", all,
             tally.outcomes[Outcome::kRefused], tally.outcomes[Outcome::kOpen], failed);
  if (all == 0) fmt::print("FAIL: no attack was run\n");
  return tally.controls_hold && failed == 0 && all > 0 ? 0 : 1;
}

}  // namespace

Attack read_attack(const std::string& name, const std::string& text) {
  Attack attack{name, "", "", text, {}, false, "plain"};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || colon < 3) continue;
    const std::string key = line.substr(3, colon - 3), value = line.substr(colon + 2);
    if (key == "attack") attack.tries = value;
    if (key == "rule") attack.rule = value;
    if (key == "expect") attack.expects.push_back(value);
    if (key == "leg") attack.leg = value;
    if (key == "needs") attack.needs_sandbox = value == "sandbox";
  }
  if (attack.tries.empty() || attack.rule.empty() || attack.expects.empty()) {
    throw std::runtime_error("attack " + name +
                             " does not say what it tries, its rule or what is "
                             "expected");
  }
  return attack;
}

namespace {

build::Trial trial_of(const build::Kit& kit, const Stage& stage, const fs::path& child,
                      const fs::path& work) {
  build::Trial trial{.lab = stage.lab,
                     .child = child,
                     .exercise = stage.exercise,
                     .hidden = true,
                     .cpu_limit = stage.cpu_limit,
                     .wall_limit = stage.wall_limit};
  if (stage.timed) {
    const std::string solution = build::read_file(build::published_solution(kit, stage.lab));
    trial.published =
        compile_child(kit, {.lab = stage.lab, .source = solution, .work = work / "published"})
            .executable;
  }
  return trial;
}

}  // namespace

Attempt attempt(const build::Kit& kit, const Attack& attack, const fs::path& work) {
  const auto start = steady_clock::now();
  const Secrets secrets(work / "secrets");
  const Stage& stage = stage_of(attack.leg);
  Attempt tried;
  const build::Built built =
      build::compile_child(kit, {.lab = stage.lab,
                                 .source = source_of(kit, stage, attack.source, secrets.folder()),
                                 .work = work,
                                 .cpu_limit = 4s});
  end_left_behind();  // some linkers go on tidying up after they have ended
  tried.compiled = built.ok;
  tried.diagnostics = built.diagnostics;
  std::string seen = built.diagnostics;
  if (built.ok) {
    const build::Judged judged = build::judge(kit, trial_of(kit, stage, built.executable, work));
    tried.judged = judged.outcome == build::Judged::Outcome::kVerdict;
    seen += judged.verdict.dump() + judged.message;
    if (tried.judged) {
      tried.points = judged.verdict["points"].get<int>();
      tried.max_points = judged.verdict["max_points"].get<int>();
      tried.first_code = first_code_of(judged.verdict);
      const auto& first = judged.verdict["checks"].front();
      if (first.contains("speed")) tried.ratio = first["speed"]["ratio"];
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
  if (tried.seconds > kLongestSeconds) tried.effects.emplace_back("held up the grader");
  return tried;
}

Outcome outcome_of(const Attack& attack, const Attempt& attempt) {
  const bool as_wanted = std::ranges::all_of(
      attack.expects, [&](const std::string& expect) { return holds(expect, attempt); });
  if (as_wanted && attempt.effects.empty()) return Outcome::kRefused;
  return attack.needs_sandbox ? Outcome::kOpen : Outcome::kFail;
}

void add_attack_command(CLI::App& teach, const build::Kit& kit, int& exit_code) {
  auto* const command = teach.add_subcommand("attack", "have submissions that cheat judged");
  const auto wanted = std::make_shared<std::vector<std::string>>();
  command->add_option("name", *wanted, "only these attacks");
  command->callback([&kit, &exit_code, wanted] { exit_code = run_attacks(kit, *wanted); });
}

}  // namespace nibble::teach
