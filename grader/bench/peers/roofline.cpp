// The measured problems as a roofline: the kit's own and its peers'
// points under the machine's lines, drawn as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lookup.hpp"
#include "plots.hpp"
#include "report/log_axes.hpp"
#include "report/svg.hpp"

namespace nibble::peers {
namespace {

using report::LogAxes;
using report::Svg;

constexpr double kLeft = 70, kTop = 60, kPlotWidth = 700, kPlotHeight = 420;

/// Instruction sets, and their colours.
struct Family {
  const char* name;
  const char* color;
};
constexpr std::array<Family, 6> kFamilies = {{{"avx2", "#2a9d5c"},
                                              {"avx_vnni", "#8a4fbf"},
                                              {"avx512_vnni", "#1f6fb4"},
                                              {"amx_int8", "#c0392b"},
                                              {"neon_dot", "#1f6fb4"},
                                              {"fp32", "#777777"}}};

void draw_axes(Svg& svg, const LogAxes& axes) {
  for (double x = axes.range.least_x; x <= axes.range.most_x * 1.01; x *= 4) {
    svg.line(axes.x(x), kTop, axes.x(x), kTop + kPlotHeight, "#eee");
    svg.text(axes.x(x), kTop + kPlotHeight + 18, fmt::format("{:g}", x), "#222", 11, "middle");
  }
  for (double y = axes.range.least_y; y <= axes.range.most_y * 1.01; y *= 2) {
    svg.line(kLeft, axes.y(y), kLeft + kPlotWidth, axes.y(y), "#eee");
    svg.text(kLeft - 8, axes.y(y) + 4, fmt::format("{:.0f}", y), "#222", 11, "end");
  }
  svg.text(kLeft + kPlotWidth / 2, kTop + kPlotHeight + 40,
           "operations for each byte of a, b and c, all of them moved once", "#222", 12, "middle");
  svg.text(kLeft - 8, kTop - 14, "GOPS", "#222", 12, "end");
}

/// A horizontal line for an instruction. Names are not all at one x: some lines are close.
void draw_peak(Svg& svg, const LogAxes& axes, const Ceiling& peak, double name_x) {
  const double y = axes.y(peak.rate().median);
  svg.line(kLeft, y, kLeft + kPlotWidth, y, "#888", 1.0, true);
  svg.text(name_x, y - 4, fmt::format("{}: {:.0f}", peak.name, peak.rate().median), "#555", 11);
}

/// A rising line for a bandwidth.
void draw_bandwidth(Svg& svg, const LogAxes& axes, const Ceiling& read) {
  const double rate = read.rate().median;
  const double from = std::max(axes.range.least_x, axes.range.least_y / rate);
  const double to = std::min(axes.range.most_x, axes.range.most_y / rate);
  svg.line(axes.x(from), axes.y(from * rate), axes.x(to), axes.y(to * rate), "#888");
  svg.text(axes.x(from) + 12, axes.y(from * rate) + 9,
           fmt::format("{}: {:.0f} GB/s", read.name, rate), "#555", 10);
}

/// Where the points of a shape are, and its name below them.
void draw_shape(Svg& svg, const LogAxes& axes, const Score& row) {
  const double x = axes.x(row.operations() / row.bytes()), foot = kTop + kPlotHeight;
  svg.line(x, kTop, x, foot, "#ddd");
  svg.turned_text(x - 3, foot - 6, 90, shape_name(row.shape), "#444", 10);
}

/// The fastest right product of a family, ours or theirs.
const Score* best_row(const Results& results, const MatmulShape& shape, const std::string& family,
                      bool is_ours) {
  const Score* best = nullptr;
  for (const Contender& contender : multipliers(results)) {
    if (contender.is_ours != is_ours || contender.family != family) continue;
    const Score* const row = product_row(results, contender.name, shape, 1);
    if (row == nullptr || is_wrong(*row)) continue;
    if (best == nullptr || row->gops() > best->gops()) best = row;
  }
  return best;
}

/// Theirs is a ring; ours a disk, on top of it.
void draw_points(Svg& svg, const LogAxes& axes, const Results& results, const MatmulShape& shape) {
  for (const bool is_ours : {false, true}) {
    for (const auto& [family, color] : kFamilies) {
      const Score* const row = best_row(results, shape, family, is_ours);
      if (row == nullptr) continue;
      const double x = axes.x(row->operations() / row->bytes()), y = axes.y(row->gops());
      svg.circle(x, y, is_ours ? 4 : 7, color, is_ours);
    }
  }
}

void draw_legend(Svg& svg, const Results& results) {
  double x = kLeft;
  const double y = kTop + kPlotHeight + 68;
  for (const Family& family : kFamilies) {
    const bool is_shown = std::ranges::any_of(
        multipliers(results), [&](const Contender& each) { return each.family == family.name; });
    if (!is_shown) continue;
    svg.circle(x, y - 4, 4, family.color);
    svg.text(x + 9, y, family.name, "#222", 12);
    x += 100;
  }
  svg.text(x, y, "disk: ours; ring: the fastest peer whose sums are right", "#222", 12);
}

LogAxes axes_of(const Results& results) {
  double most = 64;
  for (const Ceiling& ceiling : results.ceilings) {
    if (ceiling.threads == 1 && ceiling.bytes == 0) most = std::max(most, ceiling.rate().most);
  }
  return {{0.25, 1024, 4, std::exp2(std::ceil(std::log2(most * 1.2)))},
          kLeft,
          kTop + kPlotHeight,
          kPlotWidth,
          kPlotHeight};
}

}  // namespace

std::string roofline(const Results& results) {
  Svg svg(kLeft + kPlotWidth + 40, kTop + kPlotHeight + 90, "Roofline of int8 products");
  const LogAxes axes = axes_of(results);
  svg.text(kLeft, 24, "Products beside what instructions and memory allow, one thread", "#222", 16);
  draw_axes(svg, axes);
  bool is_even = false;
  for (const Ceiling& ceiling : results.ceilings) {
    if (ceiling.threads != 1) continue;
    if (!ceiling.family.empty()) {
      draw_peak(svg, axes, ceiling, kLeft + (is_even ? 80 : 250));
      is_even = !is_even;
    }
    if (ceiling.name.starts_with("read") && ceiling.bytes >= 256 << 10) {
      draw_bandwidth(svg, axes, ceiling);
    }
  }
  for (const MatmulShape& shape : shapes_of(results)) {
    for (const Score& row : results.rows) {
      if (!is_same(row.shape, shape)) continue;
      draw_shape(svg, axes, row);
      break;
    }
    draw_points(svg, axes, results, shape);
  }
  draw_legend(svg, results);
  return svg.str();
}

}  // namespace nibble::peers
