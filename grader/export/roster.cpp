// One table, whoever wrote it: columns are found by name, people are told apart by each of them.
#include "export/roster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "export/csv.hpp"
#include "text/harmless.hpp"
#include "text/lines.hpp"

namespace nibble::gradebook {
namespace {

/// A member, and what its column is called: by us, by Moodle, by Canvas or an older Moodle.
struct Column {
  std::string Person::*member;
  std::array<std::string_view, 3> names;
};
constexpr std::array kColumns = {
    Column{&Person::id, {"student_id", "Student ID", "SIS User ID"}},
    Column{&Person::last_name, {"last_name", "Last name", "Surname"}},
    Column{&Person::first_name, {"first_name", "First name", ""}},
    Column{&Person::email, {"email", "Email address", ""}},
    Column{&Person::username, {"username", "Username", "SIS Login ID"}},
    Column{&Person::idnumber, {"idnumber", "ID number", ""}}};

/// What must call one person alone.
constexpr std::array kTelling = {&Person::id, &Person::username, &Person::idnumber, &Person::email,
                                 &Person::user};

std::string value_at(const Row& header, const Row& row, std::string_view name) {
  const int column = name.empty() ? -1 : column_of(header, name);
  if (column < 0 || static_cast<std::size_t>(column) >= row.size()) return "";
  return text::trim(row[static_cast<std::size_t>(column)].value);
}

/// "4711" in Canvas's column ID, "Participant 71" in a worksheet of Moodle's.
std::string user_of(const Row& header, const Row& row) {
  constexpr std::string_view kParticipant = "Participant ";
  const std::string moodle = value_at(header, row, "Identifier");
  if (moodle.starts_with(kParticipant)) return "moodle " + moodle.substr(kParticipant.size());
  const std::string canvas = value_at(header, row, "ID");
  return canvas.empty() || column_of(header, "Section") < 0 ? "" : "canvas " + canvas;
}

/// "Lovelace, Ada" is Canvas's, "Ada Lovelace" Moodle's.
void take_names(Person& person, const Row& header, const Row& row) {
  const std::string student = value_at(header, row, "Student");
  const std::size_t comma = student.find(", ");
  if (comma != student.npos) {
    person.last_name = student.substr(0, comma);
    person.first_name = student.substr(comma + 2);
  } else if (!student.empty()) {
    person.last_name = student;
  }
  const std::string full = value_at(header, row, "Full name");
  const std::size_t blank = full.rfind(' ');
  if (full.empty()) return;
  person.last_name = blank == full.npos ? full : full.substr(blank + 1);
  if (blank != full.npos) person.first_name = full.substr(0, blank);
}

Person person_of(const Row& header, const Row& row) {
  Person person;
  for (const Column& column : kColumns) {
    for (const std::string_view name : column.names) {
      const std::string value = value_at(header, row, name);
      if (!value.empty()) person.*column.member = value;
    }
  }
  take_names(person, header, row);
  person.user = user_of(header, row);
  for (const auto other : {&Person::idnumber, &Person::username, &Person::user, &Person::email}) {
    if (person.id.empty()) person.id = person.*other;
  }
  return person;
}

/// A name is a part of a line, wherever it is shown.
void must_be_on_one_line(const Person& person, std::size_t row) {
  for (const Column& column : kColumns) {
    std::string value = person.*column.member;
    if (value.find_first_of("\r\n") == value.npos) continue;
    std::ranges::replace(value, '\n', ' ');
    throw std::invalid_argument(
        fmt::format("row {} of the roster holds a line break, in {}: write it on one line", row,
                    text::harmless(value)));
  }
}

/// Empty rows, and those of Canvas's that are about nobody: points, and the student it tests by.
bool is_nobody(const Row& row) {
  const std::string first = text::trim(row.front().value);
  return std::ranges::all_of(row, [](const Cell& cell) { return cell.value.empty(); }) ||
         first.starts_with("Points Possible") || first == "Student, Test";
}

/// Where each name was met first.
class Namesakes {
 public:
  void add(const Person& person, std::size_t row) {
    for (const auto member : kTelling) {
      const std::string& name = person.*member;
      if (name.empty()) continue;
      const auto [first, is_new] = rows_.try_emplace({index_of(member), name}, row);
      if (is_new) continue;
      throw std::invalid_argument(fmt::format(
          "rows {} and {} of the roster are both {}: leave one, or give each a student_id of "
          "their own",
          first->second, row, name));
    }
  }

