#include "report/number_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "report/drawing.hpp"

namespace nibble::report {
namespace {

constexpr double kLineWide = 360, kLineSide = 24, kLineY = 46;

std::optional<double> finite_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

/// 1, 2 or 5 times a power of ten, so that about `ticks` of them make `span`.
double nice_step(double span, int ticks) {
  const double rough = span / ticks, decade = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (decade * step >= rough) return decade * step;
  }
  return decade * 10;
}

/// The stretch of the line that is shown.
struct Stretch {
  double low, high;

  double x(double value) const {
    return kLineSide + (kLineWide - 2 * kLineSide) * (value - low) / (high - low);
  }
};

void draw_ticks(Drawing& drawing, const Stretch& stretch, bool integers) {
  double step = nice_step(stretch.high - stretch.low, 6);
  if (integers) step = std::max(1.0, step);
  if (integers && stretch.high - stretch.low <= 40) {
    for (double v = std::ceil(stretch.low); v <= stretch.high; ++v) {
      drawing.line(stretch.x(v), kLineY - 4, stretch.x(v), kLineY + 4, "axis");
    }
  }
  for (double v = std::ceil(stretch.low / step) * step; v <= stretch.high; v += step) {
    const double value = std::abs(v) < step / 1e6 ? 0.0 : v;  // no -0, no 1e-17
    drawing.line(stretch.x(v), kLineY - 7, stretch.x(v), kLineY + 7, "axis");
    drawing.text(stretch.x(v), kLineY + 22, fmt::format("{:.5g}", value), "soft", "middle");
  }
}

void draw_point(Drawing& drawing, const Stretch& stretch, double value, const std::string& words,
                std::string_view look, double label_y) {
  const double x = stretch.x(value);
  drawing.dot(x, kLineY, 6, look);
  const char* const anchor = x < kLineWide / 3 ? "start" : x > kLineWide * 2 / 3 ? "end" : "middle";
  drawing.line(x, label_y + 3, x, kLineY - 6, "axis");
  drawing.text(x, label_y, words, look, anchor);
}

}  // namespace

std::string number_line(std::string_view got, std::string_view want) {
  const auto is = finite_number(got), should = finite_number(want);
  if (!is || !should || *is == *should) return "";
  const double low = std::min(*is, *should), high = std::max(*is, *should);
  const double around =
      std::max((high - low) * 0.25, 1e-12 * std::max(std::abs(low), std::abs(high)));
  if (!std::isfinite(high - low + around)) return "";
  const bool integers =
      got.find_first_of(".e") == got.npos && want.find_first_of(".e") == want.npos;
  const double margin = integers ? std::max(2.0, around) : around;
  const Stretch stretch{low - margin, high + margin};
  Drawing drawing(kLineWide, kLineY + 30,
                  fmt::format("A number line: got {}, want {}.", got, want));
  drawing.line(4, kLineY, kLineWide - 4, kLineY, "axis");
  draw_ticks(drawing, stretch, integers);
  // Side by side when they are apart, one above the other when they are near.
  const bool near = std::abs(stretch.x(*is) - stretch.x(*should)) < 150;
  draw_point(drawing, stretch, *should, fmt::format("want {}", want), "want", 30);
  draw_point(drawing, stretch, *is, fmt::format("got {}", got), "got", near ? 14 : 30);
  return drawing.str();
}

}  // namespace nibble::report
