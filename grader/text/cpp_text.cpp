// Goes over C++ once and knows at each character whether it is code, comment or literal.
#include "text/cpp_text.hpp"

#include <algorithm>
#include <cctype>

namespace nibble::text {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// One pass over the source; at() always stands on the next character to decide on.
class Blanker {
 public:
  Blanker(std::string_view source, bool strings) : text_(source), strings_(strings) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return text_;
  }

 private:
  bool here(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }

  void step() {
    if (here("//")) return blank_until("\n", /*keep_end=*/true);
    if (here("/*")) return blank_until("*/", /*keep_end=*/false);
    if (here("R\"") && (at_ == 0 || !is_word(text_[at_ - 1]))) return raw_string();
    const bool digit_separator = at_ > 0 && text_[at_] == '\'' && is_word(text_[at_ - 1]);
    if (here("\"") || (here("'") && !digit_separator)) return literal(text_[at_]);
    ++at_;
  }

  void blank(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') text_[at_] = ' ';
    }
  }

  void blank_until(std::string_view end_mark, bool keep_end) {
    const std::size_t found = text_.find(end_mark, at_ + 2);
    const std::size_t end = found == text_.npos ? text_.size() : found;
    blank(keep_end || found == text_.npos ? end : end + end_mark.size());
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == text_.npos) return void(at_ += 2);
    const std::string end_mark = ")" + text_.substr(at_ + 2, open - at_ - 2) + "\"";
    const std::size_t found = text_.find(end_mark, open);
    at_ = open + 1;
    inside(found == text_.npos ? text_.size() : found);
    at_ = std::min(text_.size(), at_ + end_mark.size());
  }

  /// Ends with its quote, or with the line.
  void literal(char quote) {
    std::size_t end = ++at_;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    inside(std::min(end, text_.size()));
    if (at_ < text_.size()) ++at_;
  }

  void inside(std::size_t end) {
    if (strings_) blank(end);
    at_ = end;
  }

  std::string text_;
  bool strings_;
  std::size_t at_ = 0;
};

}  // namespace

std::string without_comments(std::string_view source) {
  return Blanker(source, /*strings=*/false).run();
}

std::string without_comments_and_strings(std::string_view source) {
  return Blanker(source, /*strings=*/true).run();
}

std::vector<std::string> literals_of(std::string_view source) {
  const std::string code = without_comments(source), blank = without_comments_and_strings(source);
  std::vector<std::string> literals;
  bool goes_on = false;  // nothing but blanks since the last one
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    const bool is_raw = at > 0 && code[at - 1] == 'R';
    if (c != '"' || is_raw) {
      goes_on = goes_on && std::isspace(static_cast<unsigned char>(c)) != 0;
      if (c == '"') at = std::min(blank.find('"', at + 1), blank.size());
      continue;
    }
    if (!goes_on) literals.emplace_back();
    const std::size_t end = std::min(blank.find('"', at + 1), blank.size());
    for (++at; at < end; ++at) {
      if (code[at] == '\\') ++at;
      literals.back() += code[at] == 'n' && code[at - 1] == '\\' ? '\n' : code[at];
    }
    goes_on = true;
  }
  return literals;
}

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    if (is_word(text[at])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

}  // namespace nibble::text
