// Canvas takes its own export back. Only one column of it is filled; what Canvas does with the rest
// is what it would have done with the untouched file. The rules are those of its importer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "export/csv.hpp"
#include "export/formats.hpp"
#include "export/scaled_points.hpp"

namespace nibble::gradebook {
namespace {

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The number of cells, if it is the same in each of the lines; else 0.
std::size_t even_cells(const std::vector<std::string_view>& lines, char separator) {
  std::set<std::size_t> counts;
  for (const std::string_view line : lines) {
    try {
      const std::vector<Row> rows = read_csv(line, separator);
      counts.insert(rows.empty() ? 0 : rows.front().size());
    } catch (const std::invalid_argument&) {
      return 0;
    }
  }
  return counts.size() == 1 ? *counts.begin() : 0;
}

/// As Canvas decides it: on the first three lines, each by itself.
char separator_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (int i = 0; i < 3 && !text.empty(); ++i) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return even_cells(lines, ';') > even_cells(lines, ',') ? ';' : ',';
}

/// Where the students stand, and what they are known by.
struct SheetLayout {
  std::size_t id = 1, people = 3;     ///< columns before the assignments, at least
  std::vector<std::size_t> identity;  ///< columns that name a student, the one that counts first
};

SheetLayout layout_of(const Row& header) {
  const auto value = [&](std::size_t i) {
    return i < header.size() ? std::string_view(header[i].value) : std::string_view();
  };
  SheetLayout layout;
  const bool two_names = value(0) == "LastName" && value(1) == "FirstName";
  layout.id = two_names ? 2 : 1;
  const bool students = holds(value(0), two_names ? "LastName" : "Student");
  std::size_t next = layout.id + 1;
  layout.identity = {layout.id};
  while (holds(value(next), "SIS ") || holds(value(next), "Integration ID") ||
         holds(value(next), "Root Account")) {
    if (holds(value(next), "SIS ")) layout.identity.push_back(next);
    ++next;
  }
  if (!students || !holds(value(layout.id), "ID") || !holds(value(next), "Section")) {
    throw std::invalid_argument(
        "this is no export of a Canvas gradebook: its first row must begin with Student, ID, …, "
        "Section");
  }
  layout.people = next + 1;
  return layout;
}

bool is_computed(std::string_view title) {
  constexpr std::array kOwn = {"Current Score",  "Current Points", "Current Grade",
                               "Final Score",    "Final Points",   "Final Grade",
                               "Override Score", "Override Grade", "Override Status"};
  return std::ranges::any_of(kOwn, [&](const char* own) { return holds(title, own); });
}

std::string assignments_in(const Row& header, const SheetLayout& layout) {
  std::string names;
  for (std::size_t i = layout.people; i < header.size(); ++i) {
    if (!is_computed(header[i].value)) {
      names += (names.empty() ? "" : "; ") + header[i].value;
    }
  }
  return names.empty() ? "none" : names;
}

std::size_t find_column(const Row& header, const SheetLayout& layout, std::string_view title) {
  const int column = column_of(header, title);
  if (column == -2) {
    throw std::invalid_argument(fmt::format("the template has two columns `{}`", title));
  }
  if (column < static_cast<int>(layout.people) || is_computed(title)) {
    throw std::invalid_argument(
        fmt::format("the template has no assignment `{}`, and Canvas would make a new one. Name "
                    "one that it has: "
                    "{}",
                    title, assignments_in(header, layout)));
  }
  return static_cast<std::size_t>(column);
}

bool is_points_row(const Row& row) { return holds(row.front().value, "Points Possible"); }

/// Nothing, or what Canvas writes below the header for assignments that are posted by hand.
bool is_about_posting(const Cell& cell) {
  const std::size_t begin = std::min(cell.value.find_first_not_of(" \t"), cell.value.size());
  const std::string_view word = std::string_view(cell.value).substr(begin);
  return word.empty() || word == "Muted" || word.starts_with("Manual Posting");
}

bool names_nobody(const Row& row) {
  return std::ranges::all_of(row, [](const Cell& cell) { return is_about_posting(cell); });
}

bool is_excused(std::string_view cell) {
  return cell.size() == 2 && (cell[0] | 0x20) == 'e' && (cell[1] | 0x20) == 'x';
}

/// 4711, the "ID", of what came from Canvas, or is still called as Canvas calls it,
/// "lovelaceada_LATE_4711_90210_symmetric"; empty: neither.
std::string user_id_of(const Graded& one) {
  constexpr std::string_view kSystem = "canvas ";
  if (one.user.starts_with(kSystem)) return one.user.substr(kSystem.size());
  static const std::regex pattern("[^_]+_(?:LATE_)?([0-9]+)_[0-9]+_.+");
  std::smatch found;
  return std::regex_match(one.submission, found, pattern) ? found[1].str() : "";
}

/// Looks for the student of a row among ours.
class Matcher {
 public:
  Matcher(const Class& one_lab, const SheetLayout& layout) : layout_(layout) {
    for (const Graded* one : one_lab.with_points()) {
      by_student_[one->student] = one;
      const std::string id = user_id_of(*one);
      if (!id.empty() && !by_user_.emplace(id, one).second) {
        throw std::invalid_argument("two submissions are of the user " + id + " of Canvas");
      }
    }
  }

