// The course as one table: a person a row, a lab a column, and what it comes to.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/csv.hpp"
#include "export/formats.hpp"
#include "export/scaled_points.hpp"

namespace nibble::gradebook {
namespace {

/// What one person has on one lab; nothing: no grade, through no fault of theirs.
std::optional<double> part_of(const Class& all, const Person& person, const std::string& lab,
                              int possible) {
  for (const Graded* one : all.with_points()) {
    if (one->student != person.id || one->lab() != lab) continue;
    if (possible == 0 && !one->parts.empty()) return {};  // nobody knows of how many
    return possible == 0 ? 0.0 : 100.0 * one->points() / possible;
  }
  const bool waits = std::ranges::any_of(all.ungraded, [&](const Ungraded& one) {
    return one.submission == person.id && (one.lab == lab || one.lab == "?");
  });
  if (waits) return {};
  return 0.0;
}

std::string percent(double value) { return ScaledPoints(value, 1).of(1); }

/// Everybody of the roster, then whoever handed in and is not in it.
std::vector<Person> everybody(const Class& all, const std::vector<Person>& roster) {
  std::vector<Person> people = roster;
  for (const auto& [name, user] : all.users()) {
    if (find_person(people, name) == nullptr) people.push_back({.id = name});
  }
  return people;
}

}  // namespace

Filled totals(const Class& all, const std::vector<Person>& roster,
              const std::map<std::string, double>& weights) {
  std::map<std::string, int> labs;
  for (const std::string& lab : all.labs()) labs[lab] = points_possible(all, lab);
  for (const auto& [lab, weight] : weights) labs.try_emplace(lab, 0);
  std::vector<std::string> header = {"student_id", "last_name", "first_name", "email"};
  for (const auto& [lab, possible] : labs) header.push_back(lab);
  header.emplace_back("total");
  Filled filled;
  filled.text = csv_row(header);
  for (const Person& person : everybody(all, roster)) {
    std::vector<std::string> row = {person.listed_id(), person.last_name, person.first_name,
                                    person.email};
    double sum = 0.0, whole = 0.0;
    bool waits = false;
    for (const auto& [lab, possible] : labs) {
      const auto named = weights.find(lab);
      const double weight = named == weights.end() ? 1.0 : named->second;
      const std::optional<double> part = part_of(all, person, lab, possible);
      row.push_back(part ? percent(*part) : "");
      waits = waits || !part;
      sum += weight * part.value_or(0.0);
      whole += weight;
    }
    row.push_back(waits || whole == 0.0 ? "" : percent(sum / whole));
    if (waits)
      filled.remarks.push_back(fmt::format("{} has no total: a grade is missing", person.id));
    filled.text += csv_row(row);
    ++filled.grades;
  }
  return filled;
}

}  // namespace nibble::gradebook
