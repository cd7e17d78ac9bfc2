// Labs stand in columns by how many labs of their part one has to solve before.
#include "proofs/course.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>

#include "files/files.hpp"
#include "lab/lab.hpp"
#include "report/svg.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

// In the units of the drawing.
constexpr double kBox = 158, kColumn = 182, kRow = 44, kHigh = 32, kLeft = 130, kBand = 14;

struct Spot {
  int column = 0;
  int row = 0;
};

/// By number.
using Spots = std::map<std::string, Spot>;

const CourseStep* of_this_part(const std::vector<CourseStep>& course, const CourseStep& one,
                               const std::string& number) {
  const auto found = std::ranges::find_if(course, [&](const CourseStep& other) {
    return lab::Lab{other.name}.number() == number && other.part == one.part;
  });
  return found == course.end() ? nullptr : &*found;
}

/// The first free row of its part's band for each, behind all labs of its part that it stands on.
Spots spots_of(const std::vector<CourseStep>& course) {
  Spots spots;
  std::map<int, int> used;  // column -> rows taken, in this band
  int begin = 0, end = 0;
  std::string part;
  for (const CourseStep& one : course) {
    if (one.part != part) {
      begin = end;
      used.clear();
      part = one.part;
    }
    int column = 0;
    for (const std::string& number : one.before) {
      if (of_this_part(course, one, number) == nullptr) continue;
      column = std::max(column, spots.at(number).column + 1);
    }
    const int row = begin + used[column]++;
    end = std::max(end, row + 1);
    spots[lab::Lab{one.name}.number()] = {column, row};
  }
  return spots;
}

/// Directly, or by way of others.
bool stands_on(const std::vector<CourseStep>& course, const std::string& number,
               const std::string& other) {
  const auto lab = std::ranges::find_if(
      course, [&](const CourseStep& one) { return one.name.starts_with(number + "_"); });
  return lab != course.end() && std::ranges::any_of(lab->before, [&](const std::string& next) {
           return next == other || stands_on(course, next, other);
         });
}

/// Another lab that `one` stands on takes this one for granted: a line to it is enough.
bool follows(const std::vector<CourseStep>& course, const CourseStep& one,
             const std::string& number) {
  return std::ranges::any_of(
      one.before, [&](const std::string& other) { return stands_on(course, other, number); });
}

