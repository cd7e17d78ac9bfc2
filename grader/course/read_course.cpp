// Reads course.toml from its version down to its last extension, and believes no two of its dates
// before they were compared.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "course/course.hpp"
#include "course/manual_points.hpp"
#include "course/toml_table.hpp"
#include "files/files.hpp"
#include "language/catalog.hpp"

namespace nibble::course {
namespace {

namespace fs = std::filesystem;

constexpr int kVersion = 1;

/// Of another version nothing else is read.
void must_be_of_this_version(TomlTable& top, const std::string& file) {
  const std::optional<double> version = top.number("version", 0, 1e6);
  if (version == kVersion) return;
  throw std::invalid_argument(fmt::format(
      "{} is a course file of {}: this kit reads version {}. `./nibble teach course init` in an "
      "empty folder writes one; copy your settings into it",
      file, version ? fmt::format("version {}", *version) : "no version", kVersion));
}

/// Where a path of the file leads: what is not absolute lies beside the file.
fs::path beside(const fs::path& file, const std::optional<std::string>& path) {
  if (!path || path->empty()) return {};
  return (file.parent_path() / *path).lexically_normal();
}

LatePolicy read_late(TomlTable table) {
  LatePolicy late;
  late.grace = table.length("grace").value_or(late.grace);
  late.per_day = table.number("per_day", 0, 100).value_or(late.per_day);
  late.cap = table.number("cap", 0, 100).value_or(late.cap);
  table.must_be_read();
  return late;
}

gradebook::Scale read_scale(TomlTable& table) {
  gradebook::Scale scale;
  if (!table.holds_text("scale")) {
    scale.points = table.number("scale", 0.01, 1e6);
  } else if (table.text("scale") == "gradebook") {
    scale.to_possible = true;
  } else {
    table.fail("`scale` is a number of points, or \"gradebook\": what that says is possible",
               "scale");
  }
  return scale;
}

constexpr double kMostPoints = 1000;  // no lab is worth as much

std::optional<int> read_points(TomlTable& table, const char* key) {
  const std::optional<double> points = table.number(key, 1, kMostPoints);
  if (!points) return {};
  if (*points != std::floor(*points)) table.fail("points are whole", key);
  return static_cast<int>(*points);
}

/// How many hints; for a lab, or for all that say nothing themselves.
std::optional<int> read_hints(TomlTable& table) {
  const std::optional<double> hints = table.number("hints", 0, kMostPoints);
  if (!hints) return {};
  if (*hints != std::floor(*hints)) table.fail("`hints` is a whole number", "hints");
  return static_cast<int>(*hints);
}

/// What people give, beside the checks. A title is a cell and a word on a command line.
gradebook::MarkParts read_parts(TomlTable& table) {
  gradebook::MarkParts parts;
  parts.checks = read_points(table, "checks");
  for (TomlTable& one : table.one_or_more("manual")) {
    gradebook::ManualPart part{one.must_have("title")};
    const std::optional<int> points = read_points(one, "points");
    if (!points) one.fail(fmt::format("{} says no `points`", part.title));
    part.points = *points;
    part.is_late_too = one.flag("late").value_or(true);
    one.must_be_read();
    if (std::ranges::count(parts.manual, part.title, &gradebook::ManualPart::title) > 0) {
      one.fail(fmt::format("two parts are called {}: rename one", part.title), "title");
    }
    parts.manual.push_back(std::move(part));
  }
  return parts;
}

void must_agree(const CourseLab& one, const TomlTable& table) {
  if (one.closes && !one.due) table.fail("`closes` needs a `due` before it", "closes");
  if (one.opens && one.due && *one.due <= *one.opens) {
    table.fail(
        fmt::format("{} is due before it opens: {}, and {}. Correct one of them", one.lab.name,
                    text::shown(*one.due, one.offset), text::shown(*one.opens, one.offset)),
        "due");
  }
  if (one.closes && *one.closes < *one.due) {
    table.fail(
        fmt::format("{} closes before it is due: {}, and {}. Correct one of them", one.lab.name,
                    text::shown(*one.closes, one.offset), text::shown(*one.due, one.offset)),
        "closes");
  }
}

CourseLab read_lab(const lab::Kit& kit, TomlTable table) {
  CourseLab one;
  const std::string name = table.must_have("lab");
  const lab::Lab* const lab = kit.find(name);
  if (lab == nullptr) table.fail(fmt::format("no lab is called {}", name), "lab");
  one.lab = *lab;
  const auto moment = [&](const char* key) -> std::optional<text::Moment> {
    const std::optional<ZonedMoment> said = table.moment(key);
    if (!said) return {};
    one.offset = said->offset;
    return said->moment;
  };
  one.opens = moment("opens");
  one.closes = moment("closes");
  one.due = moment("due");
  one.weight = table.number("weight", 0, 1e6).value_or(1.0);
  one.scale = read_scale(table);
  one.column = table.text("column").value_or("");
  one.parts = read_parts(table);
  one.hints = read_hints(table);
  table.must_be_read();
  must_agree(one, table);
  return one;
}

/// As the roster calls them; without one as they are written.
std::string whom(const Course& course, TomlTable& table) {
  const std::string who = table.must_have("who");
  if (course.people.empty()) return who;
  const gradebook::Person* const person = gradebook::find_by_any_name(course.people, who);
  if (person != nullptr) return person->id;
  table.fail(fmt::format("{} is nobody, or several, in {}: write a student_id of it", who,
                         course.roster.filename().string()),
             "who");
}

std::string which_lab(const lab::Kit& kit, const Course& course, TomlTable& table) {
  const std::optional<std::string> said = table.text("lab");
  if (!said) return "";
  const lab::Lab* const lab = kit.find(*said);
  if (lab != nullptr && course.find(lab->name) != nullptr) return lab->name;
  table.fail(fmt::format("{} is no lab of this course", *said), "lab");
}

void must_be_later(const Course& course, const Extension& one, const TomlTable& table) {
  for (const CourseLab& lab : course.labs) {
    if (!one.lab.empty() && lab.lab.name != one.lab) continue;
    if (!one.lab.empty() && !lab.due) {
      table.fail(fmt::format("{} has no `due` that could be extended", one.lab), "lab");
    }
    if (one.due && lab.due && *one.due <= *lab.due && !one.lab.empty()) {
      table.fail(
          fmt::format("the extension of {} ends before {} is due: {}, and {}. Correct one of them",
                      one.who, lab.lab.name, text::shown(*one.due, lab.offset),
                      text::shown(*lab.due, lab.offset)),
          "due");
    }
  }
}

Extension read_extension(const lab::Kit& kit, const Course& course, TomlTable table) {
  Extension one;
  one.who = whom(course, table);
  one.lab = which_lab(kit, course, table);
  if (const auto due = table.moment("due")) one.due = due->moment;
  const std::optional<double> days = table.number("days", 1, 366);
  one.days = std::chrono::days(static_cast<int>(days.value_or(0)));
  if (days && *days != std::floor(*days)) {
    table.fail("days are whole: say `due` for a part of one", "days");
  }
  table.text("why");  // is for people
  table.must_be_read();
  if (one.due.has_value() == days.has_value()) {
    table.fail("an extension says `due` or `days`, and not both");
  }
  if (one.due && one.lab.empty()) table.fail("an extension to a date says of which `lab`", "due");
  must_be_later(course, one, table);
  return one;
}

HandInByHand read_hand_in(const lab::Kit& kit, const Course& course, TomlTable table) {
  HandInByHand one;
  one.who = whom(course, table);
  table.must_have("lab");
  one.lab = which_lab(kit, course, table);
  const std::optional<ZonedMoment> at = table.moment("at");
  if (!at) table.fail("[[handed_in]] says no `at`");
  one.at = at->moment;
  const text::Moment now =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (one.at > now) {
    table.fail(fmt::format("{} is still to come: nobody has handed in then", text::stamp(one.at)),
               "at");
  }
  table.text("why");
  table.must_be_read();
  return one;
}

Override read_override(const lab::Kit& kit, const Course& course, TomlTable table) {
  Override one;
  one.who = whom(course, table);
  table.must_have("lab");
  one.lab = which_lab(kit, course, table);
  const std::optional<double> points = table.number("points", 0, kMostPoints);
  const std::optional<double> add = table.number("add", -kMostPoints, kMostPoints);
  if (points.has_value() == add.has_value()) {
    table.fail("an override says `points` or `add`, and not both");
  }
  if (points) one.points = static_cast<int>(*points);
  one.add = static_cast<int>(add.value_or(0));
  if (points.value_or(0) != one.points.value_or(0) || add.value_or(0) != one.add) {
    table.fail("points are whole", points ? "points" : "add");
  }
  one.by = table.must_have("by");
  one.why = table.must_have("why");
  const std::optional<ZonedMoment> at = table.moment("at");
  if (!at) table.fail("[[override]] says no `at`");
  one.at = at->moment;
  one.day = text::stamp(at->moment + at->offset).substr(0, 10);
  table.must_be_read();
  return one;
}

void read_overrides(const lab::Kit& kit, Course& course, TomlTable& top) {
  std::set<std::pair<std::string, std::string>> known;
  for (TomlTable& table : top.tables("override")) {
    course.overrides.push_back(read_override(kit, course, table));
    const Override& one = course.overrides.back();
    if (!known.insert({one.who, one.lab}).second) {
      table.fail(fmt::format("{} has two overrides in {}: leave one", one.who, one.lab), "who");
    }
  }
}

void read_labs(const lab::Kit& kit, Course& course, TomlTable& top) {
  const std::optional<int> hints = read_hints(top);
  for (TomlTable& table : top.tables("lab")) {
    CourseLab one = read_lab(kit, table);
    if (course.find(one.lab.name) != nullptr) {
      table.fail(fmt::format("{} stands in the course twice", one.lab.name), "lab");
    }
    if (!one.hints) one.hints = hints;
    course.labs.push_back(std::move(one));
  }
  std::ranges::sort(course.labs, {}, [](const CourseLab& one) { return one.lab.name; });
}

void read_extensions(const lab::Kit& kit, Course& course, TomlTable& top) {
  std::set<std::pair<std::string, std::string>> known, noted;
  for (TomlTable& table : top.tables("extension")) {
    course.extensions.push_back(read_extension(kit, course, table));
    const Extension& one = course.extensions.back();
    if (!known.insert({one.who, one.lab}).second) {
      table.fail(fmt::format("{} has two extensions of the same: leave one", one.who), "who");
    }
  }
  for (TomlTable& table : top.tables("handed_in")) {
    course.hand_ins.push_back(read_hand_in(kit, course, table));
    const HandInByHand& one = course.hand_ins.back();
    if (!noted.insert({one.who, one.lab}).second) {
      table.fail(fmt::format("{} handed in {} at two times: leave one", one.who, one.lab), "who");
    }
  }
}

void read_people(Course& course, const TomlTable& top) {
  if (course.roster.empty()) return;
  if (!fs::is_regular_file(course.roster)) {
    top.fail(fmt::format("there is no {}: export the list of participants, or leave `roster` out",
                         fs::proximate(course.roster).string()),
             "roster");
  }
  try {
    course.people = gradebook::read_roster(files::read_file(course.roster));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(
        fmt::format("{}: {}", fs::proximate(course.roster).string(), error.what()));
  }
}

std::string read_language(const lab::Kit& kit, TomlTable& top) {
  const std::string language = top.text("language").value_or("");
  try {
    language::catalog_of(kit.catalogs(), language);
  } catch (const std::invalid_argument& error) {
    top.fail(error.what(), "language");
  }
  return language;
}

}  // namespace

Course read_course(const lab::Kit& kit, const fs::path& given) {
  Course course;
  course.file = fs::absolute(given).lexically_normal();
  const std::string name = fs::proximate(course.file).string();
  if (!fs::is_regular_file(course.file)) {
    throw std::invalid_argument(
        fmt::format("there is no {}: `./nibble teach course init` writes one", name));
  }
  const toml::value table = parse_toml(files::read_file(course.file), name);
  TomlTable top(table, name, "");
  must_be_of_this_version(top, name);
  course.name = top.text("course").value_or("");
  course.term = top.text("term").value_or("");
  course.language = read_language(kit, top);
  course.roster = beside(course.file, top.text("roster"));
  course.grades = beside(course.file, top.text("grades").value_or("grades"));
  course.salt_file = beside(course.file, top.text("salt_from"));
  course.hidden = top.flag("hidden").value_or(false);
  const std::string attempts = top.text("attempts").value_or("last");
  if (attempts != "last" && attempts != "best") {
    top.fail("`attempts` is \"last\" or \"best\"", "attempts");
  }
  course.attempts = attempts == "best" ? CountedAttempt::kBest : CountedAttempt::kLast;
  if (const auto most = top.number("most_attempts", 1, 1000)) {
    if (*most != std::floor(*most)) top.fail("`most_attempts` is a whole number", "most_attempts");
    course.most_attempts = static_cast<std::size_t>(*most);
  }
  if (const auto late = top.table("late")) course.late = read_late(*late);
  read_people(course, top);
  read_labs(kit, course, top);
  read_extensions(kit, course, top);
  read_overrides(kit, course, top);
  course.marks = beside(course.file, top.text("marks").value_or("marks.csv"));
  course.manual_points = read_manual_points(kit, course, read_manual_rows(course));
  top.must_be_read();
  return course;
}

}  // namespace nibble::course
