// A drawing, written element by element: enough of SVG for axes, lines, points and words.
#pragma once

#include <string>
#include <string_view>

namespace nibble::report {

class Svg {
 public:
  /// On white; `title` is what a screen reader says first.
  Svg(double width, double height, std::string_view title);

  void line(double x1, double y1, double x2, double y2, std::string_view colour,
            double thickness = 1.0, bool dashed = false);
  /// Hollow when `filled` is false; so is a circle.
  void rect(double x, double y, double width, double height, std::string_view colour,
            bool filled = true);
  void circle(double x, double y, double radius, std::string_view colour, bool filled = true);
  void text(double x, double y, std::string_view words, std::string_view colour = "#222",
            double size = 13, std::string_view anchor = "start");
  /// The same, turned by so many degrees against the clock around its own beginning.
  void turned_text(double x, double y, double degrees, std::string_view words,
                   std::string_view colour = "#222", double size = 13,
                   std::string_view anchor = "start");

  /// The whole file.
  std::string str() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace nibble::report