/// "25 cuda tensor core".
std::string words_of(const CourseStep& one) {
  std::string words = one.name;
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// Where things are, once each band has its room.
class Sheet {
 public:
  explicit Sheet(const std::vector<CourseStep>& course) : spots_(spots_of(course)) {
    int last = 0;
    for (const CourseStep& one : course) {
      const Spot& spot = at(one);
      columns_ = std::max(columns_, spot.column + 1);
      last = std::max(last, spot.row);
      if (!bands_.contains(one.part)) bands_[one.part] = spot.row;
    }
    rows_ = last + 1;
  }

  double width() const { return kLeft + columns_ * kColumn; }
  double height() const { return rows_ * kRow + static_cast<double>(bands_.size() + 1) * kBand; }
  double left(const CourseStep& one) const { return kLeft + at(one).column * kColumn; }
  double top(const CourseStep& one) const { return top_of_row(at(one).row); }
  double below(const CourseStep& one) const { return top(one) + (kHigh + kRow) / 2; }
  const std::map<std::string, int>& bands() const { return bands_; }

  double top_of_row(int row) const {
    const auto begun =
        std::ranges::count_if(bands_, [&](const auto& b) { return b.second <= row; });
    return row * kRow + static_cast<double>(begun) * kBand;
  }

 private:
  const Spot& at(const CourseStep& one) const { return spots_.at(lab::Lab{one.name}.number()); }

  Spots spots_;
  std::map<std::string, int> bands_;  ///< part -> its first row
  int columns_ = 0, rows_ = 0;
};

void draw_bands(report::Svg& svg, const Sheet& sheet) {
  for (const auto& [part, row] : sheet.bands()) {
    const double top = sheet.top_of_row(row);
    if (row > 0) svg.line(0, top - kBand / 2, sheet.width(), top - kBand / 2, "#dddddd");
    svg.text(8, top + kHigh / 2 + 4, part, "#555555", 12);
  }
}

/// To the next column straight; to one further on below the row of `from`, where no box stands.
void draw_line(report::Svg& svg, const Sheet& sheet, const CourseStep& from, const CourseStep& to) {
  constexpr const char* kColour = "#7a8ba8";
  constexpr double kThick = 1.5, kGutter = kColumn - kBox;
  double x = sheet.left(from) + kBox, y = sheet.top(from) + kHigh / 2;
  const double end = sheet.left(to), level = sheet.top(to) + kHigh / 2;
  if (x + kGutter < end) {
    const double lane = sheet.below(from);
    svg.line(x, y, x + kGutter, lane, kColour, kThick);
    svg.line(x + kGutter, lane, end - kGutter, lane, kColour, kThick);
    x = end - kGutter;
    y = lane;
  }
  svg.line(x, y, end, level, kColour, kThick);
  svg.circle(end, level, 2.5, kColour);
}

void draw_lines(report::Svg& svg, const Sheet& sheet, const std::vector<CourseStep>& course) {
  for (const CourseStep& one : course) {
    for (const std::string& number : one.before) {
      const CourseStep* const other = of_this_part(course, one, number);
      if (other != nullptr && !follows(course, one, number)) draw_line(svg, sheet, *other, one);
    }
  }
}

void draw_box(report::Svg& svg, const Sheet& sheet, const std::vector<CourseStep>& course,
              const CourseStep& one) {
  std::vector<std::string> elsewhere;
  for (const std::string& number : one.before) {
    if (of_this_part(course, one, number) == nullptr) elsewhere.push_back(number);
  }
  const double x = sheet.left(one), y = sheet.top(one);
  svg.rect(x, y, kBox, kHigh, "#eef2f8");
  svg.text(x + 8, y + (elsewhere.empty() ? 20 : 14), words_of(one), "#222222", 12);
  if (elsewhere.empty()) return;
  svg.text(x + 8, y + 27, fmt::format("after {}", fmt::join(elsewhere, ", ")), "#555555", 10);
}

}  // namespace

std::vector<std::string> known_already(std::string_view readme) {
  static const std::regex numbers(R"(\b\d\d\b)");
  for (const std::string& line : text::lines_of(readme)) {
    if (!line.starts_with("| You know already |")) continue;
    std::vector<std::string> known;
    for (std::sregex_iterator at(line.begin(), line.end(), numbers), none; at != none; ++at) {
      if (std::ranges::find(known, at->str()) == known.end()) known.push_back(at->str());
    }
    return known;
  }
  throw text::FormatError(1, "no row says what you know already");
}

std::vector<CourseStep> read_course(const fs::path& top) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(top / "labs")) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  std::vector<CourseStep> course;
  for (const std::string& name : names) {
    CourseStep one{name, lab::Lab{name}.part(),
                   known_already(files::read_file(top / "labs" / name / "README.md"))};
    for (const std::string& number : one.before) {
      const bool is_there = std::ranges::any_of(course, [&](const CourseStep& earlier) {
        return earlier.name.starts_with(number + "_");
      });
      if (!is_there) {
        throw std::runtime_error(name + " stands on lab " + number +
                                 ", which does not come before");
      }
    }
    course.push_back(one);
  }
  return course;
}

std::string draw_course(const std::vector<CourseStep>& course) {
  const Sheet sheet(course);
  report::Svg svg(sheet.width(), sheet.height(), "Which lab stands on which");
  draw_bands(svg, sheet);
  draw_lines(svg, sheet, course);
  for (const CourseStep& one : course) draw_box(svg, sheet, course, one);
  return svg.str();
}

}  // namespace nibble::proofs
