#include "language/prose.hpp"

#include <algorithm>

namespace nibble::language {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// "the", "a,": and no "x[i]", "kFull" or "[1,".
bool is_word(std::string_view text) {
  constexpr std::string_view kMarks = ".,:;!?";
  if (!text.empty() && kMarks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text.size() >= 2 && text != "inf" && text != "nan" &&
         std::ranges::all_of(text, is_letter) &&
         std::ranges::none_of(text.substr(1), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

bool is_prose(std::string_view text) {
  int words = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words = is_word(text.substr(0, end)) ? words + 1 : 0;
    if (words == 2) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace nibble::language
