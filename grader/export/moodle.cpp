// Moodle, two ways: a table for its grade import, or the worksheet of one assignment filled in. The
// import stops at the first user it does not know, so only people of the roster are in the table.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>

#include "export/csv.hpp"
#include "export/feedback.hpp"
#include "export/formats.hpp"
#include "export/scaled_points.hpp"

namespace nibble::gradebook {
namespace {

constexpr int kMostPoints = 100;  ///< of a grade, unless the site allows more

int possible_in(const Class& one_lab) {
  return one_lab.graded.empty() ? 0 : points_possible(one_lab, one_lab.graded.front().lab());
}

/// As the import takes it, which knows of no possible points.
std::string imported(const Graded& one, int possible, const Scale& scale) {
  const std::string grade =
      (scale.points ? ScaledPoints(*scale.points, possible) : ScaledPoints()).of(one.points());
  if (std::atof(grade.c_str()) <= kMostPoints) return grade;
  throw std::invalid_argument(fmt::format("{} has {} points, and Moodle refuses a grade over {}",
                                          one.student, grade, kMostPoints));
}

void remark_on(const Graded& one, Filled& filled) {
  if (one.by_hand) filled.remarks.push_back(one.student + ": " + one.by_hand->words);
}

/// "12345" of "Participant 12345".
std::string participant_in(const std::string& cell) {
  constexpr std::string_view kWord = "Participant ";
  return cell.starts_with(kWord) ? cell.substr(kWord.size()) : "";
}

/// "12345" of what came from Moodle, or is still called as Moodle names the folders of a download,
/// "Ada Lovelace_12345_assignsubmission_file".
std::string participant_of(const Graded& one) {
  constexpr std::string_view kSystem = "moodle ";
  if (one.user.starts_with(kSystem)) return one.user.substr(kSystem.size());
  const std::string& submission = one.submission;
  const std::size_t end = submission.find("_assignsubmission_");
  if (end == std::string::npos || end == 0) return "";
  const std::size_t begin = submission.rfind('_', end - 1);
  return begin == std::string::npos ? "" : submission.substr(begin + 1, end - begin - 1);
}

/// The columns of a worksheet that we touch or look at.
struct Worksheet {
  std::size_t identifier = 0, grade = 0;
  int most = -1, changeable = -1;  ///< -1: there is no such column
  std::vector<std::size_t> names;  ///< columns that may name a student
};

std::size_t must_have(const Row& header, const char* name) {
  const int column = column_of(header, name);
  if (column >= 0) return static_cast<std::size_t>(column);
  throw std::invalid_argument(
      fmt::format("the worksheet has no column `{}`: download it from the assignment with Moodle's "
                  "language set "
                  "to English",
                  name));
}

Worksheet worksheet_of(const Row& header) {
  Worksheet sheet;
  sheet.identifier = must_have(header, "Identifier");
  sheet.grade = must_have(header, "Grade");
  must_have(header, "Last modified (grade)");
  sheet.most = column_of(header, "Maximum Grade");
  sheet.changeable = column_of(header, "Grade can be changed");
  for (const char* const name : {"ID number", "Username", "Email address"}) {
    if (const int column = column_of(header, name); column >= 0) {
      sheet.names.push_back(static_cast<std::size_t>(column));
    }
  }
  return sheet;
}

std::string value_at(const Row& row, int column) {
  if (column < 0 || static_cast<std::size_t>(column) >= row.size()) return "";
  return row[static_cast<std::size_t>(column)].value;
}

/// Ours by every name that a worksheet may know them by.
std::map<std::string, const Graded*> names_of(const Class& one_lab) {
  std::map<std::string, const Graded*> names;
  const auto add = [&](const std::string& name, const Graded& one) {
    const auto [place, fresh] = names.try_emplace(name, &one);
    if (!fresh && place->second != &one) {
      throw std::invalid_argument(fmt::format("{} and {} would be the same row",
                                              place->second->submission, one.submission));
    }
  };
  for (const Graded* one : one_lab.with_points()) {
    add(one->student, *one);
    if (const std::string number = participant_of(*one); !number.empty()) {
      add("Participant " + number, *one);
    }
  }
  return names;
}

/// Nobody of ours: nullptr.
const Graded* find(const std::map<std::string, const Graded*>& ours, const Row& row,
                   const Worksheet& sheet) {
  const auto look = [&](const std::string& name) {
    const auto found = name.empty() ? ours.end() : ours.find(name);
    return found == ours.end() ? nullptr : found->second;
  };
  const std::string identifier = value_at(row, static_cast<int>(sheet.identifier));
  if (const Graded* one = look(identifier)) return one;
  if (const Graded* one = look(participant_in(identifier))) return one;
  for (const std::size_t column : sheet.names) {
    if (const Graded* one = look(value_at(row, static_cast<int>(column)))) return one;
  }
  return nullptr;
}

/// What is written, which is no more than what is possible.
std::string grade_for(const Graded& one, const std::string& most, int possible,
                      const Scale& scale) {
  if (scale.to_possible) return ScaledPoints(most, possible).of(one.points());
  const std::string grade =
      (scale.points ? ScaledPoints(*scale.points, possible) : ScaledPoints()).of(one.points());
  if (!most.empty() && std::atof(grade.c_str()) > std::atof(most.c_str())) {
    throw std::invalid_argument(
        fmt::format("{} has {} points, and the assignment only {}: --scale fits one to the other",
                    one.student, grade, most));
  }
  return grade;
}

void fill(const Row& row, const Worksheet& sheet, const std::string& grade, Filling& filling,
          Filled& filled) {
  const std::string who = value_at(row, static_cast<int>(sheet.identifier));
  if (sheet.grade >= row.size()) throw std::invalid_argument("the row of " + who + " is too short");
  if (value_at(row, sheet.changeable) == "No") {
    filled.remarks.push_back(who + " is locked in Moodle and stays as it is");
    return;
  }
  filling.put(row[sheet.grade], grade);
  ++filled.grades;
}

/// Whoever has a grade is in the table, by one of its three columns.
void must_be_known_to_moodle(const Class& one_lab, const std::vector<Person>& roster) {
  std::vector<std::string> unknown;
  for (const Graded* one : one_lab.with_points()) {
    const Person* const person = find_person(roster, one->student);
    const bool is_known = person == nullptr || !person->username.empty() ||
                          !person->email.empty() || !person->idnumber.empty();
    if (!is_known) unknown.push_back(shown(*person));
  }
  if (unknown.empty()) return;
  throw std::invalid_argument(fmt::format(
      "the roster has no username, email or idnumber of {}{}, and Moodle finds people by one of "
      "these: add a column",
      unknown.front(),
      unknown.size() > 1 ? fmt::format(" and of {} more", unknown.size() - 1) : ""));
}

}  // namespace

Filled moodle_import(const Class& one_lab, const std::vector<Person>& roster, std::string_view item,
                     const Scale& scale) {
  Filled filled;
  const std::string name(item);
  const int possible = possible_in(one_lab);
  filled.text = csv_row({"username", "email", "idnumber", name, name + " feedback"});
  std::set<std::string> known;
  for (const Person& person : roster) known.insert(person.id);
  must_be_known_to_moodle(one_lab, roster);
  for (const Graded* one : one_lab.with_points()) {
    const std::string grade = imported(*one, possible, scale);
    const Person* const person = find_person(roster, one->student);
    if (person == nullptr && !roster.empty()) {
      filled.remarks.push_back(
          fmt::format("{} is not in the roster and was left out", one->student));
      continue;
    }
    const Person who = person != nullptr ? *person : Person{.username = one->student};
    filled.text +=
        csv_row({who.username, who.email, who.idnumber, grade, feedback_line(*one, possible)});
    known.erase(one->student);
    remark_on(*one, filled);
    ++filled.grades;
  }
  for (const std::string& id : known) filled.remarks.push_back("no grade for " + id);
  return filled;
}

Filled moodle_worksheet(const Class& one_lab, std::string worksheet, const Scale& scale) {
  const std::vector<Row> rows = read_csv(worksheet);
  if (rows.empty()) throw std::invalid_argument("the worksheet is empty");
  const Worksheet sheet = worksheet_of(rows.front());
  const auto ours = names_of(one_lab);
  const int possible = possible_in(one_lab);
  std::set<const Graded*> used;
  Filled filled;
  Filling filling(std::move(worksheet));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Graded* const one = find(ours, rows[i], sheet);
    if (one == nullptr) {
      const std::string who = value_at(rows[i], static_cast<int>(sheet.identifier));
      if (!who.empty()) filled.remarks.push_back("no grade for " + who);
    } else if (used.insert(one).second) {
      fill(rows[i], sheet, grade_for(*one, value_at(rows[i], sheet.most), possible, scale), filling,
           filled);
      remark_on(*one, filled);
    } else {
      throw std::invalid_argument("two rows of the worksheet name " + one->student);
    }
  }
  for (const Graded* one : one_lab.with_points()) {
    if (!used.contains(one)) filled.remarks.push_back(one->student + " was graded and has no row");
  }
  filled.text = filling.str();
  return filled;
}

}  // namespace nibble::gradebook
