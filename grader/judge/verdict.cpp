// Each check as JSON: a public one with all that helps, a hidden
// one with nothing that a child has said.
#include "judge/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "judge/run.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::judge {
namespace {

using Json = nlohmann::ordered_json;
using text::harmless;

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
  if (row.mark.when == When::kSpeed) {
    return fmt::format("nibble run {}.{} --leg speed", lab_name().substr(0, 2), row.mark.exercise);
  }
  const bool plain_word = case_name.find_first_of(" '\"$&|;<>()*?[]`\\!#~") == std::string::npos;
  const std::string quoted = plain_word ? case_name : "'" + case_name + "'";
  return fmt::format("nibble run {}.{} --check {}{} --seed {}", lab_name().substr(0, 2),
                     row.mark.exercise, row.mark.check,
                     case_name.empty() ? "" : " --case " + quoted, show_seed(this_run().seed));
}

void tell_diagnosis(Json& check, const Row& row, const FailedCase& failed) {
  const std::string code = failed.failure.code.empty() ? row.mark.code : failed.failure.code;
  if (!code.empty()) check["diagnosis"] = code;
}

/// What a public check tells beyond its status.
void tell(Json& check, const Row& row, const FailedCase& failed) {
  const Failure& failure = failed.failure;
  tell_diagnosis(check, row, failed);
  check["message"] = harmless(failure.message);
  Json first = {{"case", failed.name}};
  if (!failed.shrunk.empty()) first["shrunk"] = failed.shrunk;
  if (failed.steps > 0) first["steps"] = failed.steps;
  if (!failed.input.empty()) first["input"] = harmless(failed.input);
  if (!failure.index.empty()) first["index"] = failure.index;
  if (!failure.got.empty()) first["got"] = harmless(failure.got);
  if (!failure.want.empty()) first["want"] = harmless(failure.want);
  if (const Compared& all = failure.compared; !all.got.empty()) {
    first["compared"] = {
        {"shape", all.shape}, {"got", all.got}, {"want", all.want}, {"wrong", all.wrong}};
  }
  check["first"] = std::move(first);
  if (!failure.tolerance.empty()) check["tolerance"] = failure.tolerance;
  if (!failure.where.empty() && failure.where != "?") check["where"] = failure.where;
  check["replay"] = replay_line(row, failed.name);
}

/// Nothing went wrong: the check passed, in part perhaps, or could not run here.
std::string status_of_pass(const Row& row, const Record& record) {
  if (!record.not_here.empty()) return "skip";
  return record.speed && record.speed->points < row.mark.points ? "part" : "pass";
}

int points_of_pass(const Row& row, const Record& record) {
  if (!record.not_here.empty()) return 0;
  return record.speed ? record.speed->points : row.mark.points;
}

double rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

Json speed_entry(const Speed& speed) {
  const auto rate = [](double amount, double ns) {
    return rounded(amount / std::max(1.0, ns), 1e3);
  };
  Json entry = {{"ratio", rounded(speed.ratio, 1e4)},
                {"margin", rounded(speed.margin, 1e4)},
                {"low", rounded(std::max(0.0, speed.ratio - speed.margin), 1e4)},
                {"high", rounded(speed.ratio + speed.margin, 1e4)},
                {"clock", "child-cpu"},
                {"pairs", speed.pairs},
                {"measurements", speed.measurements},
                {"in_doubt", speed.in_doubt},
                {"zero_at", speed.goal.zero_at},
                {"full_at", speed.goal.full_at},
                {"ns", std::round(speed.submission_ns)},
                {"published_ns", std::round(speed.published_ns)},
                {"operations", speed.goal.operations},
                {"bytes", speed.goal.bytes},
                {"gops", rate(speed.goal.operations, speed.submission_ns)},
                {"published_gops", rate(speed.goal.operations, speed.published_ns)},
                {"isa", std::string(name_of(speed.goal.isa))},
                {"peak_gops", rounded(speed.peak_gops, 1e1)},
                {"read_gbytes", rounded(speed.read_gbytes, 1e2)}};
  return entry;
}

/// Every access of the submission's kernel, counted, with the first request of each as a sample.
Json traffic_entry(const Counted& counted) {
  Json all = Json::array();
  const KernelCounts& got = counted.got;
  for (std::size_t i = 0; i < got.traffic.size(); ++i) {
    const simt::Traffic& t = got.traffic[i];
    const char* const use = t.use == simt::Use::kLoad    ? "load"
                            : t.use == simt::Use::kStore ? "store"
                                                         : "atomic";
    all.push_back({{"line", got.lines[i]},
                   {"subject", harmless(t.subject)},
                   {"space", t.space == simt::Space::kShared ? "shared" : "global"},
                   {"use", use},
                   {"bytes", t.bytes},
                   {"requests", t.requests},
                   {"lanes", t.lanes},
                   {"sectors", t.sectors},
                   {"useful_bytes", t.useful_bytes},
                   {"wavefronts", t.wavefronts},
                   {"ideal_wavefronts", t.ideal_wavefronts},
                   {"sample_lanes", t.sample_lanes},
                   {"sample", t.sample}});
  }
  return all;
}

