#include "cli/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "cli/trouble.hpp"
#include "report/harmless.hpp"

namespace nibble::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

int line_at(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
}

}  // namespace

std::filesystem::path learners_file(const build::Kit& kit, const Lab& lab) {
  return kit.root / build::source_name(lab.name);
}

std::string read_learners_file(const build::Kit& kit, const Lab& lab) {
  const std::filesystem::path file = learners_file(kit, lab);
  const std::string shown = build::source_name(lab.name).string();
  if (!std::filesystem::is_regular_file(file)) {
    throw usage(fmt::format("{} is not there: ./nibble reset {} brings the starter back", shown,
                            lab.number()));
  }
  if (std::filesystem::file_size(file) > kMostBytes) {
    throw Trouble(kNoCompile, fmt::format("{} is larger than 1 MiB: a lab needs a few kilobytes, so"
                                          " something else was saved there",
                                          shown));
  }
  std::string text = build::read_file(file);
  const std::string why = why_not_source(text);
  if (!why.empty()) throw Trouble(kNoCompile, shown + " " + why);
  return text;
}

std::string why_not_source(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return "is empty: write it, or ./nibble reset brings the starter back";
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return "is UTF-16: let your editor save it as UTF-8";
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return fmt::format("is not text: there is a zero byte on line {}", line_at(text, zero));
  }
  std::size_t begin = 0;
  while (begin < text.size()) {  // by lines, so that a complaint can name one
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::string safe = report::harmless(line);
    for (std::size_t i = 0; i < line.size() && i < safe.size(); ++i) {
      if (safe[i] != line[i] && static_cast<unsigned char>(line[i]) >= 0x80) {
        return fmt::format(
            "is not UTF-8, or holds invisible control characters, on line {}: let your editor"
            " save it as UTF-8",
            line_at(text, begin));
      }
    }
    begin = end + 1;
  }
  return "";
}

int line_of(std::string_view source, std::string_view function) {
  // At the start of a line, because a definition is not indented; a body may call the function.
  const std::regex pattern("(^|\n)[A-Za-z_][^\n;=]*\\b" + std::string(function) + "\\(");
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_search(source.begin(), source.end(), match, pattern)) return 0;
  const auto start = static_cast<std::size_t>(match.position(0) + match.length(1));
  return line_at(source, start);
}

}  // namespace nibble::cli
