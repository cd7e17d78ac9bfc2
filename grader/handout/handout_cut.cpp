#include "handout/handout_cut.hpp"

#include <algorithm>
#include <regex>

#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

/// What follows the comment sign, when a line is nothing but a comment.
std::string comment_of(const std::string& line) {
  const std::string trimmed = text::trim(line);
  if (trimmed.starts_with("//")) return text::trim(std::string_view(trimmed).substr(2));
  if (trimmed.starts_with("#")) return text::trim(std::string_view(trimmed).substr(1));
  if (trimmed.starts_with("<!--") && trimmed.ends_with("-->")) {
    return text::trim(std::string_view(trimmed).substr(4, trimmed.size() - 7));
  }
  return "";
}

/// The lab that a line is about, as "03_symmetric"; empty when it is about none, or several.
std::string lab_of(const std::string& line) {
  static const std::regex list(R"(^nibble_lab\((\w+).*)");
  static const std::regex row(R"(^\| \[[^\]]*\]\((?:labs/|book/)(\d\d_\w+).*)");
  std::smatch match;
  return std::regex_match(line, match, list) || std::regex_match(line, match, row) ? match.str(1)
                                                                                   : "";
}

}  // namespace

std::string without_hidden_parts(std::string_view text) {
  std::string kept;
  int number = 0, opened = 0;
  for (const std::string& line : text::lines_of(text)) {
    ++number;
    const std::string comment = comment_of(line);
    const bool begins = comment.starts_with("NIBBLE-BEGIN-HIDDEN") ||
                        comment.starts_with("NIBBLE-BEGIN-INSTRUCTOR");
    if (begins && opened != 0) {
      throw text::FormatError(number,
                              "a part begins inside the one of line " + std::to_string(opened));
    }
    if (begins) opened = number;
    if (opened == 0) kept += line + '\n';
    if (comment == "NIBBLE-END") opened = 0;
  }
  if (opened != 0) throw text::FormatError(opened, "this part has no NIBBLE-END");
  return kept;
}

std::string without_other_labs(std::string_view text, const std::vector<std::string>& labs) {
  std::string kept;
  for (const std::string& line : text::lines_of(text)) {
    const std::string lab = lab_of(line);
    if (lab.empty() || std::ranges::find(labs, lab) != labs.end()) kept += line + '\n';
  }
  return kept;
}

std::string without_dead_links(std::string_view page, const std::filesystem::path& file,
                               const std::function<bool(const std::filesystem::path&)>& exists) {
  static const std::regex link(R"(\[([^\]\[]+)\]\(([^)#\s]+)(#[^)\s]*)?\))");
  const std::string text(page);
  std::string kept;
  std::size_t copied = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i) {
    const std::string target = (*i)[2];
    if (target.find("://") != target.npos) continue;
    if (exists((file.parent_path() / target).lexically_normal())) continue;
    const auto at = static_cast<std::size_t>(i->position());
    kept += text.substr(copied, at - copied) + (*i)[1].str();
    copied = at + static_cast<std::size_t>(i->length());
  }
  return kept + text.substr(copied);
}

}  // namespace nibble::handout
