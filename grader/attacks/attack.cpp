// Reads what each attack expects, runs the suite level by
// level, and holds what it got against that.
#include "attacks/attack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "attacks/attack_trial.hpp"
#include "attacks/stage.hpp"
#include "compile/compile.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "lab/not_built.hpp"
#include "lab/on_demand.hpp"
#include "process/ending.hpp"
#include "run/judging.hpp"
#include "run/probe.hpp"
#include "sandbox/control_group.hpp"

namespace nibble::attacks {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

// --- Expectations -------------------------------------------------------------------------------

bool holds(const std::string& expect, const AttackResult& attempt) {
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
  if (first == "ends") return attempt.seconds <= std::stod(second);
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

std::string got_text(const AttackResult& attempt) {
  std::string text = "no compile";
  if (attempt.judged) text = fmt::format("{}/{}", attempt.points, attempt.max_points);
  if (attempt.ratio > 0.0) text += fmt::format(" ratio {:.2f}", attempt.ratio);
  if (attempt.compiled && !attempt.judged) text = "no verdict";
  if (!attempt.first_code.empty()) text += " " + attempt.first_code;
  if (!attempt.effects.empty()) text += "; " + join(attempt.effects, ", ");
  return text;
}

const char* name_of(AttackOutcome outcome) {
  switch (outcome) {
    case AttackOutcome::kRefused:
      return "ok";
    case AttackOutcome::kOpen:
      return "open";
    case AttackOutcome::kFail:
      return "FAIL";
  }
  return "";
}

// --- The command --------------------------------------------------------------------------------

std::vector<Attack> all_attacks(const lab::Kit& kit, const std::vector<std::string>& wanted) {
  std::vector<Attack> attacks;
  const fs::path folder = kit.source / "grader/attacks";  // beside these, the code that judges them
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    const fs::path ending = entry.path().extension();
    if (entry.path().parent_path() == folder || (ending != ".cpp" && ending != ".cu")) continue;
    if (!wanted.empty() && std::ranges::count(wanted, name) == 0) continue;
    attacks.push_back(read_attack(name, files::read_file(entry.path())));
  }
  std::ranges::sort(attacks, {}, &Attack::name);
  return attacks;
}

/// The suite means something only where a right answer is paid in full and a wrong one is not paid.
bool control(const lab::Kit& kit, const Stage& stage, const sandbox::Boxes& boxes,
             const fs::path& work, CompiledAttacks& compiled, bool pays_all) {
  const lab::Lab& lab = kit.lab(stage.lab);
  const fs::path file = pays_all ? compile::published_solution(kit, lab) : kit.source / lab.file();
  const compile::Built built = compiled.get(kit,
                                            {.lab = lab,
                                             .source = files::read_file(file),
                                             .leg = stage.built,
                                             .work = work,
                                             .boxes = boxes},
                                            false);
  const run::Judged judged = run::judge_everything(
      kit,
      {.terms = {.lab = lab.name, .leg = stage.built, .child = built.executable}, .boxes = boxes});
  const int points = judged.has_verdict() ? judged.verdict.points : -1;
  const int all = judged.has_verdict() ? judged.verdict.max_points : 0;
  const bool ok = all > 0 && points == (pays_all ? all : 0);
  fmt::print("{:<22} {:<7} {:<27} {:<44} {}\n", pays_all ? "the solution" : "the starter",
             "control", pays_all ? "all points" : "points 0", fmt::format("{}/{}", points, all),
             ok ? "ok" : "FAIL");
  return ok;
}

using AttacksByLeg = std::map<std::string, std::vector<Attack>>;

struct AttackTally {
  std::map<AttackOutcome, int> outcomes;
  bool controls_hold = true;
};

/// Builds the labs that these attacks are handed in for.
void have_stages_built(const lab::Kit& kit, const AttacksByLeg& by_leg) {
  std::set<std::string> labs;
  for (const auto& [leg, attacks] : by_leg) labs.insert(stage_of(leg).lab);
  std::erase_if(labs, [&](const auto& lab) { return kit.find(lab) == nullptr; });
  lab::have_built(kit, {labs.begin(), labs.end()});
}

/// An attack that fails and gains nothing is tried again, and so is a control: on a machine that is
/// busy with other things, an honest answer may come too late.
constexpr int kMostTries = 3;

/// Tries one attack, and prints a row for each time.
AttackOutcome outcome_in(const lab::Kit& kit, const Attack& attack, const sandbox::Boxes& boxes,
                         const fs::path& work, CompiledAttacks& compiled) {
  AttackOutcome outcome = AttackOutcome::kFail;
  for (int i = 0; i < kMostTries && outcome == AttackOutcome::kFail; ++i) {
    const AttackResult tried = attempt(kit, attack, boxes, work / std::to_string(i), compiled);
    outcome = outcome_of(attack, tried, boxes.run);
    fmt::print("{:<22} {:<7} {:<27} {:<44} {:<5} {:>5.1f}\n", attack.name, attack.rule,
               wants_text(attack), got_text(tried), name_of(outcome), tried.seconds);
    std::fflush(stdout);
    if (has_gained(attack, tried)) break;
  }
  return outcome;
}

/// The attacks of one stage; those of a lab that was not built are not run, which is said.
void run_stage(const lab::Kit& kit, const Stage& stage, const std::vector<Attack>& attacks,
               const sandbox::Boxes& boxes, const fs::path& work, CompiledAttacks& compiled,
               AttackTally& tally) {
  if (attacks.empty()) return;
  if (!lab::why_not_built(kit, stage.lab).empty()) {
    fmt::print("not run: {} attacks on lab {}, which is not built here\n", attacks.size(),
               stage.lab);
    return;
  }
  if (stage.built == protocol::Leg::kSanitizers && boxes.run == sandbox::Level::kStatic) {
    fmt::print("not run: {} attacks under the sanitizers, which link no static programs\n",
               attacks.size());
    return;
  }
  const fs::path controls = work / "controls";
  for (const bool pays_all : {true, false}) {
    bool held = false;
    for (int i = 0; i < kMostTries && !held; ++i)
      held = control(kit, stage, boxes, controls, compiled, pays_all);
    tally.controls_hold &= held;
  }
  for (const Attack& attack : attacks) {
    ++tally.outcomes[outcome_in(kit, attack, boxes, work / attack.name, compiled)];
  }
}

/// The whole suite at one level; true when nothing got through.
/// `sum` becomes its line of the summary.
bool run_level(const lab::Kit& kit, sandbox::Level level, const AttacksByLeg& by_leg,
               const fs::path& work, CompiledAttacks& compiled, std::string& sum) {
  const sandbox::Boxes boxes = run::boxes_for(kit, level);
  fmt::print("\nlevel {}: {}; limits on {}; compilers: {}\n", name_of(level), made_of(level),
             sandbox::limited_by(boxes.groups), made_of(boxes.compile));
  fmt::print("{:<22} {:<7} {:<27} {:<44} {:<5} {:>5}\n", "attack", "rule", "want", "got", "", "s");
  AttackTally tally;
  for (const auto& [leg, attacks] : by_leg) {
    run_stage(kit, stage_of(leg), attacks, boxes, work, compiled, tally);
  }
  const int failed = tally.outcomes[AttackOutcome::kFail];
  const int all =
      failed + tally.outcomes[AttackOutcome::kRefused] + tally.outcomes[AttackOutcome::kOpen];
  sum = fmt::format(
      "level {}: {} attacks: {} refused, {} open (not defended at this level), {} FAIL{}",
      name_of(level), all, tally.outcomes[AttackOutcome::kRefused],
      tally.outcomes[AttackOutcome::kOpen], failed,
      tally.controls_hold ? "" : "; FAIL: a control did not hold");
  if (all == 0) sum += "; FAIL: no attack was run";
  return tally.controls_hold && failed == 0 && all > 0;
}

struct Levels {
  std::vector<sandbox::Level> here;
  std::vector<std::string> lines;  ///< which of those asked for are not, and why
  bool some_missing = false;       ///< of those that were asked for by name
};

/// "best" is the first that works here, "others" are all but that; nothing asked for means all.
Levels levels_to_run(const lab::Kit& kit, const std::vector<std::string>& asked) {
  Levels levels;
  const std::vector<run::LevelHere> found = run::probe_all(kit);
  const sandbox::Level best = run::best_of(found);
  const auto has = [&](std::string_view word) { return std::ranges::count(asked, word) > 0; };
  for (const run::LevelHere& one : found) {
    const bool named = std::ranges::any_of(
        asked, [&](const auto& name) { return sandbox::level_from(name) == one.level; });
    const bool wanted = asked.empty() || named || has(one.level == best ? "best" : "others");
    if (!wanted) continue;
    if (one.works()) {
      levels.here.push_back(one.level);
      continue;
    }
    levels.some_missing |= named;
    levels.lines.push_back(fmt::format("level {}: not run{}: {}", name_of(one.level),
                                       named ? ", FAIL" : "", one.why_not));
  }
  return levels;
}

struct Selection {
  std::vector<std::string> names, levels;
  AttackShare share;  ///< of the attacks of each stage
};

/// What is asked for is not on this machine.
constexpr int kNotHere = 5;

int run_attacks(const lab::Kit& kit, const Selection& wanted) {
  process::adopt_orphans();
  AttacksByLeg by_leg;
  for (Attack& attack : all_attacks(kit, wanted.names)) {
    by_leg[attack.leg].push_back(std::move(attack));
  }
  for (auto& [leg, attacks] : by_leg) attacks = share_of(attacks, wanted.share);
  have_stages_built(kit, by_leg);
  const files::ScratchFolder work(fs::temp_directory_path());
  CompiledAttacks compiled;
  auto [levels, lines, some_missing] = levels_to_run(kit, wanted.levels);
  bool held = !some_missing;
  for (const sandbox::Level level : levels) {
    held &= run_level(kit, level, by_leg, work.path(), compiled, lines.emplace_back());
  }
  fmt::print("\n{}\n", fmt::join(lines, "\n"));
  if (levels.empty()) return kNotHere;
  return held ? 0 : 1;
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
    if (key == "seed") attack.terms.seed = value;
    if (key == "check-limit") attack.terms.check_limit = std::chrono::seconds(std::stoi(value));
    if (key == "call-limit") attack.terms.cpu_limit = std::chrono::milliseconds(std::stoi(value));
    if (key == "budget") attack.terms.budget = std::chrono::seconds(std::stoi(value));
    if (key == "needs") attack.needs_sandbox = value == "sandbox";
    if (key == "open") attack.open_at.push_back(sandbox::level_from(value).value());
  }
  if (attack.tries.empty() || attack.rule.empty() || attack.expects.empty()) {
    throw std::runtime_error("attack " + name +
                             " does not say what it tries, its rule or what is "
                             "expected");
  }
  return attack;
}

