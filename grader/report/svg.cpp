#include "report/svg.hpp"

#include <fmt/format.h>

namespace nibble::report {
namespace {

std::string escaped(std::string_view words) {
  std::string text;
  for (const char c : words) {
    if (c == '<') {
      text += "&lt;";
    } else if (c == '>') {
      text += "&gt;";
    } else if (c == '&') {
      text += "&amp;";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title)
    : text_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\""
          " viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" role=\"img\">\n"
          "<title>{2}</title>\n"
          "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
          width, height, escaped(title))) {}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour,
               double thickness, bool dashed) {
  text_ += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\""
      " stroke-width=\"{:g}\"{}/>\n",
      x1, y1, x2, y2, colour, thickness, dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void Svg::rect(double x, double y, double width, double height, std::string_view colour,
               bool filled) {
  text_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\""
      " stroke=\"{}\"/>\n",
      x, y, width, height, filled ? colour : "#ffffff", colour);
}

void Svg::circle(double x, double y, double radius, std::string_view colour, bool filled) {
  text_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"{}\" stroke=\"{}\""
      " stroke-width=\"2\"/>\n",
      x, y, radius, filled ? colour : "#ffffff", colour);
}

void Svg::text(double x, double y, std::string_view words, std::string_view colour, double size,
               std::string_view anchor) {
  turned_text(x, y, 0, words, colour, size, anchor);
}

void Svg::turned_text(double x, double y, double degrees, std::string_view words,
                      std::string_view colour, double size, std::string_view anchor) {
  const std::string turn =
      degrees == 0 ? ""
                   : fmt::format(" transform=\"rotate({:.1f} {:.1f} {:.1f})\"", -degrees, x, y);
  text_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" font-size=\"{:g}\" text-anchor=\"{}\"{}>{}"
      "</text>\n",
      x, y, colour, size, anchor, turn, escaped(words));
}

}  // namespace nibble::report
