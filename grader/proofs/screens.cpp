#include "proofs/screens.hpp"

#include <sstream>

#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

constexpr std::string_view kMark = "== ";

KeptScreen begun(const std::string& line, int number) {
  std::istringstream words(line.substr(kMark.size()));
  KeptScreen screen;
  std::string more;
  if (!(words >> screen.code >> screen.lab >> screen.mistake) || words >> more) {
    throw text::FormatError(number, "this is not `== N-CODE lab mistake`");
  }
  return screen;
}

}  // namespace

KeptScreens parse_screens(std::string_view text) {
  KeptScreens screens;
  int number = 0;
  for (const std::string& line : text::lines_of(text)) {
    ++number;
    if (line.starts_with(kMark)) {
      screens.all.push_back(begun(line, number));
    } else {
      std::string& at = screens.all.empty() ? screens.head : screens.all.back().text;
      at += line + '\n';
    }
  }
  return screens;
}

std::string text_of(const KeptScreens& screens) {
  std::string text = screens.head;
  for (const KeptScreen& screen : screens.all) {
    text += std::string(kMark) + screen.code + ' ' + screen.lab + ' ' + screen.mistake + '\n';
    text += screen.text;
  }
  return text;
}

}  // namespace nibble::proofs
