// A row is believed when everything that it names is in the course; a file is written when all of
// its rows are.
#include "course/manual_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "export/csv.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "text/lines.hpp"

namespace nibble::course {
namespace {

namespace fs = std::filesystem;
using gradebook::ManualPart;
using gradebook::Row;

struct RowColumn {
  const char* name;
  std::string ManualRow::*member;
};
constexpr std::array kColumns = {
    RowColumn{"who", &ManualRow::who},   RowColumn{"lab", &ManualRow::lab},
    RowColumn{"part", &ManualRow::part}, RowColumn{"points", &ManualRow::points},
    RowColumn{"by", &ManualRow::by},     RowColumn{"at", &ManualRow::at},
    RowColumn{"why", &ManualRow::why},
};

[[noreturn]] void refuse(const ManualRow& row, const std::string& why) {
  throw std::invalid_argument(row.where.empty() ? why : fmt::format("{}: {}", row.where, why));
}

const CourseLab& lab_of(const lab::Kit& kit, const Course& course, const ManualRow& row) {
  const lab::Lab* const lab = kit.find(row.lab);
  const CourseLab* const one = lab != nullptr ? course.find(lab->name) : nullptr;
  if (one == nullptr) {
    refuse(row, fmt::format("`{}` is no lab of this course. There are: {}", row.lab,
                            fmt::join(course.lab_names(), ", ")));
  }
  if (one->parts.manual.empty()) {
    refuse(row, fmt::format("{} has no part that a person marks: write `manual = {{ title = "
                            "\"report\", points = 20 }}` below it in {}",
                            one->lab.name, course.file.filename().string()));
  }
  return *one;
}

const ManualPart& part_of(const CourseLab& lab, const ManualRow& row) {
  const std::vector<ManualPart>& parts = lab.parts.manual;
  if (row.part.empty() && parts.size() == 1) return parts.front();
  const auto found = std::ranges::find(parts, row.part, &ManualPart::title);
  if (found != parts.end()) return *found;
  std::vector<std::string> titles;
  for (const ManualPart& one : parts) titles.push_back(one.title);
  const std::string names = fmt::format("{}", fmt::join(titles, ", "));
  refuse(row,
         row.part.empty()
             ? fmt::format("{} has several parts: say which of {}", lab.lab.name, names)
             : fmt::format("{} has no part `{}`. There are: {}", lab.lab.name, row.part, names));
}

/// As the roster calls them; without one as they are written.
std::string whom(const Course& course, const ManualRow& row) {
  if (row.who.empty()) refuse(row, "it says of nobody whose points they are");
  if (course.people.empty()) return row.who;
  const gradebook::Person* const person = gradebook::find_by_any_name(course.people, row.who);
  if (person != nullptr) return person->id;
  refuse(row, fmt::format("{} is nobody, or several, in {}: write a student_id of it{}", row.who,
                          course.roster.filename().string(),
                          row.where.empty() ? "" : ", or delete the row of somebody who left"));
}

int points_of(const CourseLab& lab, const ManualPart& part, const ManualRow& row) {
  int points = -1;
  const char* const end = row.points.data() + row.points.size();
  const auto [stopped, error] = std::from_chars(row.points.data(), end, points);
  const bool is_whole = error == std::errc() && stopped == end;
  if (is_whole && points >= 0 && points <= part.points) return points;
  refuse(row, fmt::format("{} has {} points for {} in {}: write a whole number from 0 to {}",
                          row.who, row.points.empty() ? "no" : row.points, part.title, lab.lab.name,
                          part.points));
}

/// The day of a date, with its time or without.
std::string day_of(const ManualRow& row) {
  constexpr std::size_t kDay = 10;
  const std::string day = row.at.substr(0, kDay);
  if (text::moment_of(row.at) || (row.at == day && text::moment_of(day + "T00:00:00Z"))) return day;
  refuse(row, fmt::format("`at` is a date, 2026-10-20, and not `{}`", row.at));
}

std::string said(const ManualRow& row, std::string ManualRow::*member, const char* name) {
  if (!(row.*member).empty()) return row.*member;
  refuse(row,
         fmt::format("{} has points for {} and no `{}`: write it down", row.who, row.lab, name));
}

int column_in(const Row& header, const std::string& name, const char* column) {
  const int found = gradebook::column_of(header, column);
  if (found >= -1) return found;
  throw std::invalid_argument(fmt::format("{} has two columns `{}`: leave one", name, column));
}

std::string cell_at(const Row& row, int column) {
  if (column < 0 || static_cast<std::size_t>(column) >= row.size()) return "";
  return gradebook::uncovered(text::trim(row[static_cast<std::size_t>(column)].value));
}

bool is_blank(const Row& row) {
  return std::ranges::all_of(row, [](const auto& cell) { return text::trim(cell.value).empty(); });
}

/// The rows of any table that has such columns. Columns that mean nothing to us are not looked at.
std::vector<ManualRow> rows_in(std::string_view table, const std::string& name,
                               const ManualRow& common) {
  const std::vector<Row> rows = gradebook::read_table(table, name);
  std::vector<ManualRow> all;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (is_blank(rows[i])) continue;
    ManualRow one = common;
    one.where = fmt::format("{}, row {}", name, i + 1);
    for (const RowColumn& column : kColumns) {
      const int place = column_in(rows.front(), name, column.name);
      if (place >= 0) one.*column.member = cell_at(rows[i], place);
    }
    const int id = column_in(rows.front(), name, "student_id");
    if (one.who.empty()) one.who = cell_at(rows[i], id);
    all.push_back(std::move(one));
  }
  return all;
}

void must_have(std::string_view table, const std::string& name,
               const std::vector<std::string>& columns) {
  const std::vector<Row> rows = gradebook::read_table(table, name);
  for (const std::string& column : columns) {
    if (!rows.empty() && gradebook::column_of(rows.front(), column) >= 0) continue;
    throw std::invalid_argument(fmt::format("{} has no column `{}`: its first row names {}", name,
                                            column, fmt::join(columns, ", ")));
  }
}

std::string text_of(const std::vector<ManualRow>& rows) {
  std::vector<std::string> cells;
  for (const RowColumn& column : kColumns) cells.emplace_back(column.name);
  std::string text = gradebook::csv_row(cells);
  for (const ManualRow& row : rows) {
    cells.clear();
    for (const RowColumn& column : kColumns) cells.push_back(row.*column.member);
    text += gradebook::csv_row(cells);
  }
  return text;
}

}  // namespace