AttackOutcome outcome_of(const Attack& attack, const AttackResult& attempt, sandbox::Level level) {
  const bool as_wanted = std::ranges::all_of(
      attack.expects, [&](const std::string& expect) { return holds(expect, attempt); });
  if (as_wanted && attempt.effects.empty()) return AttackOutcome::kRefused;
  const bool is_open = std::ranges::count(attack.open_at, level) > 0 ||
                       (attack.needs_sandbox && level == sandbox::Level::kLimits);
  return is_open ? AttackOutcome::kOpen : AttackOutcome::kFail;
}

bool has_gained(const Attack& attack, const AttackResult& attempt) {
  for (const std::string& effect : attempt.effects) {
    if (effect != kHeldUp) return true;
  }
  AttackResult least = attempt;  // what a clock may have been wrong by is not gained
  least.ratio -= least.margin;
  return std::ranges::any_of(attack.expects, [&](const std::string& expect) {
    const bool is_gain =
        expect.starts_with("points") || (expect.starts_with("ratio") && least.ratio > 0.0);
    return is_gain && attempt.judged && !holds(expect, least);
  });
}

std::optional<AttackShare> share_from(const std::string& text) {
  AttackShare share;
  char slash = 0;
  std::istringstream words(text);
  words >> share.which >> slash >> share.of;
  const bool is_whole = words && words.peek() == std::istringstream::traits_type::eof();
  if (!is_whole || slash != '/' || share.which < 1 || share.which > share.of) return std::nullopt;
  return share;
}

