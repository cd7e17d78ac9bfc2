#include "report/drawing.hpp"

#include <fmt/format.h>

#include "report/html.hpp"

namespace nibble::report {

Drawing::Drawing(double width, double height, std::string_view says)
    : text_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" "
                        "role=\"img\" aria-label=\"{}\">\n",
                        width, height, html(says))) {}

void Drawing::rect(double x, double y, double width, double height, std::string_view look) {
  text_ += fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "rx=\"1.5\"/>\n",
      look, x, y, width, height);
}

void Drawing::line(double x1, double y1, double x2, double y2, std::string_view look) {
  text_ +=
      fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                  look, x1, y1, x2, y2);
}

void Drawing::dot(double x, double y, double radius, std::string_view look) {
  text_ += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\"/>\n", look, x,
                       y, radius);
}

void Drawing::text(double x, double y, std::string_view words, std::string_view look,
                   std::string_view anchor) {
  text_ +=
      fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                  look, x, y, anchor, html(words));
}

}  // namespace nibble::report