std::pair<ManualKey, ManualPoints> manual_points_of(const lab::Kit& kit, const Course& course,
                                                    const ManualRow& row) {
  const CourseLab& lab = lab_of(kit, course, row);
  const ManualPart& part = part_of(lab, row);
  return {{whom(course, row), lab.lab.name, part.title},
          {points_of(lab, part, row), said(row, &ManualRow::by, "by"),
           said(row, &ManualRow::why, "why"), day_of(row)}};
}

std::map<ManualKey, ManualPoints> read_manual_points(const lab::Kit& kit, const Course& course,
                                                     const std::vector<ManualRow>& rows) {
  std::map<ManualKey, ManualPoints> all;
  for (const ManualRow& row : rows) {
    auto [key, points] = manual_points_of(kit, course, row);
    all.insert_or_assign(std::move(key), std::move(points));
  }
  return all;
}

std::vector<ManualRow> read_manual_rows(const Course& course) {
  if (!fs::exists(course.marks)) return {};
  const std::string table = files::read_file(course.marks);
  const std::string name = fs::proximate(course.marks).string();
  must_have(table, name, {"who", "lab", "part", "points", "by", "at", "why"});
  return rows_in(table, name, {});
}

std::vector<ManualRow> rows_for(std::string_view table, const std::string& name,
                                const ManualRow& common) {
  must_have(table, name, {"points", "why"});
  std::vector<ManualRow> rows = rows_in(table, name, common);
  std::erase_if(rows, [](const ManualRow& one) { return one.points.empty(); });
  if (rows.empty()) throw std::invalid_argument(name + " has points for nobody");
  return rows;
}

void add_manual_rows(const lab::Kit& kit, const Course& course,
                     const std::vector<ManualRow>& rows) {
  const files::FileLock lock(course.file);
  std::vector<ManualRow> all = read_manual_rows(course);
  for (ManualRow row : rows) {
    const ManualKey key = manual_points_of(kit, course, row).first;
    row.who = key.who, row.lab = key.lab, row.part = key.part;
    all.push_back(std::move(row));
  }
  files::write_atomically(course.marks, text_of(all));
}

}  // namespace nibble::course
