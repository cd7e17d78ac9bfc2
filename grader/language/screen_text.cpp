// Cuts a line into cells, looks each up, and puts them back into their columns.
#include "language/screen_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace nibble::language {
namespace {

/// Of text in UTF-8, on a terminal.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// How many characters at the beginning of `text` are no part of a sentence: a colour, a return.
std::size_t control_length(std::string_view text) {
  if (text.starts_with("\033[")) {
    const std::size_t end = text.find_first_not_of("0123456789;?", 2);
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  return text.starts_with('\r') || text.starts_with('\n') ? 1 : 0;
}

/// Where two blanks stand, and no quotes around them.
std::size_t end_of_cell(std::string_view text) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (!is_quoted && text.substr(i, 2) == "  ") return i;
  }
  return is_quoted ? std::min(text.find("  "), text.size()) : text.size();
}

/// One line between two colours.
class ScreenRun {
 public:
  ScreenRun(const Catalog& catalog, std::string_view text) : catalog_(catalog) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = text.find_last_not_of(' ') + 1;
    all_.text = text.substr(0, begin);
    if (begin < end) add_sentence(text.substr(begin, end - begin));
    all_.text += text.substr(std::max(begin, end));
  }

  Translation take() { return std::move(all_); }

 private:
  void add_sentence(std::string_view text) {
    if (text.find("  ") == std::string_view::npos) {
      add_cell(text, 0);
      return;
    }
    if (std::optional<Translation> whole = catalog_.translate_line(text)) {
      add(std::move(*whole));
      return;
    }
    while (!text.empty()) {
      const std::size_t end = end_of_cell(text);
      const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
      add_cell(text.substr(0, end), next - end);
      text.remove_prefix(next);
    }
  }

  /// `blanks` follow it; so many fewer when it grows, but two.
  void add_cell(std::string_view english, std::size_t blanks) {
    Translation cell = catalog_.translate(english);
    const std::size_t before = width_of(english) + blanks, now = width_of(cell.text);
    add(std::move(cell));
    if (blanks > 0) all_.text.append(std::max<std::size_t>(before - std::min(before, now), 2), ' ');
  }

  void add(Translation one) {
    all_.text += one.text;
    std::ranges::move(one.missing, std::back_inserter(all_.missing));
  }

  const Catalog& catalog_;
  Translation all_{};
};

}  // namespace

Translation screen_text(const Catalog& catalog, std::string_view text) {
  Translation all;
  while (!text.empty()) {
    if (const std::size_t control = control_length(text); control > 0) {
      all.text += text.substr(0, control);
      text.remove_prefix(control);
      continue;
    }
    const std::size_t end = std::min(text.find_first_of("\033\r\n", 1), text.size());
    Translation run = ScreenRun(catalog, text.substr(0, end)).take();
    all.text += run.text;
    std::ranges::move(run.missing, std::back_inserter(all.missing));
    text.remove_prefix(end);
  }
  return all;
}

}  // namespace nibble::language
