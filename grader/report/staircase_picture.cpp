// Each value on the line of text next to it, or as a dot; what lies beyond the ends is put on them.
#include "report/staircase_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/drawing.hpp"

namespace nibble::report {
namespace {

using record::Curve;

constexpr int kFirst = -4, kLast = 4, kEachUnit = 8;
constexpr std::size_t kMostValues = (kLast - kFirst) * kEachUnit + 1;

/// What is read from a file may be anything.
bool is_curve(const Curve& curve) {
  const double lines = (curve.high - curve.low) * curve.lines;
  return lines >= 1.0 && lines <= 64.0 && curve.values.size() <= kMostValues;
}

bool are_curves(const std::vector<Curve>& curves) {
  return !curves.empty() && std::ranges::all_of(curves, is_curve);
}

// --- As text -------------------------------------------------------------------------------------

std::string curve_text(const Curve& curve) {
  const double last = std::nearbyint((curve.high - curve.low) * curve.lines);
  std::vector<std::string> rows(static_cast<std::size_t>(last) + 1,
                                std::string(curve.values.size(), ' '));
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    const double row = std::nearbyint((curve.high - curve.values[i]) * curve.lines);
    rows[static_cast<std::size_t>(std::clamp(row, 0.0, last))][i] = row < 0.0    ? '^'
                                                                    : row > last ? 'v'
                                                                                 : '*';
  }
  std::string text;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double value = curve.high - static_cast<double>(row) / curve.lines;
    if (value == 0.0) std::ranges::replace(rows[row], ' ', '-');
    rows[row].resize(rows[row].find_last_not_of(' ') + 1);
    text += fmt::format("{:>13} {:5.2f}|{}\n", row == 0 ? curve.name : "", value, rows[row]);
  }
  return text;
}

// --- As a drawing --------------------------------------------------------------------------------

constexpr double kWide = 360, kLeft = 30, kRight = 12, kTitle = 22, kUnit = 14, kLeastTall = 24;

double x_of(double steps) {
  return kLeft + (kWide - kLeft - kRight) * (steps - kFirst) / (kLast - kFirst);
}

double steps_at(std::size_t i) { return kFirst + static_cast<double>(i) / kEachUnit; }

double tall(const Curve& curve) { return std::max(kLeastTall, kUnit * (curve.high - curve.low)); }

std::string words_for(const std::vector<Curve>& curves) {
  std::string words = "A staircase and its slopes, at each half of x / scale from -4 on:";
  for (const Curve& curve : curves) {
    words += " " + curve.name;
    for (std::size_t i = 0; i < curve.values.size(); i += kEachUnit / 2) {
      words += fmt::format(" {:.4g}", curve.values[i] + 0.0);  // no -0
    }
    words += ";";
  }
  words.back() = '.';
  return words;
}

void draw_curve(Drawing& drawing, const Curve& curve, double top) {
  const auto y_of = [&](double value) {
    return top + tall(curve) * (curve.high - value) / (curve.high - curve.low);
  };
  drawing.text(kLeft, top - 8, curve.name);
  for (int steps = kFirst; steps <= kLast; ++steps) {
    drawing.line(x_of(steps), top, x_of(steps), top + tall(curve), "grid");
  }
  for (const double value : {curve.low, curve.high}) {
    drawing.text(kLeft - 6, y_of(value) + 4, fmt::format("{:.3g}", value), "soft", "end");
  }
  if (curve.low <= 0.0 && curve.high >= 0.0) {
    drawing.line(x_of(kFirst), y_of(0.0), x_of(kLast), y_of(0.0), "axis");
  }
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    const double seen = std::clamp(curve.values[i], curve.low, curve.high);
    drawing.dot(x_of(steps_at(i)), y_of(seen), 2, seen == curve.values[i] ? "accent" : "got");
  }
}

}  // namespace

std::string staircase_text(const std::vector<Curve>& curves) {
  if (!are_curves(curves)) return "";
  std::string text;
  for (const Curve& curve : curves) text += curve_text(curve) + "\n";
  text += fmt::format("{:>18} {:2}", "x / scale", kFirst);
  for (int steps = kFirst + 1; steps <= kLast; ++steps) {
    text += fmt::format("{:{}}", steps, kEachUnit);
  }
  return text + "\n";
}

std::string staircase_svg(const std::vector<Curve>& curves) {
  if (!are_curves(curves)) return "";
  double height = 0.0;
  for (const Curve& curve : curves) height += kTitle + tall(curve) + 8;
  Drawing drawing(kWide, height + 36, words_for(curves));
  double top = kTitle;
  for (const Curve& curve : curves) {
    draw_curve(drawing, curve, top);
    top += tall(curve) + 8 + kTitle;
  }
  for (int steps = kFirst; steps <= kLast; ++steps) {
    drawing.text(x_of(steps), height + 12, std::to_string(steps), "soft", "middle");
  }
  drawing.text(kWide / 2, height + 28, "x / scale", "soft", "middle");
  return drawing.str();
}

}  // namespace nibble::report