  /// nullptr: nobody of ours. Throws when the row's columns name two of ours.
  const Graded* find(const Row& row) {
    const Graded* found = nullptr;
    for (const std::size_t column : layout_.identity) {
      if (column >= row.size()) continue;
      found = same_one(found, look_up(by_student_, row[column].value));
    }
    if (layout_.id < row.size()) found = same_one(found, look_up(by_user_, row[layout_.id].value));
    if (found != nullptr && !used_.insert(found->student).second) {
      throw std::invalid_argument("two rows of the template name " + found->student);
    }
    return found;
  }

  std::vector<std::string> without_a_row() const {
    std::vector<std::string> names;
    for (const auto& [student, one] : by_student_) {
      if (!used_.contains(student)) names.push_back(student);
    }
    return names;
  }

 private:
  using Names = std::map<std::string, const Graded*, std::less<>>;

  static const Graded* look_up(const Names& names, const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? nullptr : found->second;
  }

  static const Graded* same_one(const Graded* one, const Graded* other) {
    if (one == nullptr || other == nullptr || one == other) return one == nullptr ? other : one;
    throw std::invalid_argument(
        fmt::format("one row of the template names {} and {}", one->student, other->student));
  }

  const SheetLayout& layout_;
  Names by_student_, by_user_;
  std::set<std::string> used_;
};

/// The cell of our column. Throws where the row is too short to have one.
const Cell& cell_of(const Row& row, std::size_t column) {
  if (column < row.size()) return row[column];
  throw std::invalid_argument(
      fmt::format("the row of {} is shorter than the first one: export the "
                  "gradebook again",
                  row.front().value));
}

/// Points Possible, as the cell below the title has it; empty: nowhere said.
std::string points_in_canvas(const std::vector<Row>& rows, std::size_t column) {
  const auto row = std::ranges::find_if(rows.begin() + 1, rows.end(), is_points_row);
  if (row == rows.end() || column >= row->size()) return "";
  const std::string& cell = (*row)[column].value;
  if (holds(cell, "read only")) {
    throw std::invalid_argument("Canvas says that this column is read only");
  }
  return cell;
}

/// What a grade of ours becomes in a column that gives `there` points.
ScaledPoints scaled_to(const std::string& there, int possible, const Scale& scale, Filled& filled) {
  if (scale.to_possible) return ScaledPoints(there, possible);
  const double in_canvas = std::atof(there.c_str());
  if (scale.points) {
    if (!there.empty() && in_canvas != *scale.points) {
      filled.remarks.push_back(fmt::format(
          "the assignment has {} points in Canvas, and the course scales to {}: make them the same",
          there, *scale.points));
    }
    return ScaledPoints(*scale.points, possible);
  }
  if (!there.empty() && in_canvas != possible) {
    filled.remarks.push_back(fmt::format(
        "the assignment has {} points in Canvas, the lab {}: --scale fits one to the other", there,
        possible));
  }
  return ScaledPoints();
}

void fill_row(const Row& row, std::size_t column, const ScaledPoints& points_for, Matcher& matcher,
              Filling& filling, Filled& filled) {
  const Graded* const graded = matcher.find(row);
  if (graded == nullptr && row.front().value == "Student, Test") return;  // Canvas's own
  if (graded == nullptr) {
    filled.remarks.push_back("no grade for " + row.front().value);
    return;
  }
  const Cell& cell = cell_of(row, column);
  const std::string points = points_for.of(graded->points());
  if (graded->by_hand) {
    filled.remarks.push_back(fmt::format("{}: {}", row.front().value, graded->by_hand->words));
  }
  if (is_excused(cell.value)) {
    filled.remarks.push_back(
        fmt::format("{} is excused and stays so (graded: {})", row.front().value, points));
    return;
  }
  if (!cell.value.empty() && cell.value != "-" &&
      std::atof(cell.value.c_str()) != std::atof(points.c_str())) {
    filled.remarks.push_back(
        fmt::format("{} had {} and has {} now", row.front().value, cell.value, points));
  }
  filling.put(cell, points);
  ++filled.grades;
}

}  // namespace

Filled canvas(const Class& one_lab, std::string exported, std::string_view title,
              const Scale& scale) {
  const std::vector<Row> rows = read_csv(exported, separator_of(exported));
  if (rows.empty()) throw std::invalid_argument("the template is empty");
  const SheetLayout layout = layout_of(rows.front());
  const std::size_t column = find_column(rows.front(), layout, title);
  const int possible =
      one_lab.graded.empty() ? 0 : points_possible(one_lab, one_lab.graded.front().lab());
  Filled filled;
  const ScaledPoints points_for =
      scaled_to(points_in_canvas(rows, column), possible, scale, filled);
  Filling filling(std::move(exported));
  Matcher matcher(one_lab, layout);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (is_points_row(rows[i]) || names_nobody(rows[i])) continue;
    fill_row(rows[i], column, points_for, matcher, filling, filled);
  }
  for (const std::string& student : matcher.without_a_row()) {
    filled.remarks.push_back(fmt::format("{} was graded and has no row", student));
  }
  filled.text = filling.str();
  return filled;
}

}  // namespace nibble::gradebook
