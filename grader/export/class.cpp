// Reads every file of a results folder with suspicion: what has a
// part missing is kept apart, with the reason.
#include "export/class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "build/files.hpp"
#include "build/submission_folder.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

namespace fs = std::filesystem;

bool is_result_name(const fs::path& file) {
  static const std::regex pattern("([0-9]{2}_[a-z0-9_]+|results)\\.json");
  return std::regex_match(file.filename().string(), pattern);
}

std::string shown(const fs::path& path) { return text::harmless(path.string()); }

constexpr std::array kStatuses = {"pass",    "part", "fail", "skip", "crash",
                                  "timeout", "rule", "odd",  "error"};

bool is_count(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_number_integer() && object[key] >= 0;
}

bool is_text(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_string();
}

std::string what_is_wrong_with(const Json& check) {
  if (!check.is_object() || !is_text(check, "id")) return "a check has no id";
  const std::string id = check["id"];
  for (const char* const key : {"exercise", "title", "visibility", "detail", "status", "leg"}) {
    if (!is_text(check, key)) return fmt::format("check {} has no {}", id, key);
  }
  if (!is_count(check, "points") || !is_count(check, "max_points")) {
    return fmt::format("check {} has no points", id);
  }
  if (check["points"] > check["max_points"]) return fmt::format("check {} has too many points", id);
  if (std::ranges::count(kStatuses, check["status"].get<std::string>()) == 0) {
    return fmt::format("check {} has a status that is none", id);
  }
  if (check["status"] == "error") return "the grader itself failed in " + id;
  return "";
}

std::string what_is_missing_in(const Json& results) {
  for (const char* const key : {"lab", "verdict", "seed", "started", "nibble"}) {
    if (!is_text(results, key)) return fmt::format("there is no {}", key);
  }
  for (const char* const key : {"points", "max_points"}) {
    if (!is_count(results, key)) return fmt::format("there are no {}", key);
  }
  for (const char* const key : {"hidden", "legs", "manifest"}) {
    if (!results.contains(key) || !results[key].is_object())
      return fmt::format("there is no {}", key);
  }
  const Json& hidden = results["hidden"];
  const bool whole = hidden.contains("run") && hidden["run"].is_boolean() &&
                     is_count(hidden, "max_points") && is_text(results["manifest"], "kit") &&
                     results.contains("seconds") && results["seconds"].is_number() &&
                     results.contains("checks") && results["checks"].is_array();
  return whole ? "" : "a part of it is missing";
}

bool needs(const Json& results, const char* reason) {
  const Json reasons = results.value("needs_look", Json::array());
  return std::ranges::count(reasons, Json(reason)) > 0;
}

Json read_json(const fs::path& file) { return text::json_of(build::read_file(file)); }

/// All values are right, and the part of the points that is paid for speed is still to come.
bool awaits_speed(const Json& results) {
  const Json& legs = results["legs"];
  return legs.contains("speed") && legs["speed"] == "not_run" && results["verdict"] == "pass";
}

/// Reads one file into the class.
void take(Class& all, const std::string& submission, const fs::path& file) {
  const std::string stem = file.stem().string();
  const std::string lab = stem == "results" ? "?" : stem;
  const Json results = read_json(file);
  const std::string why = results.is_object() ? why_no_grade(results)
                                              : "the file is not JSON: it was cut off, or edited";
  if (!why.empty()) {
    const bool named = results.is_object() && is_text(results, "lab");
    all.ungraded.push_back({submission, named ? results["lab"].get<std::string>() : lab, why});
    return;
  }
  std::string student = submission;
  if (results.contains("student")) student = results["student"].value("id", submission);
  all.graded.push_back({submission, student, results});
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

constexpr std::string_view kFault = ".fault.json";

/// An earlier result may still lie beside a fault: it is not what was asked for last.
void take_fault(Class& all, const std::string& submission, const fs::path& file) {
  const std::string name = file.filename().string();
  const Json fault = read_json(file);
  all.ungraded.push_back({submission, name.substr(0, name.size() - kFault.size()),
                          "the grader itself failed: " +
                              (fault.is_object() ? report::text_at(fault, "message") : "")});
}

/// What was not even read. A file that is not there at all was not handed in.
void take_refusals(Class& all, const std::string& submission, const fs::path& file) {
  const Json intake = read_json(file);
  if (!intake.is_object()) return;
  for (const Json& refusal : intake.value("refusals", Json::array())) {
    if (!refusal.is_object() || (refusal.contains("missing") && refusal["missing"] == true))
      continue;
    const std::string lab = report::text_at(refusal, "lab");
    all.ungraded.push_back(
        {submission, lab.empty() ? "?" : lab, "refused: " + report::text_at(refusal, "why"), true});
  }
}

/// Files that were taken in and have no verdict yet: the batch was interrupted.
void take_unfinished(Class& all, const fs::path& folder) {
  if (!fs::is_directory(folder / "submitted")) return;
  for (const fs::path& place : sorted_entries(folder / "submitted")) {
    const std::string lab = place.filename().string();
    if (fs::exists(folder / (lab + ".json")) || fs::exists(folder / (lab + std::string(kFault)))) {
      continue;
    }
    all.ungraded.push_back({build::submission_in(folder.filename().string()), lab,
                            "not graded yet: grade with --resume"});
  }
}

void take_folder(Class& all, const fs::path& folder) {
  const std::string submission = build::submission_in(folder.filename().string());
  for (const fs::path& file : sorted_entries(folder)) {
    const std::string name = file.filename().string();
    if (name == "intake.json") take_refusals(all, submission, file);
    if (name.ends_with(kFault)) take_fault(all, submission, file);
    const fs::path fault = folder / (file.stem().string() + std::string(kFault));
    if (is_result_name(file) && !fs::exists(fault)) take(all, submission, file);
  }
  take_unfinished(all, folder);
}

void refuse_twins(const Class& all) {
  std::set<std::pair<std::string, std::string>> submissions, students;
  for (const Graded& one : all.graded) {
    if (!submissions.insert({one.submission, one.lab()}).second) {
      throw std::invalid_argument(fmt::format("{} has two results on {}: keep one of the files",
                                              one.submission, one.lab()));
    }
    if (!students.insert({one.student, one.lab()}).second) {
      throw std::invalid_argument(
          fmt::format("{} has results on {} in two submissions: keep one of the folders",
                      one.student, one.lab()));
    }
  }
}

}  // namespace

