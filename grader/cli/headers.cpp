// Compares each header with its kept copy, and finds the first
// line that differs in more than its end.
#include "cli/headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "files/files.hpp"
#include "text/harmless.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

/// Paths below `kit.headers` that a file of this lab may include.
std::vector<fs::path> headers_of(const lab::Kit& kit, const MarkedLab& lab) {
  std::vector<fs::path> files{fs::path("labs") / lab.name / (lab.base() + ".hpp")};
  const fs::path common = kit.headers / "common";
  for (const auto& entry : fs::recursive_directory_iterator(common)) {
    const fs::path ending = entry.path().extension();
    if (ending != ".hpp" && ending != ".h") continue;
    files.push_back(entry.path().lexically_relative(kit.headers));
  }
  std::ranges::sort(files.begin() + 1, files.end());
  return files;
}

/// A line end may have been changed on the way: it says nothing else.
std::string next_line(std::istream& in) {
  std::string line;
  if (!std::getline(in, line)) return "";
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

ChangedHeader first_difference(const fs::path& file, const std::string& theirs,
                               const std::string& handed_out) {
  std::istringstream a(theirs), b(handed_out);
  for (int line = 1; a || b; ++line) {
    const std::string left = next_line(a), right = next_line(b);
    if (left != right) return {file, line, left, right};
  }
  return {};
}

std::string shown(const std::string& line) {
  constexpr std::size_t kMost = 90;
  return line.empty() ? "(an empty line)" : text::harmless(line.substr(0, kMost));
}

}  // namespace

std::vector<ChangedHeader> changed_headers(const lab::Kit& kit, const MarkedLab& lab) {
  std::vector<ChangedHeader> changed;
  std::error_code none;
  if (fs::equivalent(kit.root, kit.headers, none)) return changed;
  for (const fs::path& file : headers_of(kit, lab)) {
    const fs::path theirs = kit.root / file;
    if (!fs::is_regular_file(theirs)) continue;
    const ChangedHeader found =
        first_difference(file, files::read_file(theirs), files::read_file(kit.headers / file));
    if (found.line > 0) changed.push_back(found);
  }
  return changed;
}

std::string changed_headers_text(const lab::Kit& kit, const MarkedLab& lab) {
  std::string text;
  for (const ChangedHeader& one : changed_headers(kit, lab)) {
    text += fmt::format(
        "note    {}:{} is not what was handed out, and what you changed there does not count\n"
        "        yours       {}\n        handed out  {}\n",
        one.file.string(), one.line, shown(one.theirs), shown(one.handed_out));
  }
  if (text.empty()) return text;
  return text + fmt::format(
                    "        here and by your instructor you are judged by the original: "
                    "./nibble reset {} --contract   brings it back\n",
                    lab.number());
}

std::vector<std::string> beside(const lab::Kit& kit, const MarkedLab& lab) {
  constexpr std::array kSources = {".hpp", ".h", ".cpp", ".cu", ".cuh", ".cc", ".inl"};
  std::vector<std::string> names;
  const fs::path own = kit.root / lab.file();
  if (!fs::is_directory(own.parent_path())) return names;
  for (const auto& entry : fs::directory_iterator(own.parent_path())) {
    const fs::path name = entry.path().filename();
    const bool is_the_labs = name == own.filename() || name == lab.base() + ".hpp";
    if (is_the_labs || std::ranges::count(kSources, name.extension()) == 0) continue;
    names.push_back(name.string());
  }
  std::ranges::sort(names);
  return names;
}

std::string included_beside_text(const lab::Kit& kit, const MarkedLab& lab,
                                 const std::string& diagnostics) {
  const std::string own = lab.file_name();
  for (const std::string& name : beside(kit, lab)) {
    const bool is_missed = diagnostics.find(name + ": No such file") != diagnostics.npos ||
                           diagnostics.find("'" + name + "' file not found") != diagnostics.npos;
    if (!is_missed) continue;
    return fmt::format(
        "note    {} lies beside {}, but {} alone is handed in and judged: put what it holds "
        "there\n",
        text::harmless(name), own, own);
  }
  return "";
}

}  // namespace nibble::cli
