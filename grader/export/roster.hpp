// Who is in the course: a CSV file that the instructor brings.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::gradebook {

struct Person {
  std::string id{};  ///< as submissions are named, or as their results name a student
  std::string last_name{}, first_name{}, email{}, username{}, idnumber{};
};

/// The first row names the columns: student_id, and any of last_name, first_name, email, username,
/// idnumber, in any order; the words of Moodle's list of participants are understood too. Without
/// student_id the idnumber stands for it, then the username. Throws std::invalid_argument for a
/// column that is missing, a person without an id, or one id twice.
std::vector<Person> read_roster(std::string_view text);

/// Whoever handed in under their user name or ID number is called so from now on,
/// unless somebody else is.
void call_as_handed_in(std::vector<Person>& roster, const std::set<std::string>& names);

/// nullptr: not in the list.
const Person* find_person(const std::vector<Person>& roster, std::string_view id);

}  // namespace nibble::gradebook
