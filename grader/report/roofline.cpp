// A grid of characters: ceilings first, then the rungs as letters, then both axes.
#include "report/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

namespace nibble::report {
namespace {

constexpr int kColumns = 66, kRows = 18;

bool is_drawn(const Rung& rung) { return rung.intensity() > 0 && rung.published() > 0; }

/// Characters, and where a pair of values belongs among them.
class Plot {
 public:
  explicit Plot(const RooflineRange& range)
      : range_(range), rows_(kRows, std::string(kColumns, ' ')) {}

  double x_of(int column) const {
    return range_.least_x * std::pow(range_.most_x / range_.least_x, (column + 0.5) / kColumns);
  }
  int column_of(double x) const {
    return static_cast<int>(kColumns * share(x, range_.least_x, range_.most_x));
  }
  int row_of(double y) const {
    return kRows - 1 -
           static_cast<int>(std::floor(kRows * share(y, range_.least_y, range_.most_y)));
  }
  bool holds(int column, int row) const {
    return 0 <= column && column < kColumns && 0 <= row && row < kRows;
  }
  char& at(int column, int row) {
    return rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }
  void put(int column, int row, char mark) {
    if (holds(column, row)) at(column, row) = mark;
  }
  const std::string& row(int row) const { return rows_[static_cast<std::size_t>(row)]; }

 private:
  static double share(double value, double least, double most) {
    return std::log(value / least) / std::log(most / least);
  }

  RooflineRange range_;
  std::vector<std::string> rows_;
};

/// The fastest read: the leftmost slope, which every roof begins at.
double best_read(const Ceilings& ceilings) {
  double best = 0.0;
  for (const auto& read : ceilings.reads) best = std::max(best, read.gbytes);
  return best;
}

void draw_ceilings(Plot& grid, const Ceilings& ceilings) {
  const double reads = best_read(ceilings);
  for (int column = 0; column < kColumns; ++column) {
    const double x = grid.x_of(column);
    for (std::size_t i = ceilings.reads.size(); i-- > 0;) {  // the fastest last: it stays visible
      const double y = x * ceilings.reads[i].gbytes;
      if (y <= ceilings.best_gops()) grid.put(column, grid.row_of(y), static_cast<char>('1' + i));
    }
    for (const auto& peak : ceilings.peaks) {
      if (x * reads >= peak.gops) grid.put(column, grid.row_of(peak.gops), '-');
    }
  }
}

/// Two rungs at one place stand side by side.
void put_letter(Plot& grid, double x, double y, char letter) {
  int column = grid.column_of(x);
  const int row = grid.row_of(y);
  while (grid.holds(column, row) &&
         std::isalpha(static_cast<unsigned char>(grid.at(column, row))) != 0) {
    ++column;
  }
  grid.put(column, row, letter);
}

void draw_rungs(Plot& grid, const Ladder& ladder) {
  for (const Rung& rung : ladder.rungs) {
    if (is_drawn(rung) && rung.yours() > 0) {
      put_letter(grid, rung.intensity(), rung.yours(), rung.letter);
    }
  }
  for (const Rung& rung : ladder.rungs) {
    if (!is_drawn(rung) || !ladder.has_published) continue;
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(rung.letter)));
    put_letter(grid, rung.intensity(), rung.published(), letter);
  }
}

/// "1000" beside the row that a power of ten falls into.
std::string row_label(const Plot& grid, int row) {
  for (double y = 0.001; y < 1e6; y *= 10) {
    if (grid.row_of(y * 1.0001) == row) return fmt::format("{:g}", y);
  }
  return "";
}

/// The names of the roofs that lie in this row.
std::string roof_names(const Plot& grid, const Ceilings& ceilings, int row) {
  std::string text;
  for (const auto& peak : ceilings.peaks) {
    if (grid.row_of(peak.gops) != row) continue;
    text += fmt::format(" {} {:.0f}{}", peak.isa, peak.gops, peak.assumed ? " (assumed)" : "");
  }
  return text;
}

std::string x_axis(const Plot& grid, const RooflineRange& range) {
  std::string ticks(kColumns + 8, ' ');
  for (double x = range.least_x; x <= range.most_x * 1.01; x *= 4) {
    const std::string tick = fmt::format("{:g}", x);
    const auto at = static_cast<std::size_t>(std::clamp(grid.column_of(x), 0, kColumns - 1));
    ticks.replace(at, tick.size(), tick);
  }
  return fmt::format("{:>6} +{}\n{:>6}  {}\n", "", std::string(kColumns, '-'), "", ticks);
}

}  // namespace

bool has_roofline(const Ladder& ladder) { return std::ranges::any_of(ladder.rungs, is_drawn); }

RooflineRange range_of(const Ladder& ladder) {
  double left = 1e30, right = 0.0, low = 1e30;
  for (const Rung& rung : ladder.rungs) {
    if (!is_drawn(rung)) continue;
    left = std::min(left, rung.intensity());
    right = std::max(right, rung.intensity());
    low = std::min({low, rung.published(), rung.yours() > 0 ? rung.yours() : rung.published()});
  }
  const double peak = ladder.ceilings.best_gops();
  if (const double reads = best_read(ladder.ceilings); reads > 0 && peak > 0) {
    left = std::min(left, peak / reads);
    right = std::max(right, peak / reads);
  }
  const double high = std::max(peak, low);
  return {std::exp2(std::floor(std::log2(left)) - 2), std::exp2(std::ceil(std::log2(right)) + 2),
          low / 2, high * 1.5};
}

std::string roofline_text(const Ladder& ladder) {
  const RooflineRange range = range_of(ladder);
  Plot grid(range);
  draw_ceilings(grid, ladder.ceilings);
  draw_rungs(grid, ladder);
  std::string text = "  GOPS\n";
  for (int row = 0; row < kRows; ++row) {
    text += fmt::format("{:>6} |{}{}\n", row_label(grid, row), grid.row(row),
                        roof_names(grid, ladder.ceilings, row));
  }
  text += x_axis(grid, range) + fmt::format("{:>8}operations for each byte moved\n", "");
  text += "letters    rungs, capital: yours";
  if (ladder.has_published) text += ", small: published";
  text += "; - what an instruction allows\ndigits     what reading allows:";
  for (std::size_t i = 0; i < ladder.ceilings.reads.size(); ++i) {
    const auto& read = ladder.ceilings.reads[i];
    text += fmt::format("{} {} from {} at {:.0f} GB/s", i == 0 ? "" : ",", i + 1,
                        size_text(read.bytes), read.gbytes);
  }
  return text + "\n";
}

}  // namespace nibble::report
