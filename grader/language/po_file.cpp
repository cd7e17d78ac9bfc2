#include "language/po_file.hpp"

#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::language {
namespace {

/// What stands between the quotes of a line, as it is meant.
std::string quoted(std::string_view line, int number) {
  const std::size_t begin = line.find('"');
  if (begin == std::string_view::npos || line.size() < begin + 2 || !line.ends_with('"')) {
    throw text::FormatError(number, "a text stands between quotes");
  }
  std::string text;
  for (std::size_t i = begin + 1; i + 1 < line.size(); ++i) {
    const bool is_escaped = line[i] == '\\' && i + 2 < line.size();
    if (is_escaped) ++i;
    text += is_escaped && line[i] == 'n' ? '\n' : line[i];
  }
  return text;
}

}  // namespace

std::vector<PoEntry> read_po(std::string_view text) {
  std::vector<PoEntry> entries;
  std::string PoEntry::*part = nullptr;  // that the next line may go on with
  int number = 0;
  for (const std::string& line : text::lines_of(text)) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const bool is_id = line.starts_with("msgid \""), is_translation = line.starts_with("msgstr \"");
    if (is_id && part != &PoEntry::english) {
      entries.push_back({"", "", number});
      part = &PoEntry::english;
    } else if (is_translation && part == &PoEntry::english) {
      part = &PoEntry::translation;
    } else if (!line.starts_with('"') || part == nullptr) {
      throw text::FormatError(number, "an entry is a line `msgid \"…\"` and a line `msgstr \"…\"`");
    }
    entries.back().*part += quoted(line, number);
  }
  if (part == &PoEntry::english) throw text::FormatError(number, "the last msgid has no msgstr");
  if (!entries.empty() && entries.front().english.empty()) entries.erase(entries.begin());
  return entries;
}

}  // namespace nibble::language