Json totals_entry(const simt::Totals& t) {
  return {{"launches", t.launches},
          {"blocks", t.blocks},
          {"threads", t.threads},
          {"barriers", t.barriers},
          {"atomics", t.atomics},
          {"dp4a", t.dp4a},
          {"mma", t.mma},
          {"popc", t.popc},
          {"warp_collectives", t.warp_collectives},
          {"steps", t.steps},
          {"active_lanes", t.active_lanes}};
}

/// What a check came to, in the kit's own words and numbers.
Json outline(const Row& row, const Outcome& outcome, const std::string& leg) {
  const std::optional<FailedCase>& failed = outcome.record.failed;
  const bool passed = !failed && outcome.unexplained.empty();
  Json check = check_header(row);
  check["status"] = passed ? status_of_pass(row, outcome.record)
                           : name_of(failed ? failed->failure.status : Status::kFail);
  check["points"] = passed ? points_of_pass(row, outcome.record) : 0;
  check["max_points"] = row.mark.points;
  check["leg"] = leg;
  check["seconds"] = std::round(outcome.seconds * 1e4) / 1e4;
  return check;
}

FailedCase outside_a_case(const Outcome& outcome) {
  return {"only", "", "", 0, {Status::kFail, "", outcome.unexplained, {}, {}, {}, {}}};
}

/// Nothing that a child wrote, said, printed or was asked, and not how long it took: any of it
/// could hold a hidden input.
Json hidden_entry(const Row& row, const Outcome& outcome, const std::string& leg) {
  Json check = outline(row, outcome, leg);
  check["seconds"] = 0;
  const bool failed = outcome.record.failed || !outcome.unexplained.empty();
  if (failed && row.detail == Detail::kKind) {
    tell_diagnosis(check, row, outcome.record.failed.value_or(outside_a_case(outcome)));
  }
  return check;
}

Json public_entry(const Row& row, const Outcome& outcome, const std::string& leg) {
  Json check = outline(row, outcome, leg);
  if (outcome.record.failed || !outcome.unexplained.empty()) {
    tell(check, row, outcome.record.failed.value_or(outside_a_case(outcome)));
  }
  if (outcome.record.speed) check["speed"] = speed_entry(*outcome.record.speed);
  if (outcome.record.counted) {
    check["traffic"] = traffic_entry(*outcome.record.counted);
    check["totals"] = totals_entry(outcome.record.counted->got.totals);
    check["published_totals"] = totals_entry(outcome.record.counted->published.totals);
  }
  if (!outcome.record.not_here.empty()) check["message"] = outcome.record.not_here;
  if (!outcome.output.empty()) check["output"] = harmless(outcome.output);
  for (const ShownCase& shown : outcome.record.shown) {
    check["shown"].push_back({{"case", shown.name},
                              {"input", harmless(shown.input)},
                              {"outcome", harmless(shown.outcome)}});
  }
  return check;
}

Json check_entry(const Row& row, const Outcome& outcome, const std::string& leg) {
  return row.hidden ? hidden_entry(row, outcome, leg) : public_entry(row, outcome, leg);
}

}  // namespace

std::string show_seed(std::uint64_t seed) { return fmt::format("{:#x}", seed); }

std::string scheme_text(const Scheme& scheme) {
  Json lab = {{"lab", scheme.lab}, {"exercises", Json::array()}, {"checks", Json::array()}};
  for (const Row& row : scheme.rows) {
    auto& exercises = lab["exercises"];
    if (std::ranges::find(exercises, Json(row.mark.exercise)) == exercises.end()) {
      exercises.push_back(row.mark.exercise);
    }
    Json check = check_header(row);
    check["max_points"] = row.mark.points;
    check["leg"] = row.mark.when == When::kSpeed ? "speed" : "values";
    check["diagnosis"] = row.mark.code;
    lab["checks"].push_back(std::move(check));
  }
  return text::json_text(lab, 1) + '\n';
}

std::string verdict_text(const Outcomes& outcomes, const std::string& leg) {
  int points = 0, max_points = 0, hidden_points = 0, not_counted = 0;
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
    const std::string status = check["status"];
    const bool good = status == "pass" || status == "part" || status == "skip";
    all_pass = all_pass && good;
    stopped = stopped || (!good && status != "fail");
    if (status == "skip") not_counted += row.mark.points;
  }
  return text::json_text({{"lab", lab_name()},
                          {"verdict", all_pass  ? "pass"
                                      : stopped ? "stopped"
                                                : "fail"},
                          {"exit", all_pass  ? 0
                                   : stopped ? 4
                                             : 1},
                          {"points", points},
                          {"max_points", max_points},
                          {"not_counted", not_counted},
                          {"hidden", {{"run", hidden_ran}, {"max_points", hidden_points}}},
                          {"seed", show_seed(this_run().seed)},
                          {"checks", std::move(checks)}});
}

}  // namespace nibble::judge