std::vector<Attack> share_of(const std::vector<Attack>& attacks, const AttackShare& share) {
  std::vector<Attack> mine;
  for (std::size_t i = share.which - 1; i < attacks.size(); i += share.of) {
    mine.push_back(attacks[i]);
  }
  return mine;
}

void add_attack_command(CLI::App& teach, const lab::Kit& kit, int& exit_code) {
  auto* const command = teach.add_subcommand("attack", "have submissions that cheat judged");
  const auto wanted = std::make_shared<Selection>();
  command->add_option("name", wanted->names, "only these attacks");
  command
      ->add_option("--level", wanted->levels,
                   "only at this level: L0, L1, LS, L3, best or others (all that are here)")
      ->allow_extra_args(false)
      ->check([](const std::string& name) {
        const bool known = sandbox::level_from(name) || name == "best" || name == "others";
        return known ? "" : "there are L0, L1, LS, L3, best and others, not " + name;
      });
  command->add_option_function<std::string>(
      "--share",
      [wanted](const std::string& text) {
        const auto share = share_from(text);
        if (!share) throw CLI::ValidationError("a share is 1/3, 2/3 or 3/3, not " + text);
        wanted->share = *share;
      },
      "one of several shares of the attacks: 2/3");
  command->callback([&kit, &exit_code, wanted] { exit_code = run_attacks(kit, *wanted); });
}

}  // namespace nibble::attacks
