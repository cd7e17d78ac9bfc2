#include <fmt/format.h>

#include <algorithm>

#include "lookup.hpp"
#include "plots.hpp"
#include "report/svg.hpp"

namespace nibble::peers {
namespace {

using report::Svg;

constexpr double kBarHeight = 14, kBarStep = 18, kNameWidth = 262, kBarWidth = 380, kPanelGap = 46;
constexpr double kWidth = kNameWidth + kBarWidth + 190;
constexpr const char* kOurs = "#1f6fb4";
constexpr const char* kOneDnn = "#e08214";
constexpr const char* kOther = "#8a8a8a";

const char* color_of(const Contender& contender) {
  if (contender.is_ours) return kOurs;
  return contender.name.starts_with("oneDNN") ? kOneDnn : kOther;
}

std::vector<const Score*> rows_of(const Results& results, const MatmulShape& shape) {
  std::vector<const Score*> rows;
  for (const Contender& contender : multipliers(results)) {
    const Score* const row = product_row(results, contender.name, shape, 1);
    if (row != nullptr) rows.push_back(row);
  }
  return rows;
}

/// The bar, a line from the slowest to the fastest sample, and the figure. What is wrong is hollow.
void draw_bar(Svg& svg, const Score& row, double y, double per_gops) {
  const Summary time = row.time();
  const char* const color = color_of(row.contender);
  const auto x_of = [&](double seconds) {
    return kNameWidth + row.operations() / seconds * 1e-9 * per_gops;
  };
  svg.text(kNameWidth - 8, y + 11, row.contender.name, "#222", 12, "end");
  const double length = x_of(time.median) - kNameWidth;
  svg.rect(kNameWidth, y, length, kBarHeight, color, !is_wrong(row));
  svg.line(x_of(time.most), y + kBarHeight / 2, x_of(time.least), y + kBarHeight / 2, "#222");
  const std::string note =
      is_wrong(row) ? fmt::format("  WRONG: {:.1f} % of the sums", 100 * row.comparison.wrong) : "";
  svg.text(std::max(x_of(time.least), x_of(time.median)) + 6, y + 11,
           fmt::format("{:.{}f}{}", row.gops(), row.gops() < 10 ? 1 : 0, note), "#222", 12);
}

}  // namespace

std::string bar_chart(const Results& results) {
  const std::vector<MatmulShape> shapes = shapes_of(results);
  double height = 70;
  for (const MatmulShape& shape : shapes) {
    height += kPanelGap + kBarStep * double(rows_of(results, shape).size());
  }
  Svg svg(kWidth, height, "int8 products, one thread");
  svg.text(16, 26, "int8 products, one thread: GOPS (float32 for OpenBLAS and Eigen float32)",
           "#222", 16);
  svg.text(16, 46, "median; the thin line goes from the slowest to the fastest sample", "#666", 12);
  double y = 60;
  for (const MatmulShape& shape : shapes) {
    const std::vector<const Score*> rows = rows_of(results, shape);
    double most = 1e-9;
    for (const Score* const row : rows) {
      most = std::max(most, row->operations() / row->time().least * 1e-9);
    }
    svg.text(16, y + 22, shape_name(shape), "#222", 14);
    y += 30;
    for (const Score* const row : rows) {
      draw_bar(svg, *row, y, kBarWidth / most);
      y += kBarStep;
    }
    y += kPanelGap - 30;
  }
  return svg.str();
}

}  // namespace nibble::peers
