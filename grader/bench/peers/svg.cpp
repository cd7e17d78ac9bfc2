#include "svg.hpp"

#include <fmt/format.h>

namespace nibble::peers {
namespace {

std::string escaped(std::string_view words) {
  std::string out;
  for (const char each : words) {
    switch (each) {
      case '<':
        out += "&lt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += each;
    }
  }
  return out;
}

}  // namespace

Svg::Svg(double width, double height)
    : body_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\">\n",
                        width, height)) {
  rect(0, 0, width, height, "#fff");
}

void Svg::rect(double x, double y, double width, double height, std::string_view fill,
               std::string_view more) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" {}/>\n", x, y,
      width, height, fill, more);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke,
               std::string_view more) {
  body_ += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" {}/>\n", x1, y1,
      x2, y2, stroke, more);
}

void Svg::circle(double x, double y, double radius, std::string_view fill,
                 std::string_view stroke) {
  body_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"1.5\"/>\n",
      x, y, radius, fill, stroke);
}

void Svg::upright(double x, double y, std::string_view words, double size) {
  body_ += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" font-size=\"{:.0f}\" "
      "fill=\"#444\">{}</text>\n",
      x, y, size, escaped(words));
}

void Svg::text(double x, double y, std::string_view words, std::string_view anchor, double size,
               std::string_view fill) {
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.0f}\" text-anchor=\"{}\" "
      "fill=\"{}\">{}</text>\n",
      x, y, size, anchor, fill, escaped(words));
}

}  // namespace nibble::peers
