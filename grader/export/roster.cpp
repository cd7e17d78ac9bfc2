#include "export/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "export/csv.hpp"

namespace nibble::gradebook {
namespace {

/// A member, and what its column is called.
constexpr std::array<std::pair<std::string Person::*, std::array<std::string_view, 2>>, 6>
    kColumns = {{{&Person::id, {"student_id", "Student ID"}},
                 {&Person::last_name, {"last_name", "Last name"}},
                 {&Person::first_name, {"first_name", "First name"}},
                 {&Person::email, {"email", "Email address"}},
                 {&Person::username, {"username", "Username"}},
                 {&Person::idnumber, {"idnumber", "ID number"}}}};

Person person_of(const Row& header, const Row& row) {
  Person person;
  for (const auto& [member, names] : kColumns) {
    for (const std::string_view name : names) {
      const int column = column_of(header, name);
      if (column >= 0 && static_cast<std::size_t>(column) < row.size()) {
        person.*member = row[static_cast<std::size_t>(column)].value;
      }
    }
  }
  if (person.id.empty()) person.id = person.idnumber.empty() ? person.username : person.idnumber;
  return person;
}

bool is_blank(const Row& row) { return row.size() == 1 && row.front().value.empty(); }

}  // namespace

std::vector<Person> read_roster(std::string_view text) {
  const std::vector<Row> rows = read_csv(text);
  if (rows.empty()) throw std::invalid_argument("the roster is empty");
  std::vector<Person> people;
  std::set<std::string> ids;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (is_blank(rows[i])) continue;
    const Person person = person_of(rows.front(), rows[i]);
    if (person.id.empty()) {
      throw std::invalid_argument(fmt::format(
          "row {} of the roster has no student_id, idnumber or username: its first row must name "
          "one of these columns",
          i + 1));
    }
    if (!ids.insert(person.id).second) {
      throw std::invalid_argument(fmt::format("the roster names {} twice", person.id));
    }
    people.push_back(person);
  }
  return people;
}

void call_as_handed_in(std::vector<Person>& roster, const std::set<std::string>& names) {
  for (Person& person : roster) {
    if (names.contains(person.id)) continue;
    for (const std::string& other : {person.username, person.idnumber}) {
      if (!names.contains(other) || find_person(roster, other) != nullptr) continue;
      person.id = other;
      break;
    }
  }
}

const Person* find_person(const std::vector<Person>& roster, std::string_view id) {
  const auto found = std::ranges::find(roster, id, &Person::id);
  return found == roster.end() ? nullptr : &*found;
}

}  // namespace nibble::gradebook
