#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plots.hpp"
#include "svg.hpp"
#include "tables.hpp"

namespace nibble::peers {
namespace {

constexpr double kLeft = 70, kTop = 50, kPlotWidth = 640, kPlotHeight = 400;
constexpr const char* kOurs = "#1f6fb4";
constexpr const char* kPeers = "#e08214";

/// Both axes are logarithmic.
struct Axes {
  double x_least, x_most, y_least, y_most;

  double x(double intensity) const {
    return kLeft + kPlotWidth * std::log(intensity / x_least) / std::log(x_most / x_least);
  }
  double y(double gops) const {
    return kTop + kPlotHeight * (1 - std::log(gops / y_least) / std::log(y_most / y_least));
  }
};

void draw_axes(Svg& svg, const Axes& axes) {
  for (double x = axes.x_least; x <= axes.x_most * 1.01; x *= 4) {
    svg.line(axes.x(x), kTop, axes.x(x), kTop + kPlotHeight, "#eee");
    svg.text(axes.x(x), kTop + kPlotHeight + 18, fmt::format("{:.0f}", x), "middle", 11);
  }
  for (double y = axes.y_least; y <= axes.y_most * 1.01; y *= 2) {
    svg.line(kLeft, axes.y(y), kLeft + kPlotWidth, axes.y(y), "#eee");
    svg.text(kLeft - 8, axes.y(y) + 4, fmt::format("{:.0f}", y), "end", 11);
  }
  svg.text(kLeft + kPlotWidth / 2, kTop + kPlotHeight + 40,
           "operations for each byte of a, b and c (b once)", "middle");
  svg.text(kLeft, kTop - 10, "GOPS", "end");
}

/// A horizontal line for an instruction, with its name at the right.
void draw_peak(Svg& svg, const Axes& axes, const Ceiling& peak) {
  const double y = axes.y(peak.rate().median);
  svg.line(kLeft, y, kLeft + kPlotWidth, y, "#888", "stroke-dasharray=\"5 3\"");
  svg.text(kLeft + kPlotWidth - 4, y - 4, fmt::format("{}: {:.0f}", peak.name, peak.rate().median),
           "end", 11, "#555");
}

/// A rising line for a bandwidth, as far as the highest peak.
void draw_bandwidth(Svg& svg, const Axes& axes, const Ceiling& read) {
  const double rate = read.rate().median;
  const double from = std::max(axes.x_least, axes.y_least / rate);
  const double to = std::min(axes.x_most, axes.y_most / rate);
  svg.line(axes.x(from), axes.y(from * rate), axes.x(to), axes.y(to * rate), "#888");
  const double label = std::sqrt(from * to);
  svg.text(axes.x(label) + 6, axes.y(label * rate) + 14,
           fmt::format("{}: {:.0f} GB/s", read.name, rate), "start", 11, "#555");
}

void draw_point(Svg& svg, const Axes& axes, const Row& row, bool named) {
  const double x = axes.x(row.operations() / row.bytes()), y = axes.y(row.gops());
  svg.circle(x, y, 5, row.contender.is_ours ? kOurs : kPeers);
  if (named) svg.text(x, y + 20, shape_name(row.shape), "middle", 10);
}

/// The fastest right product for a shape, ours or theirs.
const Row* best_row(const Results& results, const MatmulShape& shape, bool is_ours) {
  const Row* best = nullptr;
  for (const Contender& contender : multipliers(results)) {
    if (contender.is_ours != is_ours) continue;
    const Row* const row = product_row(results, contender.name, shape, 1);
    if (row == nullptr || is_wrong(*row)) continue;
    if (best == nullptr || row->gops() > best->gops()) best = row;
  }
  return best;
}

Axes axes_of(const Results& results) {
  double most = 64;
  for (const Ceiling& ceiling : results.ceilings) {
    if (ceiling.threads == 1 && ceiling.bytes == 0) most = std::max(most, ceiling.rate().most);
  }
  return {1, 4096, 8, std::exp2(std::ceil(std::log2(most * 1.2)))};
}

}  // namespace

std::string roofline(const Results& results) {
  Svg svg(kLeft + kPlotWidth + 30, kTop + kPlotHeight + 80);
  const Axes axes = axes_of(results);
  svg.text(kLeft, 22,
           "The fastest int8 product of each shape beside this machine's ceilings, one thread",
           "start", 15);
  draw_axes(svg, axes);
  for (const Ceiling& ceiling : results.ceilings) {
    if (ceiling.threads != 1) continue;
    if (!ceiling.family.empty()) draw_peak(svg, axes, ceiling);
    if (ceiling.name.starts_with("read") && ceiling.bytes >= 256 << 10) {
      draw_bandwidth(svg, axes, ceiling);
    }
  }
  for (const MatmulShape& shape : shapes_of(results)) {
    const Row* const peer = best_row(results, shape, false);
    const Row* const ours = best_row(results, shape, true);
    if (peer != nullptr) draw_point(svg, axes, *peer, false);
    if (ours != nullptr) draw_point(svg, axes, *ours, true);
  }
  const double legend = kTop + kPlotHeight + 64;
  svg.circle(kLeft, legend - 4, 5, kOurs);
  svg.text(kLeft + 10, legend, "ours");
  svg.circle(kLeft + 70, legend - 4, 5, kPeers);
  svg.text(kLeft + 80, legend, "the fastest peer whose sums are right");
  return svg.str();
}

}  // namespace nibble::peers
