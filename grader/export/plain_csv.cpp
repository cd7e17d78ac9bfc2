// One table of everything, in nbgrader's order of columns, for spreadsheets and scripts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "export/csv.hpp"
#include "export/formats.hpp"

namespace nibble::gradebook {
namespace {

/// "plain+sanitizers": what was run.
std::string legs_of(const record::Legs& legs) {
  using record::LegState;
  std::vector<std::string> names;
  if (legs.plain == LegState::kRan) names.emplace_back("plain");
  if (legs.sanitizers == LegState::kRan) names.emplace_back("sanitizers");
  if (legs.speed == LegState::kRan) names.emplace_back("speed");
  if (legs.simt == LegState::kRan) names.emplace_back("simt");
  if (legs.gpu == LegState::kRan) names.emplace_back("gpu");
  if (legs.gpu_sanitizer == LegState::kRan) names.emplace_back("gpu_sanitizer");
  return fmt::format("{}", fmt::join(names, "+"));
}

/// Of one lab, what stands before its points.
std::vector<std::string> row_of(const Class& all, const std::string& lab, const Person& person) {
  const auto due = all.due.find(lab);
  return {lab,
          due == all.due.end() ? "" : due->second,
          "",
          person.listed_id(),
          person.last_name,
          person.first_name,
          person.email};
}

void append(std::vector<std::string>& row, std::vector<std::string> cells) {
  row.insert(row.end(), cells.begin(), cells.end());
}

Person person_of(const std::vector<Person>& roster, const std::string& id) {
  const Person* const known = find_person(roster, id);
  return known != nullptr ? *known : Person{.id = id};
}

/// When it came, and who says so.
std::pair<std::string, std::string> time_of(const Graded& one) {
  if (one.handed_in.at) {
    return {text::stamp(*one.handed_in.at), record::name_of(one.handed_in.source)};
  }
  if (one.results.student) return {one.results.student->submitted, "result"};
  return {};
}

/// Of a lab that is more than its checks, what came of each part; else empty cells.
std::vector<std::string> parts_of(const Graded& one) {
  const std::string words = one.parts_words();
  if (words.empty()) return {"", "", ""};
  const bool has_manual = std::ranges::any_of(
      one.parts, [](const GivenPart& given) { return given.points.has_value(); });
  return {std::to_string(one.check_points()), has_manual ? std::to_string(one.manual_points()) : "",
          words};
}

/// Without a course no due date is known and nothing is taken off.
std::string graded_row(const Class& all, const Graded& one, const Person& person, int possible) {
  const Result& results = one.results;
  const auto [time, source] = time_of(one);
  std::vector<std::string> row = row_of(all, one.lab(), person);
  if (!one.late.due.empty()) row[1] = one.late.due;
  row[2] = time;
  append(row, {std::to_string(one.raw_points()), std::to_string(one.late.taken_off),
               std::to_string(one.points()), std::to_string(possible), results.seed,
               results.manifest.kit, legs_of(results.legs),
               fmt::format("{}", fmt::join(results.needs_look, "+")), source,
               one.by_hand ? one.by_hand->words : ""});
  append(row, parts_of(one));
  return csv_row(row);
}

/// Of somebody who handed in nothing, and was given points.
std::string manual_row(const Class& all, const Graded& one, const Person& person, int possible) {
  std::vector<std::string> row = row_of(all, one.lab(), person);
  append(row, {"", "", std::to_string(one.points()), std::to_string(possible), "", "", "", "", "",
               one.by_hand ? one.by_hand->words : ""});
  append(row, parts_of(one));
  return csv_row(row);
}

bool is_graded(const Class& all, const std::string& student, const std::string& lab) {
  return std::ranges::any_of(all.graded, [&](const Graded& one) {
    return one.lab() == lab && (one.student == student || one.submission == student);
  });
}

/// What was refused as a whole is refused for each lab in which nothing else of it counts.
bool stands_in(const Class& all, const Ungraded& one, const std::string& lab) {
  if (one.lab != "?") return one.lab == lab;
  return !is_graded(all, one.submission, lab) &&
         std::ranges::none_of(all.ungraded, [&](const Ungraded& other) {
           return other.submission == one.submission && other.lab == lab;
         });
}

bool handed_in(const Class& all, const std::string& student, const std::string& lab) {
  return is_graded(all, student, lab) ||
         std::ranges::any_of(all.ungraded, [&](const Ungraded& one) {
           return one.submission == student && (one.lab == lab || one.lab == "?");
         });
}

/// Of a person, and without a file.
bool has_points_alone(const Class& all, const std::string& student, const std::string& lab) {
  return std::ranges::any_of(all.without_file, [&](const Graded& one) {
    return one.student == student && one.lab() == lab;
  });
}

/// Where everything was refused, a table without a lab's name is better than none.
std::vector<std::string> labs_of(const Class& all) {
  const std::vector<std::string> labs = all.labs();
  return labs.empty() ? std::vector<std::string>{""} : labs;
}

}  // namespace

Filled plain_csv(const Class& all, const std::vector<Person>& roster) {
  Filled filled;
  filled.text = csv_row({"assignment",     "duedate",   "timestamp",
                         "student_id",     "last_name", "first_name",
                         "email",          "raw_score", "late_submission_penalty",
                         "score",          "max_score", "seed",
                         "manifest",       "legs",      "needs_look",
                         "timestamp_from", "by_hand",   "check_score",
                         "manual_score",   "parts"});
  for (const std::string& lab : labs_of(all)) {
    const int possible = points_possible(all, lab);
    for (const Graded& one : all.graded) {
      if (one.lab() != lab) continue;
      filled.text += graded_row(all, one, person_of(roster, one.student), possible);
      ++filled.grades;
    }
    for (const Ungraded& one : all.ungraded) {
      if (!stands_in(all, one, lab)) continue;
      std::vector<std::string> row = row_of(all, lab, person_of(roster, one.submission));
      append(row, {"", "", "", std::to_string(possible), "", "", "",
                   one.refused ? "refused" : "kit_error", "", "", "", "", ""});
      filled.text += csv_row(row);
    }
    for (const Graded& one : all.without_file) {
      if (one.lab() != lab) continue;
      filled.text += manual_row(all, one, person_of(roster, one.student), possible);
      filled.remarks.push_back(
          fmt::format("{} handed in nothing for {} and has {}", one.student, lab, one.points()));
      ++filled.grades;
    }
    for (const Person& person : roster) {
      if (handed_in(all, person.id, lab) || has_points_alone(all, person.id, lab)) continue;
      std::vector<std::string> row = row_of(all, lab, person);
      append(row, {"", "", "0", std::to_string(possible), "", "", "", "", "", "", "", "", ""});
      filled.text += csv_row(row);
      filled.remarks.push_back(fmt::format("{} handed in nothing for {}", person.id, lab));
    }
  }
  return filled;
}

}  // namespace nibble::gradebook
