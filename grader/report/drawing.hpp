// A drawing inside a page: its colours are classes of the page's style, so that it follows light
// and dark, and its text is what a screen reader says.
#pragma once

#include <string>
#include <string_view>

namespace nibble::report {

class Drawing {
 public:
  /// Units are pixels of a phone's width; `says` stands for the whole picture where it is not seen.
  Drawing(double width, double height, std::string_view says);

  void rect(double x, double y, double width, double height, std::string_view look);
  void line(double x1, double y1, double x2, double y2, std::string_view look);
  void dot(double x, double y, double radius, std::string_view look);
  /// `anchor`: start, middle or end.
  void text(double x, double y, std::string_view words, std::string_view look = "",
            std::string_view anchor = "start");

  std::string str() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace nibble::report
