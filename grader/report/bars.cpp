#include "report/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/drawing.hpp"
#include "report/html.hpp"

namespace nibble::report {

static double tenths(double x) { return std::round(10 * x) / 10; }

std::string stacked_bar(const std::vector<BarPart>& shares, double whole, std::string_view says) {
  constexpr double kLong = 160;
  // There may be a thousand of them on a page: no more is written than it takes.
  const auto rect = [](std::string_view look, double x, double width) {
    return fmt::format("<rect class=\"{}\" x=\"{:g}\" width=\"{:g}\" height=\"14\"/>", look,
                       tenths(x), tenths(width));
  };
  std::string text = "<svg viewBox=\"0 0 160 14\" aria-hidden=\"true\">";
  double x = 0.0;
  for (const BarPart& share : shares) {
    const double width = whole > 0 ? kLong * share.amount / whole : 0.0;
    if (width > 0) text += rect(share.look, x, width);
    x += width;
  }
  if (tenths(kLong - x) > 0) text += rect("idle", x, kLong - x);
  return text + "</svg><span class=\"soft\">" + html(says) + "</span>";
}

namespace {

/// Into how many parts an axis of that length is cut: whole numbers where they can be had.
int parts_of(double length) {
  for (const int parts : {4, 3, 5}) {
    if (std::fmod(length, parts) == 0.0) return parts;
  }
  return 4;
}

}  // namespace

std::string histogram(const std::vector<int>& counts, double low, double high,
                      std::string_view axis, std::string_view says) {
  constexpr double kWide = 360, kLeft = 10, kTop = 20, kTall = 130, kGap = 3;
  const double bottom = kTop + kTall,
               bin = (kWide - 2 * kLeft) / static_cast<double>(counts.size());
  const int most = std::max(1, *std::ranges::max_element(counts));
  Drawing drawing(kWide, bottom + 40, says);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double x = kLeft + bin * static_cast<double>(i), tall = kTall * counts[i] / most;
    if (counts[i] == 0) continue;
    drawing.rect(x + kGap / 2, bottom - tall, bin - kGap, tall, "accent");
    drawing.text(x + bin / 2, bottom - tall - 5, std::to_string(counts[i]), "", "middle");
  }
  drawing.line(kLeft, bottom, kWide - kLeft, bottom, "axis");
  const int parts = parts_of(high - low);
  for (int tick = 0; tick <= parts; ++tick) {
    const double x = kLeft + (kWide - 2 * kLeft) * tick / parts;
    const char* const anchor = tick == 0 ? "start" : tick == parts ? "end" : "middle";
    drawing.line(x, bottom, x, bottom + 4, "axis");
    drawing.text(x, bottom + 17, fmt::format("{:.4g}", low + (high - low) * tick / parts), "soft",
                 anchor);
  }
  drawing.text(kWide / 2, bottom + 34, axis, "soft", "middle");
  return drawing.str();
}

std::string speed_bar(const SpeedBar& speed, std::string_view says) {
  constexpr double kWide = 360, kThick = 16, kTop = 22;
  const double most = 1.1 * std::max({speed.ratio + speed.margin, speed.full_at, 1.0});
  const auto at = [&](double ratio) { return kWide * ratio / most; };
  Drawing drawing(kWide, kTop + kThick + 24, says);
  drawing.rect(0, kTop, kWide, kThick, "idle");
  const char* const look = speed.ratio >= speed.full_at  ? "good"
                           : speed.ratio > speed.zero_at ? "part"
                                                         : "bad";
  drawing.rect(0, kTop, at(speed.ratio), kThick, look);
  drawing.line(at(speed.ratio - speed.margin), kTop + kThick / 2, at(speed.ratio + speed.margin),
               kTop + kThick / 2, "mark");
  drawing.line(at(1.0), kTop - 5, at(1.0), kTop + kThick, "mark");
  drawing.text(at(1.0), kTop - 9, "published", "soft", at(1.0) > kWide - 40 ? "end" : "middle");
  for (const double mark : {speed.zero_at, speed.full_at}) {
    drawing.line(at(mark), kTop, at(mark), kTop + kThick + 5, "mark");
  }
  drawing.text(at(speed.zero_at), kTop + kThick + 18, fmt::format("0 at {:g}x", speed.zero_at),
               "soft", "end");
  drawing.text(at(speed.full_at), kTop + kThick + 18, fmt::format("full at {:g}x", speed.full_at),
               "soft", at(speed.full_at) > kWide - 60 ? "end" : "start");
  return drawing.str();
}

}  // namespace nibble::report
