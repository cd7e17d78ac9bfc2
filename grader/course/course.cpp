// The labs of a course, where its file is found, and the file that a new course begins with.
#include "course/course.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nibble::course {

namespace fs = std::filesystem;

const CourseLab* Course::find(const std::string& lab) const {
  const auto found =
      std::ranges::find_if(labs, [&](const CourseLab& one) { return one.lab.name == lab; });
  return found == labs.end() ? nullptr : &*found;
}

std::vector<std::string> Course::lab_names() const {
  std::vector<std::string> names;
  for (const CourseLab& one : labs) names.push_back(one.lab.name);
  return names;
}

std::optional<fs::path> find_course(const fs::path& folder) {
  fs::path place = fs::absolute(folder).lexically_normal();
  for (;;) {
    std::error_code ignored;
    if (fs::is_regular_file(place / "course.toml", ignored)) return place / "course.toml";
    if (!place.has_relative_path()) return {};
    place = place.parent_path();
  }
}

namespace {

// What a new file says before its labs, and behind them.
constexpr const char* kHead =
    R"(# A course with Nibble. Every `./nibble teach` command called in this folder, or in one
# below it, reads this file. What is said on the command line wins. Paths are taken from here.
version = 1                       # of this file: leave it

course = "Quantization in C++"
term = "Winter 2026"
# language = "de"                 # of the pages that you write and of your handout's screens

# Who is in it: a CSV file with the columns student_id, last_name, first_name, email, username (what
# there is of them), Moodle's list of participants or worksheet, or Canvas's exported gradebook.
# roster = "people.csv"

grades = "grades"                 # where `grade` puts results, and everything else looks for them
# salt_from = "../secret/salt"    # the file with the course's secret; never beside what you publish
hidden = false                    # true: `grade` runs the hidden checks, too, which take the secret
# marks = "marks.csv"              # what people give beside the checks: `./nibble teach mark` adds
attempts = "last"                 # of several files of one lab: "last", or "best" after its penalty
# hints = 3                       # of a lab that cost nothing: handouts show how many are left
# most_attempts = 5               # of one lab that count; a file that comes later has no part in it

[late]
grace = "15 min"                  # so much later is still in time: "15 min", "2 h", "1 d"
per_day = 10                      # per cent of the lab's points, for each day that was begun
cap = 50                          # per cent that are taken off at most
)";

constexpr const char* kTail = R"(
# More time for one person: to a date, or so many days. Without `lab` and with `days`: every lab.
# [[extension]]
# who = "s1001"                   # as the roster has it: an id, a user name, an address, a name
# lab = "03"
# due = 2026-10-19T23:59:00+02:00
# why = "ill"

# When something came in, where no file says so, or says it wrong.
# [[handed_in]]
# who = "s1002"
# lab = "03"
# at = 2026-10-12T22:10:00+02:00
# why = "by mail"

# Your word in place of the judge's and of the dates: so many `points`, or with `add` so many more
# or fewer. It stands beside the grade wherever that is shown, and outlives a regrade.
# [[override]]
# who = "s1002"
# lab = "03"
# points = 60
# by = "the instructor"
# at = 2026-10-20T10:00:00+02:00
# why = "handed in on paper, too"
)";

}  // namespace

std::string new_course(const std::vector<lab::Lab>& labs) {
  std::string text = kHead;
  for (const lab::Lab& lab : labs) {
    const bool is_first = &lab == &labs.front();
    text += fmt::format("\n[[lab]]\nlab = \"{}\"\n", lab.name);
    text += is_first
                ? "# opens = 2026-10-05T08:00:00+02:00\n"
                  "# due = 2026-10-12T23:59:00+02:00   # your clock's distance from UTC behind it\n"
                  "# closes = 2026-10-19T23:59:00+02:00   # what comes later counts for nothing\n"
                  "# weight = 1                      # in the total of `export totals`\n"
                  "# scale = 20                      # what all points become in a gradebook, or "
                  "\"gradebook\"\n"
                  "# column = \"Lab 03 (4711)\"        # of the gradebook\n"
                  "# checks = 80                     # what all points of the checks become\n"
                  "# manual = { title = \"report\", points = 20 }   # a part that a person gives\n"
                : "# due = 2026-10-12T23:59:00+02:00\n";
  }
  return text + kTail;
}

}  // namespace nibble::course
