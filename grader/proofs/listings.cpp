#include "proofs/listings.hpp"

#include <algorithm>
#include <regex>

#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

/// The lines of the fenced block that begins at `at`; leaves `at` behind it.
std::string fenced_block(const std::vector<std::string>& lines, std::size_t& at) {
  const int number = static_cast<int>(at);
  if (at == lines.size() || !lines[at].starts_with("```")) {
    throw text::FormatError(number, "want a block ``` on the next line");
  }
  std::string text;
  for (++at; at < lines.size(); ++at) {
    if (text::trim(lines[at]) == "```") return text;
    text += lines[at] + '\n';
  }
  throw text::FormatError(number, "the block after this line has no end");
}

bool is_region_mark(const std::string& line) {
  static const std::regex mark(R"(\s*// \[/?[a-z0-9_-]+\]\s*)");
  return std::regex_match(line, mark);
}

std::size_t only_line(const std::vector<std::string>& lines, const std::string& mark) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (text::trim(lines[i]) == mark) found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  throw text::FormatError(found.empty() ? 1 : static_cast<int>(found[1]) + 1,
                          mark + " is there " + std::to_string(found.size()) + " times, not once");
}

}  // namespace

std::vector<Listing> listings_of(std::string_view markdown) {
  static const std::regex mark(R"(<!-- (?:listing: (\S+) ([a-z0-9_-]+)|output: (\S+)) -->)");
  static const std::regex nearly(R"(\s*<!--\s*(listing|output)\b.*)");
  const std::vector<std::string> lines = text::lines_of(markdown);
  std::vector<Listing> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_match(lines[i], match, mark)) {
      if (!std::regex_match(lines[i], nearly)) continue;
      throw text::FormatError(static_cast<int>(i) + 1, "not understood: " + lines[i]);
    }
    const int line = static_cast<int>(++i);
    const bool output = match[3].matched;
    found.push_back({output, output ? match[3] : match[1], match[2], fenced_block(lines, i), line});
  }
  return found;
}

std::string region_of(std::string_view source, const std::string& name) {
  const std::vector<std::string> lines = text::lines_of(source);
  const std::size_t begin = only_line(lines, "// [" + name + "]");
  const std::size_t end = only_line(lines, "// [/" + name + "]");
  if (end < begin)
    throw text::FormatError(static_cast<int>(end) + 1, name + " ends before it begins");
  std::string text;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!is_region_mark(lines[i])) text += lines[i] + '\n';
  }
  return text;
}

std::string moved_left(std::string_view text) {
  std::vector<std::string> lines = text::lines_of(text);
  std::size_t margin = std::string::npos;
  for (const std::string& line : lines) margin = std::min(margin, line.find_first_not_of(' '));
  if (margin == std::string::npos) return std::string(text);
  for (std::string& line : lines) line.erase(0, std::min(margin, line.size()));
  return text::text_of(lines);
}

}  // namespace nibble::proofs
