// Reads every file of a results folder with suspicion: what has a
// part missing is kept apart, with the reason.
#include "export/class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <stdexcept>

#include "export/composed.hpp"
#include "files/files.hpp"
#include "files/in_shares.hpp"
#include "files/submission_folder.hpp"
#include "record/codec.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_result_name(const fs::path& file) {
  static const std::regex pattern("([0-9]{2}_[a-z0-9_]+|results)\\.json");
  return std::regex_match(file.filename().string(), pattern);
}

std::string shown(const fs::path& path) { return text::harmless(path.string()); }

Json read_json(const fs::path& file) { return text::json_of(files::read_file(file)); }

std::string submission_in(const fs::path& folder) {
  return composed(files::submission_in(folder.filename().string()));
}

record::HandIn hand_in_of(const Json& noted) {
  record::HandIn one;
  if (!noted.is_object()) return one;
  one.at = text::moment_of(text::text_at(noted, "at"));
  const std::string source = text::text_at(noted, "source");
  for (std::size_t i = 0; one.at && i < record::kTimeSourceNames.size(); ++i) {
    if (source == record::kTimeSourceNames.at(i)) one.source = static_cast<record::TimeSource>(i);
  }
  one.is_called_late = noted.contains("late") && noted["late"] == true;
  return one;
}

/// Whom the course system knows them as: in this lab, where that was noted.
std::string user_in(const Json& intake, const std::string& lab) {
  const Json users = intake.value("users", Json::object());
  const std::string own = users.is_object() ? text::text_at(users, lab.c_str()) : "";
  return own.empty() ? text::text_at(intake, "user") : own;
}

/// What the intake noted of the files that it took: whose they are, when they came, and from which
/// handout.
void take_notes(Graded& one, const Json& intake) {
  one.user = user_in(intake, one.lab());
  const Json times = intake.value("handed_in", Json::object());
  if (!times.is_object() || !times.contains(one.lab())) return;
  const Json& noted = times[one.lab()];
  one.handed_in = hand_in_of(noted);
  if (noted.is_object()) one.handout = text::text_at(noted, "handout");
}

/// Reads one file into the class.
void take(Class& all, const std::string& submission, const fs::path& file) {
  const std::string stem = file.stem().string();
  std::string lab = stem == "results" ? "?" : stem, why;
  try {
    Result results = record::read_result(files::read_file(file));
    why = why_no_grade(results);
    if (why.empty()) {
      all.graded.push_back({submission,
                            results.student ? composed(results.student->id) : submission,
                            std::move(results)});
      return;
    }
    lab = results.lab;
  } catch (const std::invalid_argument& error) {
    why = fmt::format("{}: the file was cut off, or edited", error.what());
  }
  all.ungraded.push_back({submission, lab, why});
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
  all.ungraded.push_back(
      {submission, name.substr(0, name.size() - kFault.size()),
       "the grader itself failed: " + (fault.is_object() ? text::text_at(fault, "message") : "")});
}

/// What was not even read. A file that is not there at all was not handed in.
void take_refusals(Class& all, const std::string& submission, const Json& intake) {
  for (const Json& refusal : intake.value("refusals", Json::array())) {
    if (!refusal.is_object() || (refusal.contains("missing") && refusal["missing"] == true))
      continue;
    std::string lab = text::text_at(refusal, "lab");
    const Json labs = refusal.value("labs", Json::array());
    if (lab.empty() && labs.size() == 1 && labs[0].is_string()) lab = labs[0].get<std::string>();
    all.ungraded.push_back(
        {submission, lab.empty() ? "?" : lab, "refused: " + text::text_at(refusal, "why"), true});
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
    all.ungraded.push_back({submission_in(folder), lab, "not graded yet: grade with --resume"});
  }
}

/// A batch keeps what it graded before another file of the lab came.
void take_attempts(Class& all, const std::string& submission, const fs::path& folder) {
  if (!fs::is_directory(folder)) return;
  for (const fs::path& lab : sorted_entries(folder)) {
    if (!fs::is_directory(lab)) continue;
    for (const fs::path& file : sorted_entries(lab)) {
      const Json attempt = read_json(file);
      if (!attempt.is_object() || !attempt.contains("result")) continue;
      try {
        const Result results = record::read_result(text::json_text(attempt["result"]));
        if (!why_no_grade(results).empty()) continue;
        all.attempts.push_back({submission, submission, results});
        all.attempts.back().handed_in = hand_in_of(attempt.value("handed_in", Json()));
      } catch (const std::invalid_argument&) {
        continue;  // no grade of today's hangs on it
      }
    }
  }
}

void take_folder(Class& all, const fs::path& folder) {
  const std::string submission = submission_in(folder);
  const std::size_t graded = all.graded.size(), ungraded = all.ungraded.size();
  for (const fs::path& file : sorted_entries(folder)) {
    const std::string name = file.filename().string();
    if (name.ends_with(kFault)) take_fault(all, submission, file);
    const fs::path fault = folder / (file.stem().string() + std::string(kFault));
    if (is_result_name(file) && !fs::exists(fault)) take(all, submission, file);
  }
  const Json intake =
      fs::exists(folder / "intake.json") ? read_json(folder / "intake.json") : Json();
  if (intake.is_object()) take_refusals(all, submission, intake);
  take_unfinished(all, folder);
  const std::size_t attempts = all.attempts.size();
  take_attempts(all, submission, folder / "attempts");
  if (!intake.is_object()) return;
  const Json entries = intake.value("entries", Json::object());
  for (const auto& [lab, entry] : entries.items()) {
    if (entry.is_string()) all.entries[{submission, lab}] = entry.get<std::string>();
  }
  for (std::size_t i = attempts; i < all.attempts.size(); ++i) {
    all.attempts[i].user = user_in(intake, all.attempts[i].lab());
  }
  for (std::size_t i = graded; i < all.graded.size(); ++i) take_notes(all.graded[i], intake);
  for (std::size_t i = ungraded; i < all.ungraded.size(); ++i) {
    all.ungraded[i].user = user_in(intake, all.ungraded[i].lab);
  }
}

