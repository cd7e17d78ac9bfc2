// The formats that other systems read. Each function makes the text of one file from results that
// are a grade (see why_no_grade); nothing in it but what told() lets through.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/class.hpp"
#include "export/roster.hpp"
#include "export/told.hpp"

namespace nibble::gradebook {

// --- One submission, one lab ---------------------------------------------------------------------

/// Gradescope's results.json.
std::string gradescope(const Result& results);

/// What stands there while the grader runs: when it is killed, these words are left.
std::string gradescope_placeholder();

/// What a student reads whose file was not taken: a slip of theirs, and no failure of the grader.
/// Of PrairieLearn it costs no attempt.
std::string autolab_refused(const std::string& lab, const std::string& why);
std::string prairielearn_refused(const std::string& lab, const std::string& why);
std::string gradescope_refused(const std::string& lab, const std::string& why);

/// GitHub Classroom: what a step puts into its output `result`, before base64. Public checks only.
Json classroom(const Result& results);

/// "result=…", as a line for $GITHUB_OUTPUT.
std::string classroom_output(const Json& report);

/// The two lines that GitHub Classroom counts, then a table for people.
std::string classroom_notices(const Json& report);

/// What the runner of Classroom 50 knows about a submission.
struct Classroom50Run {
  std::string classroom, assignment, submission, commit, release, review;
  std::string committed;  ///< the committer's date, as utc_now() writes it
};

/// Classroom 50's result.json. Public checks only.
std::string classroom50(const Result& results, const Classroom50Run& run);

/// Autolab: what its Makefile prints; the last line is what counts.
std::string autolab(const Result& results);

/// PrairieLearn's results.json.
std::string prairielearn(const Result& results);

// --- One submission ------------------------------------------------------------------------------

/// JUnit XML by junit-10.xsd: a testsuite for each lab.
std::string junit(const std::vector<Result>& labs);

// --- A class -------------------------------------------------------------------------------------

/// A file for a gradebook, and what the instructor should know of how it came about.
struct Filled {
  std::string text;
  int grades = 0;                    ///< cells that hold one of ours
  std::vector<std::string> remarks;  ///< one line each
};

/// What all points of a lab become in a gradebook: what they are; what it says is possible; or so
/// many. To two digits.
struct Scale {
  bool to_possible = false;
  std::optional<double> points{};

  static const Scale kNone, kToPossible;
};
inline constexpr Scale Scale::kNone{};
inline constexpr Scale Scale::kToPossible{true};

/// `exported`, which came from Canvas, with the column `title` filled, and every other byte as it
/// was. Throws std::invalid_argument for a file or a column that Canvas would not take as meant,
/// and for a column without Points Possible that is to be scaled to.
Filled canvas(const Class& one_lab, std::string exported, std::string_view title,
              const Scale& scale = Scale::kNone);

/// For Moodle's grade import: a column `item` and its feedback, for the people of the roster.
Filled moodle_import(const Class& one_lab, const std::vector<Person>& roster, std::string_view item,
                     const Scale& scale = Scale::kNone);

/// The worksheet of one Moodle assignment, with its column `Grade` filled. To scale, its Maximum
/// Grade is what is possible.
Filled moodle_worksheet(const Class& one_lab, std::string worksheet,
                        const Scale& scale = Scale::kNone);

/// Everything in one table, a row for each student and lab; with a roster also for those who
/// handed in nothing.
Filled plain_csv(const Class& all, const std::vector<Person>& roster);

/// A row for each person and a column for each lab, in per cent of what it is worth, lateness taken
/// off; then the mean by `weights`, of labs that are not named 1. Who handed in nothing has 0; who
/// has no grade through no fault of theirs has an empty cell, and no total.
Filled totals(const Class& all, const std::vector<Person>& roster,
              const std::map<std::string, double>& weights);

/// A list of each public check of speed, the fastest first, by pseudonyms: for a class that wants
/// one. Throws std::invalid_argument when `one_lab` has names, or no time.
std::string speed_table(const Class& one_lab);

}  // namespace nibble::gradebook
