// The table of number formats as a drawing: bars of times, a group for each batch, and beside them
// the roofline with a point for each product.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "report/format_table.hpp"
#include "report/log_axes.hpp"
#include "report/svg.hpp"

namespace nibble::report {
namespace {

constexpr double kTop = 84, kBarHeight = 15, kBarStep = 20, kGroupGap = 34;
constexpr double kNames = 76, kBars = 300, kFigures = kNames + kBars + 10;
constexpr double kRoofLeft = 640, kRoofWidth = 420, kRoofHeight = 340;
constexpr double kWhole = kRoofLeft + kRoofWidth + 150;
constexpr const char* kGrid = "#e4e4e4";
constexpr const char* kRoof = "#6b6b6b";
constexpr std::array<const char*, 6> kColours = {"#5f6368", "#0b5cad", "#00796b",
                                                 "#8a5a00", "#b3261e", "#6a1b9a"};

const char* colour_of(std::size_t row) { return kColours.at(row % kColours.size()); }

/// One bar, with a line from where to where its ratio lies.
void draw_bar(Svg& svg, const FormatRow& row, const FormatCell& cell, double y, double unit,
              const char* colour) {
  svg.text(kNames - 8, y + 12, row.format + (row.emulated ? " *" : ""), "#222", 12, "end");
  svg.rect(kNames, y, unit * cell.ratio.middle, kBarHeight, colour);
  svg.line(kNames + unit * cell.ratio.low, y + kBarHeight / 2, kNames + unit * cell.ratio.high,
           y + kBarHeight / 2, "#222", 2);
  svg.text(kFigures, y + 12,
           fmt::format("{:.2f} · {} · {:.1f} dB", cell.ratio.middle,
                       duration_text(cell.seconds.middle), cell.sqnr_db),
           "#555", 11);
}

void draw_bars(Svg& svg, const FormatTable& table) {
  const double unit = kBars / table.longest_ratio();
  double y = kTop;
  const std::size_t batches = table.rows.empty() ? 0 : table.rows.front().cells.size();
  for (std::size_t b = 0; b < batches; ++b) {
    svg.text(
        kNames, y + 2,
        fmt::format("batch {}: time, as a share of fp32's", table.rows.front().cells[b].batch));
    y += 10;
    for (std::size_t r = 0; r < table.rows.size(); ++r, y += kBarStep) {
      draw_bar(svg, table.rows[r], table.rows[r].cells[b], y, unit, colour_of(r));
    }
    y += kGroupGap;
  }
}

/// Powers of two that hold every product, and the bend of each roof.
RooflineRange range_of(const FormatTable& table) {
  double left = 1e30, right = 0, low = 1e30, high = 0;
  for (const FormatRow& row : table.rows) {
    for (const FormatCell& cell : row.cells) {
      left = std::min(left, cell.intensity());
      right = std::max(right, cell.intensity());
      low = std::min(low, cell.gops());
      high = std::max({high, cell.gops(), row.peak_gops});
    }
  }
  return {std::exp2(std::floor(std::log2(left)) - 1), std::exp2(std::ceil(std::log2(right)) + 1),
          low / 2, high * 1.5};
}

void draw_axes(Svg& svg, const LogAxes& axes) {
  const double right = axes.left + axes.width, top = axes.bottom - axes.height;
  for (double x = axes.range.least_x; x <= axes.range.most_x * 1.01; x *= 4) {
    svg.line(axes.x(x), top, axes.x(x), axes.bottom, kGrid);
    svg.text(axes.x(x), axes.bottom + 16, fmt::format("{:g}", x), "#222", 11, "middle");
  }
  for (double y = std::exp2(std::ceil(std::log2(axes.range.least_y))); y <= axes.range.most_y;
       y *= 2) {
    svg.line(axes.left, axes.y(y), right, axes.y(y), kGrid);
    svg.text(axes.left - 6, axes.y(y) + 4, fmt::format("{:g}", y), "#222", 11, "end");
  }
  svg.text(axes.left, top - 10, "10^9 operations a second, by operations for each byte counted",
           "#222", 13);
}

/// The slope of memory, and a roof at `peak`.
void draw_roof(Svg& svg, const LogAxes& axes, double peak, double reads, std::string_view name) {
  if (peak <= 0 || reads <= 0) return;
  const double ridge = std::clamp(peak / reads, axes.range.least_x, axes.range.most_x);
  const double from = std::max(axes.range.least_x, axes.range.least_y / reads);
  svg.line(axes.x(from), axes.y(from * reads), axes.x(ridge), axes.y(ridge * reads), kRoof, 1.5);
  svg.line(axes.x(ridge), axes.y(peak), axes.left + axes.width, axes.y(peak), kRoof, 1.5);
  svg.text(axes.left + axes.width + 6, axes.y(peak) + 4, fmt::format("{} {:.0f}", name, peak),
           kRoof, 11);
}

void draw_roofline(Svg& svg, const FormatTable& table) {
  const LogAxes axes{range_of(table), kRoofLeft, kTop + 16 + kRoofHeight, kRoofWidth, kRoofHeight};
  draw_axes(svg, axes);
  draw_roof(svg, axes, table.rows.front().peak_gops, table.read_gbytes, "float32");
  draw_roof(svg, axes, table.rows.back().peak_gops, table.read_gbytes, "int8");
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (const FormatCell& cell : table.rows[r].cells) {
      svg.circle(axes.x(cell.intensity()), axes.y(cell.gops()), 4, colour_of(r));
    }
    const double y = axes.bottom + 44 + 16.0 * static_cast<double>(r);
    svg.circle(kRoofLeft + 4, y - 4, 4, colour_of(r));
    svg.text(kRoofLeft + 14, y, table.rows[r].format + ": " + table.rows[r].arithmetic, "#222", 11);
  }
}

}  // namespace

std::string format_table_svg(const FormatTable& table) {
  const std::size_t batches = table.rows.empty() ? 0 : table.rows.front().cells.size();
  const double bars = static_cast<double>(batches) *
                      (10 + kGroupGap + kBarStep * static_cast<double>(table.rows.size()));
  Svg svg(kWhole, kTop + std::max(bars, kRoofHeight + 170), "One product in every number format");
  svg.text(30, 30, fmt::format("y = x * w^T, w [{}, {}], in six number formats", table.n, table.k),
           "#222", 17);
  svg.text(30, 50,
           fmt::format("{} · {} · {} · CPU time of one core · * emulated", table.machine.cpu,
                       table.compiler, table.started),
           "#555", 12);
  draw_bars(svg, table);
  if (!table.rows.empty()) draw_roofline(svg, table);
  return svg.str();
}

}  // namespace nibble::report