 private:
  static std::ptrdiff_t index_of(std::string Person::*member) {
    return std::ranges::find(kTelling, member) - kTelling.begin();
  }
  std::map<std::pair<std::ptrdiff_t, std::string>, std::size_t> rows_;
};

/// In whole: a part of a name is no name.
bool has_full_name(const Person& person, std::string_view name) {
  const auto is_joined = [&](std::string_view front, std::string_view by, std::string_view back) {
    return name.size() == front.size() + by.size() + back.size() && name.starts_with(front) &&
           name.ends_with(back) && name.substr(front.size(), by.size()) == by;
  };
  return !person.last_name.empty() && (is_joined(person.first_name, " ", person.last_name) ||
                                       is_joined(person.last_name, ", ", person.first_name));
}

/// "Ada Lovelace" of "Ada Lovelace_71", as Moodle's download calls her: the number is another one
/// in each assignment.
std::string_view without_number(std::string_view name) {
  const std::size_t bar = name.rfind('_');
  const bool has_one = bar != name.npos && bar + 1 < name.size() &&
                       name.find_first_not_of("0123456789", bar + 1) == name.npos;
  return has_one ? name.substr(0, bar) : name;
}

bool is_called(const Person& person, std::string_view name) {
  if (name.empty()) return false;
  const auto is_it = [&](std::string Person::*member) { return person.*member == name; };
  const std::string_view address = person.email;
  return std::ranges::any_of(kTelling, is_it) || has_full_name(person, without_number(name)) ||
         address.substr(0, address.find('@')) == name;
}

/// An id is one person's, whatever else is called so.
std::vector<const Person*> all_called(const std::vector<Person>& roster, std::string_view name) {
  if (const Person* exact = find_person(roster, name)) return {exact};
  std::vector<const Person*> found;
  for (const Person& person : roster) {
    if (is_called(person, name)) found.push_back(&person);
  }
  return found;
}

}  // namespace

std::string shown(const Person& person) {
  if (person.last_name.empty()) return person.listed_id();
  std::string name = person.last_name;
  if (!person.first_name.empty()) name += ", " + person.first_name;
  return fmt::format("{} ({})", name, person.listed_id());
}

std::vector<Person> read_roster(std::string_view text) {
  const std::vector<Row> rows = read_table(text, "the roster");
  if (rows.empty()) throw std::invalid_argument("the roster is empty");
  std::vector<Person> people;
  Namesakes namesakes;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (is_nobody(rows[i])) continue;
    const Person person = person_of(rows.front(), rows[i]);
    if (person.id.empty()) {
      throw std::invalid_argument(fmt::format(
          "row {} of the roster has no student_id, idnumber, username or email: its first row must "
          "name one of these columns",
          i + 1));
    }
    must_be_on_one_line(person, i + 1);
    namesakes.add(person, i + 1);
    people.push_back(person);
  }
  if (people.empty()) throw std::invalid_argument("the roster names nobody below its first row");
  return people;
}

void call_as_handed_in(std::vector<Person>& roster,
                       const std::map<std::string, std::string>& names) {
  std::unordered_set<std::string> ids;
  for (const Person& person : roster) ids.insert(person.id);
  for (const auto& [name, user] : names) {
    if (ids.contains(name)) continue;
    const Person* found = user.empty() ? nullptr : find_by_any_name(roster, user);
    if (found == nullptr) found = find_by_any_name(roster, name);
    // Whoever handed in under their own id is called by it, whatever else is called so.
    if (found == nullptr || names.contains(found->id)) continue;
    Person& person = roster[static_cast<std::size_t>(found - roster.data())];
    ids.erase(person.id);
    ids.insert(name);
    person.listed = std::exchange(person.id, name);
  }
}

const Person* find_person(const std::vector<Person>& roster, std::string_view id) {
  const auto found = std::ranges::find(roster, id, &Person::id);
  return found == roster.end() ? nullptr : &*found;
}

const Person* find_by_any_name(const std::vector<Person>& roster, std::string_view name) {
  const std::vector<const Person*> found = all_called(roster, name);
  return found.size() == 1 ? found.front() : nullptr;
}

std::string why_several(const std::vector<Person>& roster, std::string_view name) {
  const std::vector<const Person*> found = all_called(roster, name);
  if (found.size() < 2) return "";
  std::vector<std::string> ids;
  for (const Person* const person : found) ids.push_back(person->id);
  return fmt::format("{} is several in the roster: {}. Rename it to the one whose it is", name,
                     fmt::join(ids, ", "));
}

}  // namespace nibble::gradebook
