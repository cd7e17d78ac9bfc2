// Writes a drawing, element by element.
#pragma once

#include <string>
#include <string_view>

namespace nibble::peers {

class Svg {
 public:
  Svg(double width, double height);

  void rect(double x, double y, double width, double height, std::string_view fill,
            std::string_view more = "");
  void line(double x1, double y1, double x2, double y2, std::string_view stroke,
            std::string_view more = "");
  void circle(double x, double y, double radius, std::string_view fill, std::string_view stroke);
  /// `anchor`: start, middle or end.
  void text(double x, double y, std::string_view words, std::string_view anchor = "start",
            double size = 12, std::string_view fill = "#222");

  /// Read from below to above; begins at x, y.
  void upright(double x, double y, std::string_view words, double size);

  /// The whole file.
  std::string str() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

}  // namespace nibble::peers
