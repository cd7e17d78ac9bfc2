#include "handout/copied_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "handout/leaks.hpp"
#include "text/cpp_text.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

using Lines = std::vector<std::string>;

/// How many lines from a[i] on equal those from b[j] on.
std::size_t common_run(const Lines& a, std::size_t i, const Lines& b, std::size_t j) {
  std::size_t run = 0;
  while (i + run < a.size() && j + run < b.size() && a[i + run] == b[j + run]) ++run;
  return run;
}

}  // namespace

Lines telling_lines(std::string_view code) {
  Lines lines;
  for (const std::string& line : text::lines_of(text::without_comments(code))) {
    std::string squeezed = text::squeeze(line);
    const bool is_include = squeezed.starts_with("#include");  // which says nothing of what follows
    if (squeezed.size() >= kLeastLine && !is_include) lines.push_back(std::move(squeezed));
  }
  return lines;
}

void SolutionLines::add(const std::string& lab, std::string_view part, std::string_view given) {
  const Lines known = telling_lines(given);
  const std::set<std::string> public_lines(known.begin(), known.end());
  Part own{lab, telling_lines(part)};
  std::erase_if(own.lines, [&](const std::string& line) { return public_lines.contains(line); });
  if (own.lines.size() >= 2) parts_.push_back(std::move(own));
}

std::string SolutionLines::copy_in(std::string_view text) const {
  const Lines lines = telling_lines(text);
  std::multimap<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < lines.size(); ++i) places.emplace(lines[i], i);
  for (const Part& part : parts_) {
    const std::size_t enough = std::min(kRunOfLines, part.lines.size());
    for (std::size_t j = 0; j + enough <= part.lines.size(); ++j) {
      const auto [first, last] = places.equal_range(part.lines[j]);
      for (auto place = first; place != last; ++place) {
        const std::size_t run = common_run(lines, place->second, part.lines, j);
        if (run < enough) continue;
        return fmt::format("{}: from `{}` on, {} lines", part.lab, part.lines[j], run);
      }
    }
  }
  return "";
}

}  // namespace nibble::handout
