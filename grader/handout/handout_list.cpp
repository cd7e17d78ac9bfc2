#include "handout/handout_list.hpp"

#include <algorithm>

#include "lab/kit.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

namespace fs = std::filesystem;

struct Patterns {
  std::vector<std::string> in, out;
};

/// A line with a placeholder becomes one for each lab.
std::vector<std::string> for_each_lab(const std::string& line,
                                      const std::vector<std::string>& labs) {
  if (line.find('{') == line.npos) return {line};
  std::vector<std::string> lines;
  for (const std::string& lab : labs) {
    std::string own = text::replaced(line, "{lab}", lab);
    own = text::replaced(own, "{name}", lab::Lab{lab}.base());
    lines.push_back(text::replaced(own, "{number}", lab::Lab{lab}.number()));
  }
  return lines;
}

Patterns read(std::string_view list, const std::vector<std::string>& labs) {
  Patterns patterns;
  for (const std::string& raw : text::lines_of(list)) {
    const std::string line = text::trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    const bool out = line.starts_with('!');
    for (const std::string& one : for_each_lab(out ? line.substr(1) : line, labs)) {
      (out ? patterns.out : patterns.in).push_back(one);
    }
  }
  return patterns;
}

bool fits_any(const std::string& path, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& pattern) { return fits(path, pattern); });
}

/// What is never looked into: what was built, and what is nobody else's.
bool is_private(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "build" || name == ".git" || name == ".nibble" || name == "solutions";
}

}  // namespace

bool fits(std::string_view path, std::string_view pattern) {
  if (pattern.empty()) return path.empty();
  if (pattern.front() != '*') {
    const bool same = !path.empty() && path.front() == pattern.front();
    return same && fits(path.substr(1), pattern.substr(1));
  }
  const bool any_path = pattern.starts_with("**");
  const std::string_view rest = pattern.substr(any_path ? 2 : 1);
  for (std::size_t length = 0;; ++length) {
    if (fits(path.substr(length), rest)) return true;
    if (length == path.size() || (!any_path && path[length] == '/')) return false;
  }
}

std::vector<fs::path> listed_files(const fs::path& top, std::string_view list,
                                   const std::vector<std::string>& labs) {
  const Patterns patterns = read(list, labs);
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(top);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry.depth() == 0 && is_private(entry->path()) && entry->is_directory()) {
      entry.disable_recursion_pending();
    }
    if (entry->is_symlink() || !entry->is_regular_file()) continue;
    const fs::path file = entry->path().lexically_relative(top);
    const std::string name = file.generic_string();
    if (fits_any(name, patterns.in) && !fits_any(name, patterns.out)) files.push_back(file);
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace nibble::handout
