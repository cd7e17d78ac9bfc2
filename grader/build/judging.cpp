#include "build/judging.hpp"

#include "build/command.hpp"

namespace nibble::build {

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
  if (trial.leg == Leg::kSanitizers) command.words.emplace_back("--sanitized");
  if (trial.show) command.words.emplace_back("--show");
  if (!trial.salt.empty()) command.environment.push_back("NIBBLE_SALT=" + trial.salt);
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
  } else if (finished.signal != 0) {
    judged.message += "the judge was ended by signal " + std::to_string(finished.signal) + "\n";
  }
  return judged;
}

}  // namespace nibble::build
