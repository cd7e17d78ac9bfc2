// The roofline as a drawing in a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "report/log_axes.hpp"
#include "report/roofline.hpp"
#include "report/svg.hpp"

namespace nibble::report {
namespace {

constexpr double kLeft = 80, kTop = 70, kWidth = 560, kHeight = 400;
constexpr double kRight = kLeft + kWidth, kBottom = kTop + kHeight;
constexpr double kLegend = kRight + 130;
constexpr double kWhole = kLegend + 290, kTall = kBottom + 70;
constexpr const char* kGrid = "#e4e4e4";
constexpr const char* kRoof = "#6b6b6b";
constexpr const char* kSlope = "#8a5a00";
constexpr const char* kYours = "#0b5cad";
constexpr const char* kPublished = "#b3261e";

void draw_axes(Svg& svg, const LogAxes& axes) {
  for (double x = axes.range.least_x; x <= axes.range.most_x * 1.01; x *= 2) {
    svg.line(axes.x(x), kTop, axes.x(x), kBottom, kGrid);
    svg.text(axes.x(x), kBottom + 18, fmt::format("{:g}", x), "#222", 12, "middle");
  }
  for (double decade = 1e-3; decade < 1e7; decade *= 10) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double y = decade * step;
      if (y < axes.range.least_y || y > axes.range.most_y) continue;
      svg.line(kLeft, axes.y(y), kRight, axes.y(y), kGrid);
      svg.text(kLeft - 8, axes.y(y) + 4, fmt::format("{:g}", y), "#222", 12, "end");
    }
  }
  svg.line(kLeft, kBottom, kRight, kBottom, "#222");
  svg.line(kLeft, kTop, kLeft, kBottom, "#222");
  svg.text((kLeft + kRight) / 2, kBottom + 44, "operations for each byte moved (operations / byte)",
           "#222", 13, "middle");
  svg.turned_text(28, (kTop + kBottom) / 2, 90, "10^9 operations a second (GOPS)", "#222", 13,
                  "middle");
}

/// A slope rises from the edge of the drawing to the highest roof; its name lies on it.
void draw_slope(Svg& svg, const LogAxes& axes, const Ceilings::Read& read, double best) {
  const double from = std::max(axes.range.least_x, axes.range.least_y / read.gbytes);
  const double to = std::min(axes.range.most_x, best / read.gbytes);
  if (from >= to) return;
  const double x1 = axes.x(from), y1 = axes.y(from * read.gbytes);
  const double x2 = axes.x(to), y2 = axes.y(to * read.gbytes);
  svg.line(x1, y1, x2, y2, kSlope, 1.5);
  const double radians = std::atan2(y1 - y2, x2 - x1);
  // 4 above the line, and a little before its end.
  svg.turned_text(
      x2 - 18 * std::cos(radians) - 4 * std::sin(radians),
      y2 + 18 * std::sin(radians) - 4 * std::cos(radians), radians * 180 / std::numbers::pi,
      fmt::format("{}: {:.0f} GB/s", size_text(read.bytes), read.gbytes), kSlope, 11, "end");
}

void draw_ceilings(Svg& svg, const LogAxes& axes, const Ceilings& ceilings) {
  double reads = 0.0;
  for (const auto& read : ceilings.reads) {
    reads = std::max(reads, read.gbytes);
    draw_slope(svg, axes, read, ceilings.best_gops());
  }
  double lowest_label = kBottom;
  for (const auto& peak : ceilings.peaks) {
    const double from =
        reads > 0 ? std::max(axes.range.least_x, peak.gops / reads) : axes.range.least_x;
    svg.line(axes.x(from), axes.y(peak.gops), kRight, axes.y(peak.gops), kRoof, 1.5, peak.assumed);
    lowest_label = std::min(axes.y(peak.gops) + 4, lowest_label - 14);
    svg.text(kRight + 6, lowest_label,
             fmt::format("{} {:.0f}{}", peak.isa, peak.gops, peak.assumed ? ", assumed" : ""),
             kRoof, 12);
  }
}

struct Label {
  char letter;
  double x, y;  ///< of the point
};

/// Right of every point that is near.
double lane_of(const Label& label, const std::vector<Label>& labels) {
  constexpr double kNear = 60;
  double lane = label.x;
  for (const Label& other : labels) {
    if (std::abs(other.x - label.x) < kNear) lane = std::max(lane, other.x);
  }
  return lane + 18;
}

/// Letters stand beside their points, apart from each other, with a line to what they name.
void draw_labels(Svg& svg, std::vector<Label> labels) {
  constexpr double kApart = 15;
  std::ranges::sort(labels, [](const Label& a, const Label& b) { return a.y > b.y; });
  double above = kBottom + kApart;
  for (const Label& label : labels) {
    const double y = std::min(label.y, above - kApart), lane = lane_of(label, labels);
    above = y;
    svg.line(label.x + 6, label.y, lane - 2, y, "#999");
    svg.text(lane, y + 4, std::string(1, label.letter));
  }
}

void draw_rungs(Svg& svg, const LogAxes& axes, const Ladder& ladder) {
  std::vector<Label> labels;
  for (const Rung& rung : ladder.rungs) {
    if (rung.intensity() <= 0 || rung.published() <= 0) continue;
    const double x = axes.x(rung.intensity());
    const bool measured = rung.yours() > 0;
    if (ladder.has_published) svg.circle(x, axes.y(rung.published()), 5, kPublished, false);
    if (measured) svg.circle(x, axes.y(rung.yours()), 4, kYours);
    labels.push_back({rung.letter, x, axes.y(measured ? rung.yours() : rung.published())});
  }
  draw_labels(svg, std::move(labels));
}

std::string rate_text(double rate, const char* unit) {
  return rate <= 0 ? "not measured" : fmt::format("{:.{}f} {}", rate, rate < 100 ? 1 : 0, unit);
}

void draw_legend(Svg& svg, const Ladder& ladder) {
  double y = kTop + 4;
  svg.circle(kLegend, y - 4, 4, kYours);
  svg.text(kLegend + 12, y, "yours");
  if (ladder.has_published) {
    svg.circle(kLegend + 90, y - 4, 5, kPublished, false);
    svg.text(kLegend + 102, y, "published solution");
  }
  for (const Rung& rung : ladder.rungs) {
    y += 30;
    svg.text(kLegend, y, fmt::format("{}  {}", rung.letter, rung.exercise));
    std::string figures = rung.state == Rung::State::kNotWritten
                              ? "not written yet"
                              : rate_text(rung.yours(), rung.unit());
    if (ladder.has_published) figures += "; published " + rate_text(rung.published(), rung.unit());
    svg.text(kLegend + 18, y + 14, figures, "#555", 11);
  }
}

}  // namespace

std::string roofline_svg(const Ladder& ladder) {
  const LogAxes axes{range_of(ladder), kLeft, kBottom, kWidth, kHeight};
  const double tall = std::max(kTall, kTop + 30.0 * static_cast<double>(ladder.rungs.size()) + 60);
  Svg svg(kWhole, tall, "Roofline of " + ladder.lab);
  svg.text(kLeft, 30, ladder.lab + " · " + ladder.title + ": the roofline of one core", "#222", 17);
  svg.text(
      kLeft, 50,
      fmt::format("{} · {} · {} · CPU time", ladder.machine.cpu, ladder.compiler, ladder.started),
      "#555", 12);
  draw_axes(svg, axes);
  draw_ceilings(svg, axes, ladder.ceilings);
  draw_rungs(svg, axes, ladder);
  draw_legend(svg, ladder);
  return svg.str();
}

}  // namespace nibble::report