std::string why_no_grade(const Json& results) {
  if (results.value("schema", Json()) != 1) return "it is not of schema 1";
  if (std::string why = what_is_missing_in(results); !why.empty()) return why;
  if (results["verdict"] == "kit_error" || needs(results, "kit_error")) {
    return "the grader itself failed";
  }
  int points = 0, most = 0;
  for (const Json& check : results["checks"]) {
    if (std::string why = what_is_wrong_with(check); !why.empty()) return why;
    points += check["points"].get<int>();
    most += check["max_points"].get<int>();
  }
  if (results["points"] != points) return "its points do not add up";
  if (results["verdict"] != "no_compile" && results["max_points"] != most) {
    return "its max_points do not add up";
  }
  if (awaits_speed(results)) return "its speed was not measured yet: grade again to finish it";
  return "";
}

Class read_class(const fs::path& path) {
  Class all;
  if (fs::is_regular_file(path)) {
    const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
    take(all, build::submission_in(folder.filename().string()), path);
    return all;
  }
  if (!fs::is_directory(path)) {
    throw std::invalid_argument(fmt::format(
        "{} is not there: name a results folder of `nibble teach grade`, or one results file",
        shown(path)));
  }
  for (const fs::path& folder : sorted_entries(path)) {
    const bool ours = folder.filename().string().starts_with('.');  // work in progress
    if (!ours && fs::is_directory(folder)) take_folder(all, folder);
  }
  if (all.graded.empty() && all.ungraded.empty()) {
    throw std::invalid_argument(fmt::format(
        "{} holds no results: `nibble teach grade … -o {}` writes them", shown(path), shown(path)));
  }
  refuse_twins(all);
  return all;
}

std::vector<std::string> Class::labs() const {
  std::set<std::string> names;
  for (const Graded& one : graded) names.insert(one.lab());
  for (const Ungraded& one : ungraded) {
    if (one.lab != "?") names.insert(one.lab);
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> Class::submissions() const {
  std::set<std::string> names;
  for (const Graded& one : graded) names.insert(one.submission);
  for (const Ungraded& one : ungraded) names.insert(one.submission);
  return {names.begin(), names.end()};
}

const Graded* Class::find(std::string_view submission, std::string_view lab) const {
  const auto found = std::ranges::find_if(graded, [&](const Graded& one) {
    return one.submission == submission && one.results["lab"] == lab;
  });
  return found == graded.end() ? nullptr : &*found;
}

int points_possible(const Class& all, std::string_view lab) {
  int most = 0, with_hidden = 0, without = 0;
  for (const Graded& one : all.graded) {
    if (one.results["lab"] != lab) continue;
    const bool compiled = one.results["verdict"] != "no_compile";
    if (compiled) ++(one.results["hidden"]["run"].get<bool>() ? with_hidden : without);
    most = std::max(most, one.results["max_points"].get<int>());
  }
  if (with_hidden > 0 && without > 0) {
    throw std::invalid_argument(fmt::format(
        "{} submissions on {} were graded with hidden checks and {} without: grade them all with "
        "--hidden, or none",
        with_hidden, lab, without));
  }
  return most;
}

std::string choose_lab(const Class& all, const std::string& wanted) {
  const std::vector<std::string> labs = all.labs();
  std::string names;
  for (const std::string& lab : labs) {
    if (lab == wanted || lab.substr(0, 2) == wanted || lab.substr(3) == wanted) return lab;
    names += (names.empty() ? "" : ", ") + lab;
  }
  if (wanted.empty() && labs.size() == 1) return labs.front();
  if (wanted.empty()) throw std::invalid_argument("there are results on " + names + ": say --lab");
  throw std::invalid_argument(fmt::format("there are no results on {}, only on {}", wanted, names));
}

Class only_lab(const Class& all, std::string_view lab) {
  Class part;
  for (const Graded& one : all.graded) {
    if (one.results["lab"] == lab) part.graded.push_back(one);
  }
  for (const Ungraded& one : all.ungraded) {
    if (one.lab == lab || one.lab == "?") part.ungraded.push_back(one);
  }
  return part;
}

}  // namespace nibble::gradebook
