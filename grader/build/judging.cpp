#include "build/judging.hpp"

#include "build/command.hpp"
#include "build/compile.hpp"

namespace nibble::build {

namespace {

/// A backstop: the judge bounds every call and every check. It could only be stopped from outside.
constexpr std::chrono::minutes kLongestJudge{45};

}  // namespace

Judged judge(const Kit& kit, const Trial& trial) {
  Command command;
  command.words = {kit.judge(trial.lab).string(), "--child", trial.child.string()};
  const auto option = [&](const char* name, const std::string& value) {
    if (!value.empty()) command.words.insert(command.words.end(), {name, value});
  };
  option("--exercise", trial.exercise);
  option("--check", trial.check);
  option("--case", trial.only_case);
  option("--seed", trial.seed);
  option("--legs", trial.hidden ? "all" : "");
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
  if (!trial.salt.empty()) command.environment.push_back("NIBBLE_SALT=" + trial.salt);
  command.wall_limit = kLongestJudge;
  command.kept_bytes = std::size_t{16} << 20;
  command.cancelled = trial.cancelled;

  const Finished finished = run(command);
  Judged judged{Judged::Outcome::kKitError, {}, finished.err, finished.seconds};
  if (finished.cancelled) {
    judged.outcome = Judged::Outcome::kCancelled;
  } else if (finished.exit_status == 2) {
    judged.outcome = Judged::Outcome::kUsage;
  } else if (finished.ok()) {
    judged.verdict = nlohmann::ordered_json::parse(finished.out, nullptr, /*throw=*/false);
    if (judged.verdict.is_object()) judged.outcome = Judged::Outcome::kVerdict;
  } else if (finished.timed_out) {
    judged.message += "the judge was stopped: it did not end in time\n";
  } else if (finished.signal != 0) {
    judged.message += "the judge was ended by signal " + std::to_string(finished.signal) + "\n";
  }
  return judged;
}

}  // namespace nibble::build
