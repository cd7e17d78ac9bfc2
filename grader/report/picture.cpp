#include "report/picture.hpp"

#include "report/block_picture.hpp"
#include "report/clips_picture.hpp"
#include "report/html.hpp"
#include "report/ruler_picture.hpp"
#include "report/staircase_picture.hpp"

namespace nibble::report {
namespace {

std::string captioned(const std::string& svg, const char* caption) {
  return svg.empty() ? "" : figure(svg, caption);
}

}  // namespace

std::string picture_text(const record::Picture& picture) {
  std::string text = picture.clips ? clips_text(*picture.clips) : "";
  text += staircase_text(picture.staircase) + ruler_text(picture.ruler) + block_text(picture.block);
  for (const std::string& note : picture.notes) text += "not drawn  " + note + "\n";
  return text;
}

std::string picture_html(const record::Picture& picture) {
  std::string body;
  if (picture.clips) {
    body += captioned(clips_svg(*picture.clips), "Where your calibrators cut the same values.");
  }
  body +=
      captioned(staircase_svg(picture.staircase),
                "A staircase of six codes, and what your functions give for its slopes: by x, by "
                "the scale and by the zero point.");
  body += captioned(ruler_svg(picture.ruler),
                    "Above, each line is a number of the format. Below, each bar is as high as the "
                    "format is fine at that power of two.");
  body += captioned(block_svg(picture.block),
                    "A block as your quantize_q4_0 writes it: the scale in two bytes, then two "
                    "codes a byte. Small figures count the values.");
  for (const std::string& note : picture.notes) body += "<p>Not drawn: " + html(note) + "</p>\n";
  return body;
}

}  // namespace nibble::report