/// What `more` has, behind what is there.
void append(Class& all, Class more) {
  const auto move_all = [](auto& from, auto& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  move_all(more.graded, all.graded);
  move_all(more.ungraded, all.ungraded);
  move_all(more.attempts, all.attempts);
  all.entries.merge(more.entries);
}

Class read_folders(std::span<const fs::path> folders) {
  Class all;
  for (const fs::path& folder : folders) take_folder(all, folder);
  return all;
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

std::string why_not_taken(const fs::path& folder, const std::string& lab) {
  const fs::path file = folder / "intake.json";
  const Json intake = fs::is_regular_file(file) ? read_json(file) : Json();
  if (!intake.is_object()) return "";
  for (const Json& refusal : intake.value("refusals", Json::array())) {
    if (!refusal.is_object()) continue;
    const std::string of = text::text_at(refusal, "lab");
    if (of.empty() || of == lab) return text::text_at(refusal, "why");
  }
  return "";
}

std::string why_no_grade(const Result& results) {
  if (const std::string why = record::why_no_verdict(results); !why.empty()) return why;
  if (awaits_speed(results)) return "its speed was not measured yet: grade again to finish it";
  return "";
}

Class read_class(const fs::path& path) {
  Class all;
  if (fs::is_regular_file(path)) {
    const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
    take(all, submission_in(folder), path);
    return all;
  }
  if (!fs::is_directory(path)) {
    throw std::invalid_argument(fmt::format(
        "{} is not there: name a results folder of `nibble teach grade`, or one results file",
        shown(path)));
  }
  std::vector<fs::path> folders = sorted_entries(path);
  std::erase_if(folders, [](const fs::path& folder) {
    const bool ours = folder.filename().string().starts_with('.');  // work in progress
    return ours || !fs::is_directory(folder);
  });
  for (Class& part : files::in_shares(folders, read_folders)) append(all, std::move(part));
  refuse_twins(all);
  return all;
}

std::string Graded::left_out_words() const {
  if (left_out == 0) return "";
  return left_out == 1 ? "a later attempt does not count"
                       : fmt::format("{} later attempts do not count", left_out);
}

std::string GivenPart::shown() const {
  if (!points) return fmt::format("{} ({} points) is outstanding", part.title, part.points);
  return fmt::format("{} {} of {}{}{}", part.title, *points, part.points, words.empty() ? "" : ", ",
                     words);
}

int Graded::manual_points() const {
  int sum = 0;
  for (const GivenPart& one : parts) sum += one.points.value_or(0);
  return sum;
}

std::string Graded::parts_words() const {
  if (parts.empty() && !from_checks) return "";
  std::string words = fmt::format("checks {}", check_points());
  for (const GivenPart& one : parts) words += ", " + one.shown();
  return words;
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

std::map<std::string, std::string> Class::users() const {
  std::map<std::string, std::string> users;
  for (const Ungraded& one : ungraded) users[one.submission] = one.user;
  for (const Graded& one : graded) users[one.student] = one.user;
  return users;
}

std::vector<const Graded*> Class::with_points() const {
  std::vector<const Graded*> some;
  for (const std::vector<Graded>* const list : {&graded, &without_file}) {
    for (const Graded& one : *list) some.push_back(&one);
  }
  return some;
}

std::vector<OutstandingPart> Class::outstanding_parts() const {
  std::vector<OutstandingPart> outstanding;
  for (const auto& [lab, of_lab] : parts) {
    for (std::size_t i = 0; i < of_lab.manual.size(); ++i) {
      OutstandingPart part{lab, of_lab.manual[i], {}};
      for (const Graded& one : graded) {
        const bool is_settled = one.by_hand && one.by_hand->replaces;
        if (one.lab() != lab || is_settled || one.parts[i].points) continue;
        part.students.push_back(one.student);
      }
      if (!part.students.empty()) outstanding.push_back(std::move(part));
    }
  }
  return outstanding;
}

int check_points_possible(const Class& all, std::string_view lab) {
  int most = 0, with_hidden = 0, without = 0;
  for (const Graded& one : all.graded) {
    if (one.lab() != lab) continue;
    if (one.results.compiles()) ++(one.results.hidden.run ? with_hidden : without);
    most = std::max(most, one.results.max_points);
  }
  if (with_hidden > 0 && without > 0) {
    throw std::invalid_argument(fmt::format(
        "{} submissions on {} were graded with hidden checks and {} without: grade them all with "
        "--hidden, or none",
        with_hidden, lab, without));
  }
  return most;
}

int points_possible(const Class& all, std::string_view lab) {
  const int checks = check_points_possible(all, lab);
  const auto found = all.parts.find(std::string(lab));
  if (found == all.parts.end() || (checks == 0 && !found->second.checks)) return checks;
  int sum = found->second.checks.value_or(checks);
  for (const ManualPart& part : found->second.manual) sum += part.points;
  return sum;
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
  part.parts = all.parts;
  part.entries = all.entries;
  for (const Graded& one : all.graded) {
    if (one.lab() == lab) part.graded.push_back(one);
  }
  for (const Graded& one : all.without_file) {
    if (one.lab() == lab) part.without_file.push_back(one);
  }
  for (const Ungraded& one : all.ungraded) {
    if (one.lab == lab || one.lab == "?") part.ungraded.push_back(one);
  }
  return part;
}

}  // namespace nibble::gradebook
