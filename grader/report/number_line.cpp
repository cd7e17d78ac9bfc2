// Both values on one stretch of a line, with ticks whose numbers differ and have room.
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

/// So many digits that the numbers of two ticks differ.
int digits_of(double most, double step) {
  return std::clamp(static_cast<int>(std::log10(most / step)) + 2, 7, 12);
}

/// At an edge words stand beside their place, not around it.
const char* anchor_of(double x, double edge) {
  return x < edge ? "start" : x > kLineWide - edge ? "end" : "middle";
}

void draw_ticks(Drawing& drawing, const Stretch& stretch, bool integers) {
  const double most = std::max(std::abs(stretch.low), std::abs(stretch.high));
  const int ticks = most < 1e5 ? 6 : 3;  // long numbers need room
  double step = nice_step(stretch.high - stretch.low, ticks);
  if (integers) step = std::max(1.0, step);
  if (integers && stretch.high - stretch.low <= 40) {
    for (double v = std::ceil(stretch.low); v <= stretch.high; ++v) {
      drawing.line(stretch.x(v), kLineY - 4, stretch.x(v), kLineY + 4, "axis");
    }
  }
  for (double v = std::ceil(stretch.low / step) * step; v <= stretch.high; v += step) {
    const double value = std::abs(v) < step / 1e6 ? 0.0 : v;  // no -0, no 1e-17
    drawing.line(stretch.x(v), kLineY - 7, stretch.x(v), kLineY + 7, "axis");
    drawing.text(stretch.x(v), kLineY + 22, fmt::format("{:.{}g}", value, digits_of(most, step)),
                 "soft", anchor_of(stretch.x(v), 36));
  }
}

void draw_point(Drawing& drawing, const Stretch& stretch, double value, const std::string& words,
                std::string_view look, double label_y) {
  const double x = stretch.x(value);
  drawing.dot(x, kLineY, 6, look);
  drawing.line(x, label_y + 3, x, kLineY - 6, "axis");
  drawing.text(x, label_y, words, look, anchor_of(x, kLineWide / 3));
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
  constexpr double kLetter = 7.6, kWords = 16;  // as long as they are in any language
  const double room =
      std::max(150.0, kLetter * (kWords + static_cast<double>(got.size() + want.size())));
  const bool near = std::abs(stretch.x(*is) - stretch.x(*should)) < room;
  draw_point(drawing, stretch, *should, fmt::format("want {}", want), "want", 30);
  draw_point(drawing, stretch, *is, fmt::format("got {}", got), "got", near ? 14 : 30);
  return drawing.str();
}

}  // namespace nibble::report
