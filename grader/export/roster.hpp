// Who is in the course: a CSV file that the instructor brings, or that a course system exported.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::gradebook {

struct Person {
  std::string id{};  ///< as submissions are named, or as their results name a student
  std::string last_name{}, first_name{}, email{}, username{}, idnumber{};
  std::string user{};    ///< in the course system: "canvas 4711", "moodle 71"
  std::string listed{};  ///< what the roster calls them, where that is not `id`

  const std::string& listed_id() const { return listed.empty() ? id : listed; }
};

/// "Lovelace, Ada (s1001)"
std::string shown(const Person& person);

/// The first row names the columns: student_id, and any of last_name, first_name, email, username,
/// idnumber, in any order; Moodle's list of participants, its worksheets and Canvas's gradebook are
/// understood too. Without student_id the idnumber stands for it, then the username, then the
/// address. Throws std::invalid_argument, one line with the remedy, for a text that is not UTF-8, a
/// column that is missing, a person without an id, a name that is not one line, and two people whom
/// one name would mean.
std::vector<Person> read_roster(std::string_view text);

/// Whoever handed in by another name than the roster's is called so from now on, unless somebody
/// else is. `names`: of submissions, and of whom they are in the course system, or empty.
void call_as_handed_in(std::vector<Person>& roster,
                       const std::map<std::string, std::string>& names);

/// nullptr: not in the list.
const Person* find_person(const std::vector<Person>& roster, std::string_view id);

/// The one whom any of the roster's columns, or both names in either order, call so; nullptr:
/// nobody, or several.
const Person* find_by_any_name(const std::vector<Person>& roster, std::string_view name);

/// A line with the remedy, where several people are called so; empty: one is, or nobody.
std::string why_several(const std::vector<Person>& roster, std::string_view name);

}  // namespace nibble::gradebook
