// What one person gets back: everything that was graded, as a page and as plain text. Of hidden
// checks there are words only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "export/class.hpp"
#include "export/roster.hpp"
#include "report/diagnoses.hpp"

namespace nibble::gradebook {

struct GivenBack {
  std::string submission, student;
  std::string shown;        ///< as people call them: "Lovelace, Ada (s1001)"
  std::string user{};       ///< in the course system: "moodle 71"; empty: it is of none
  std::string pseudonym{};  ///< in what is shown around; empty: it is told of none
  std::vector<const Graded*> graded, without_file;
  std::vector<const Ungraded*> ungraded;
};

/// Everybody who handed in or was given points, by the class's order. The class must outlive them.
std::vector<GivenBack> given_back(const Class& all, const std::vector<Person>& roster);

/// "03_symmetric: 60 of 75 points; 2 d 3 h late: 12 points taken off". The class says what is
/// possible.
std::string outcome_line(const Class& all, const Graded& one);

/// One file for a browser. `course`: its name; or empty. `written`: as utc_now() writes it.
std::string feedback_page(const Class& all, const GivenBack& one, const std::string& course,
                          const std::string& written, const report::Diagnoses& diagnoses);

/// The same as text, without pictures.
std::string feedback_text(const Class& all, const GivenBack& one, const std::string& course);

}  // namespace nibble::gradebook
