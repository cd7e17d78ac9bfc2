#include "judge/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/run.hpp"
#include "report/harmless.hpp"

namespace nibble::judge {
namespace {

using Json = nlohmann::ordered_json;
using report::harmless;

std::string id_of(const Row& row) {
  return fmt::format("{}.{}", row.mark.exercise, row.mark.check);
}

std::string name_of_detail(Detail detail) {
  switch (detail) {
    case Detail::kFull:
      return "full";
    case Detail::kKind:
      return "kind";
    case Detail::kScore:
      return "score";
  }
  return "none";
}

Json check_header(const Row& row) {
  return {{"id", row.mark.check},
          {"exercise", row.mark.exercise},
          {"title", row.mark.sentence},
          {"visibility", row.hidden ? "hidden" : "public"},
          {"detail", name_of_detail(row.detail)}};
}

/// A check that was not run, because another has to pass first, has no case.
std::string replay_line(const Row& row, const std::string& case_name) {
  const bool plain_word = case_name.find_first_of(" '\"$&|;<>()*?[]`\\!#~") == std::string::npos;
  const std::string quoted = plain_word ? case_name : "'" + case_name + "'";
  return fmt::format("nibble run {}.{} --check {}{} --seed {}", lab_name().substr(0, 2),
                     row.mark.exercise, row.mark.check,
                     case_name.empty() ? "" : " --case " + quoted, show_seed(this_run().seed));
}

/// What a check may tell beyond its status: a hidden one never shows values.
void tell(Json& check, const Row& row, const FailedCase& failed) {
  const Failure& failure = failed.failure;
  if (row.detail == Detail::kScore) return;
  const std::string code = failure.code.empty() ? row.mark.code : failure.code;
  if (!code.empty()) check["diagnosis"] = code;
  if (row.detail != Detail::kFull) return;
  check["message"] = harmless(failure.message);
  Json first = {{"case", failed.name}};
  if (!failed.shrunk.empty()) first["shrunk"] = failed.shrunk;
  if (failed.steps > 0) first["steps"] = failed.steps;
  if (!failed.input.empty()) first["input"] = harmless(failed.input);
  if (!failure.index.empty()) first["index"] = failure.index;
  if (!failure.got.empty()) first["got"] = harmless(failure.got);
  if (!failure.want.empty()) first["want"] = harmless(failure.want);
  check["first"] = std::move(first);
  if (!failure.tolerance.empty()) check["tolerance"] = failure.tolerance;
  check["replay"] = replay_line(row, failed.name);
}

Json check_entry(const Row& row, const Outcome& outcome, const std::string& leg) {
  const std::optional<FailedCase>& failed = outcome.record.failed;
  const bool passed = !failed && outcome.unexplained.empty();
  Json check = check_header(row);
  check["status"] = passed ? "pass" : name_of(failed ? failed->failure.status : Status::kFail);
  check["points"] = passed ? row.mark.points : 0;
  check["max_points"] = row.mark.points;
  check["leg"] = leg;
  check["seconds"] = std::round(outcome.seconds * 1e4) / 1e4;
  if (failed) {
    tell(check, row, *failed);
  } else if (!passed) {
    tell(check, row, {"only", "", "", 0, {Status::kFail, "", outcome.unexplained, {}, {}, {}, {}}});
  }
  // Output of a hidden check could hold its inputs.
  if (row.detail == Detail::kFull && !outcome.output.empty()) {
    check["output"] = harmless(outcome.output);
  }
  if (!outcome.record.shown.empty() && row.detail == Detail::kFull) {
    for (const ShownCase& shown : outcome.record.shown) {
      check["shown"].push_back({{"case", shown.name},
                                {"input", harmless(shown.input)},
                                {"outcome", harmless(shown.outcome)}});
    }
  }
  return check;
}

}  // namespace

std::string show_seed(std::uint64_t seed) { return fmt::format("{:#x}", seed); }

Json describe_lab() {
  Json lab = {{"lab", lab_name()}, {"exercises", Json::array()}, {"checks", Json::array()}};
  for (const Row& row : all_rows()) {
    auto& exercises = lab["exercises"];
    if (std::ranges::find(exercises, Json(row.mark.exercise)) == exercises.end()) {
      exercises.push_back(row.mark.exercise);
    }
    Json check = check_header(row);
    check["max_points"] = row.mark.points;
    check["diagnosis"] = row.mark.code;
    lab["checks"].push_back(std::move(check));
  }
  return lab;
}

Json verdict_of(const Outcomes& outcomes, const std::string& leg) {
  int points = 0, max_points = 0, hidden_points = 0;
  bool hidden_ran = false, all_pass = true, stopped = false;
  Json checks = Json::array();
  for (const Row& row : all_rows()) {
    if (row.hidden) hidden_points += row.mark.points;
    const auto found = outcomes.find(id_of(row));
    if (found == outcomes.end()) continue;
    checks.push_back(check_entry(row, found->second, leg));
    const Json& check = checks.back();
    points += check["points"].get<int>();
    max_points += row.mark.points;
    hidden_ran = hidden_ran || row.hidden;
    all_pass = all_pass && check["status"] == "pass";
    stopped = stopped || (check["status"] != "pass" && check["status"] != "fail");
  }
  return {{"lab", lab_name()},
          {"verdict", all_pass  ? "pass"
                      : stopped ? "stopped"
                                : "fail"},
          {"exit", all_pass  ? 0
                   : stopped ? 4
                             : 1},
          {"points", points},
          {"max_points", max_points},
          {"hidden", {{"run", hidden_ran}, {"max_points", hidden_points}}},
          {"seed", show_seed(this_run().seed)},
          {"checks", std::move(checks)}};
}

}  // namespace nibble::judge
