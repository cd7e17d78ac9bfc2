// Puts an order into the words that a judge reads, and joins the
// verdicts of public and hidden checks.
#include "build/judging.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "build/command.hpp"
#include "build/compile.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::build {

namespace {

/// A backstop: the judge bounds every call, every check and the whole. It could only be stopped
/// from outside.
constexpr std::chrono::minutes kLongestJudge{45};
constexpr std::chrono::seconds kOverBudget{8};

using Json = nlohmann::ordered_json;

/// The graver of two ends.
void take_verdict(Json& all, const Json& more) {
  constexpr std::array kFromGood = {"pass", "fail", "stopped"};
  const auto gravity = [&](const Json& verdict) {
    return std::ranges::find(kFromGood, verdict.at("verdict").get<std::string>());
  };
  if (gravity(more) <= gravity(all)) return;
  all["verdict"] = more.at("verdict");
  all["exit"] = more.at("exit");
}

void add_checks(Json& all, const Json& hidden) {
  take_verdict(all, hidden);
  for (const char* const sum : {"points", "max_points", "not_counted"}) {
    all[sum] = all.at(sum).get<int>() + hidden.at(sum).get<int>();
  }
  all["hidden"]["run"] = true;
  for (const Json& check : hidden.at("checks")) all["checks"].push_back(check);
}

}  // namespace

Judged judge(const Kit& kit, const Trial& trial) {
  const std::chrono::milliseconds left =
      trial.budget == nullptr ? std::chrono::milliseconds{0} : trial.budget->left();
  Command command;
  command.words = {kit.judge(trial.lab).string(), "--child", trial.child.string()};
  const auto option = [&](const char* name, const std::string& value) {
    if (!value.empty()) command.words.insert(command.words.end(), {name, value});
  };
  option("--exercise", trial.exercise);
  option("--check", trial.check);
  option("--case", trial.only_case);
  option("--seed", trial.seed);
  option("--legs", trial.checks == Checks::kHidden ? "hidden" : "");
  option("--box", std::string(sandbox::name_of(trial.boxes.run)));
  option("--groups", trial.boxes.groups.string());
  if (trial.leg == Leg::kSanitizers) command.words.emplace_back("--sanitized");
  if (trial.on_gpu) {
    command.words.emplace_back("--gpu");
  } else if (is_cuda_lab(trial.lab)) {
    const auto [watched, counted] = companions(trial.child);
    option("--watched", watched.string());
    if (!has_host_code(trial.lab)) {
      option("--counted", counted.string());
      const std::filesystem::path published = counted_solution(kit, trial.lab, trial.boxes.run);
      option("--published-counted", published.string());
      if (published.empty()) option("--count-book", kit.count_book(trial.lab).string());
    }
  }
  if (!trial.published.empty()) {
    command.words.insert(command.words.end(), {"--speed", "--published", trial.published.string()});
  }
  if (trial.count_book) command.words.emplace_back("--write-count-book");
  if (trial.bench) command.words.emplace_back("--bench");
  if (trial.show) command.words.emplace_back("--show");
  const auto limit = [&](const char* name, std::chrono::milliseconds value) {
    if (value.count() > 0) option(name, std::to_string(value.count()));
  };
  limit("--cpu-limit-ms", trial.cpu_limit);
  limit("--wall-limit-ms", trial.wall_limit);
  limit("--check-limit-ms", trial.check_limit);
  if (trial.budget != nullptr) limit("--budget-ms", trial.budget->whole());
  limit("--budget-left-ms", left);
  if (!trial.salt.empty()) command.environment.push_back("NIBBLE_SALT=" + trial.salt);
  command.wall_limit = kLongestJudge;
  // One that has no time to give away starts no submission, and nothing can keep it.
  if (left.count() > 0) {
    command.wall_limit = std::chrono::ceil<std::chrono::seconds>(left) + kOverBudget;
  }
  command.kept_bytes = std::size_t{16} << 20;
  command.cancelled = trial.cancelled;

  const Finished finished = [&] {
    const Budget::Spending spending(trial.budget);
    return run(command);
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
    judged.verdict = text::json_of(finished.out);
    if (judged.verdict.is_object()) judged.outcome = Judged::Outcome::kVerdict;
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
  if (all.outcome == Outcome::kVerdict && hidden.outcome == Outcome::kVerdict) {
    add_checks(all.verdict, hidden.verdict);
    all.seconds = hidden.seconds;
  } else if (hidden.outcome != Outcome::kUsage) {
    all = std::move(hidden);
  }
}

Trial hidden_of(Trial trial, const Judged& so_far) {
  trial.checks = Checks::kHidden;
  if (so_far.outcome == Judged::Outcome::kVerdict) trial.seed = so_far.verdict.at("seed");
  return trial;
}

Judged judge_everything(const Kit& kit, const Trial& trial) {
  Judged all = judge(kit, trial);
  const bool broke =
      all.outcome == Judged::Outcome::kKitError || all.outcome == Judged::Outcome::kCancelled;
  if (!broke) add_hidden(all, judge(kit, hidden_of(trial, all)));
  return all;
}

}  // namespace nibble::build
