#include "text/plain_text.hpp"

#include <cctype>
#include <sstream>

namespace nibble::text {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// One line outside of a listing; code in it may go on in the next.
class PlainLine {
 public:
  PlainLine(std::string_view line, bool& in_code) : line_(line), in_code_(in_code) {}

  std::string text() {
    for (at_ = 0; at_ < line_.size(); ++at_) step();
    return plain_;
  }

 private:
  char next_to(std::size_t at) const { return at < line_.size() ? line_[at] : ' '; }

  void step() {
    const char c = line_[at_];
    if (c == '`') {
      in_code_ = !in_code_;
    } else if (in_code_ || !is_mark(c)) {
      plain_ += c;
    }
  }

  /// A star between blanks, or between letters and digits.
  bool is_operator() const {
    const char before = next_to(at_ - 1), after = next_to(at_ + 1);
    return (is_blank(before) && is_blank(after)) || (is_letter(before) && is_letter(after));
  }

  /// True for what is left out; of a link its target.
  bool is_mark(char c) {
    if (c == '*') return !is_operator();
    if (c == '[') return line_.find("](", at_) != std::string_view::npos;
    const std::size_t end = line_.find(')', at_);
    if (c != ']' || next_to(at_ + 1) != '(' || end == std::string_view::npos) return false;
    at_ = end;
    return true;
  }

  std::string_view line_;
  bool& in_code_;
  std::size_t at_ = 0;
  std::string plain_;
};

}  // namespace

std::string plain_text(std::string_view markdown) {
  std::istringstream lines{std::string(markdown)};
  std::string plain;
  bool in_listing = false, in_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_listing = !in_listing;
      continue;
    }
    if (line.empty()) in_code = false;
    plain += (in_listing ? "    " + line : PlainLine(line, in_code).text()) + "\n";
  }
  return plain;
}

}  // namespace nibble::text
