#include "text/lines.hpp"

namespace nibble::text {

namespace {
constexpr std::string_view kBlanks = " \t\r\n";
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

std::string squeeze(std::string_view text) {
  std::string result;
  for (const char c : trim(text)) {
    const bool blank = kBlanks.find(c) != std::string_view::npos;
    if (!blank) {
      result += c;
    } else if (result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

std::string replaced(std::string text, std::string_view part, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
  return text;
}

int count_of(std::string_view part, std::string_view text) {
  if (part.empty()) return 0;
  int count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace nibble::text
