#include "report/ruler_picture.hpp"

#include <fmt/format.h>

#include <string_view>

#include "report/drawing.hpp"

namespace nibble::report {
namespace {

using record::RulerRow;

constexpr double kRulerWide = 360, kRulerLeft = 66, kRulerRow = 24;
constexpr std::string_view kRulerBits = "0123456789abcdef";

std::string words_for(const std::vector<RulerRow>& rows) {
  std::string words = "Float formats on a ruler from 0 to 8, and their bits by powers of two:";
  for (const RulerRow& row : rows) {
    words += fmt::format(" {} has {} numbers from 1 to 2, and reaches from {:.4g} to {:.4g};",
                         row.name, row.up_to_two, row.smallest, row.largest);
  }
  words.back() = '.';
  return words;
}

void draw_marks(Drawing& drawing, const RulerRow& row, double y) {
  const double apart = (kRulerWide - kRulerLeft - 8) / static_cast<double>(row.marks.size() - 1);
  drawing.text(0, y + 4, row.name);
  for (std::size_t i = 0; i < row.marks.size(); ++i) {
    const double x = kRulerLeft + apart * static_cast<double>(i), tall = i % 8 == 0 ? 8 : 5;
    if (row.marks[i] == '|') drawing.line(x, y - tall, x, y + tall, "axis");
  }
  drawing.line(kRulerLeft, y, kRulerWide - 8, y, "grid");
}

void draw_bits(Drawing& drawing, const RulerRow& row, double y) {
  const double cell = (kRulerWide - kRulerLeft - 8) / static_cast<double>(row.bits.size());
  drawing.text(0, y + 4, row.name);
  for (std::size_t i = 0; i < row.bits.size(); ++i) {
    const std::size_t bits = kRulerBits.find(row.bits[i]);
    if (bits == kRulerBits.npos) continue;
    const double tall = 2 + 1.6 * static_cast<double>(bits);
    drawing.rect(kRulerLeft + cell * static_cast<double>(i), y + 6 - tall, cell, tall, "accent");
  }
  drawing.line(kRulerLeft, y + 6, kRulerWide - 8, y + 6, "axis");
}

}  // namespace

std::string ruler_text(const std::vector<RulerRow>& rows) {
  if (rows.empty()) return "";
  std::string text = fmt::format("{:10}", "");
  for (int whole = 0; whole < 8; ++whole) text += fmt::format("{:<8}", whole);
  text += "8\n";
  for (const RulerRow& row : rows) text += fmt::format("{:<10}{}\n", row.name, row.marks);
  text += fmt::format("\n{:10}{:<34}{:<28}2^112\n", "", "2^-136", "2^0");
  for (const RulerRow& row : rows) text += fmt::format("{:<10}{}\n", row.name, row.bits);
  text += "\n              smallest       largest   numbers from 1 to 2\n";
  for (const RulerRow& row : rows) {
    text += fmt::format("{:<10}{:12.4g}{:14.5g}{:22}\n", row.name, row.smallest, row.largest,
                        row.up_to_two);
  }
  return text;
}

std::string ruler_svg(const std::vector<RulerRow>& rows) {
  if (rows.empty()) return "";
  const double block = kRulerRow * static_cast<double>(rows.size()), second = block + 46;
  Drawing drawing(kRulerWide, second + block + 22, words_for(rows));
  for (int whole = 0; whole <= 8; whole += 2) {
    drawing.text(kRulerLeft + (kRulerWide - kRulerLeft - 8) * whole / 8, 12, std::to_string(whole),
                 "soft", "middle");
  }
  double y = 30;
  for (const RulerRow& row : rows) {
    draw_marks(drawing, row, y);
    y += kRulerRow;
  }
  y = second;
  for (const RulerRow& row : rows) {
    draw_bits(drawing, row, y);
    y += kRulerRow;
  }
  drawing.text(kRulerLeft, y + 4, "2^-136", "soft");
  drawing.text(kRulerLeft + (kRulerWide - kRulerLeft - 8) * 34 / 66, y + 4, "2^0", "soft",
               "middle");
  drawing.text(kRulerWide - 8, y + 4, "2^128", "soft", "end");
  return drawing.str();
}

}  // namespace nibble::report
