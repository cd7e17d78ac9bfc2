// Reads the includes of a file, finds out what place each leads
// to, and looks it up in the row of its own.
#include "proofs/includes.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <sstream>

#include "files/files.hpp"
#include "lab/kit.hpp"
#include "text/cpp_text.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

/// Places outside of the project: nothing of theirs is read, so they need no row. `cuda`:
/// the toolkit's headers, or the engine's in their place.
constexpr std::array kOutside{"std", "system", "intrinsics", "eigen", "gtest", "libraries", "cuda"};

bool is_outside(const std::string& place) {
  return std::ranges::find(kOutside, place) != kOutside.end();
}

std::string part(const fs::path& path, int index) {
  auto it = path.begin();
  while (index-- > 0 && it != path.end()) ++it;
  return it == path.end() ? "" : it->string();
}

/// The lab a file belongs to, "03_symmetric", or nothing.
std::string lab_of(const fs::path& file) {
  const std::string top = part(file, 0);
  if (top == "labs" || top == "solutions") return part(file, 1);
  if (top != "grader") return "";
  if (part(file, 1) == "alternatives" || part(file, 1) == "checks") return part(file, 2);
  if (part(file, 2) == "peers") return file.stem().string();
  return "";
}

std::string outside_place(const std::string& target) {
  static const std::regex cuda(
      "cuda[a-zA-Z0-9_]*\\.h|cublasLt\\.h|mma\\.h|cooperative_groups(/[a-z_]+)?\\.h|"
      "device_launch_parameters\\.h|math_constants\\.h|vector_types\\.h"),
      std_header("[a-z0-9_]+"), intrinsics(R"(([a-z0-9]*(intrin|mmx)|arm_neon|cpuid)\.h)"),
      eigen("(unsupported/)?Eigen/.*"), gtest("g(test|mock)/.*"),
      library(
          "(CLI|nlohmann|fmt|openssl|benchmark|pybind11)/"
          ".*|simdjson.h|toml.hpp|sqlite3.h|seccomp.h|Python.h");
  if (std::regex_match(target, cuda)) return "cuda";
  if (std::regex_match(target, std_header)) return "std";
  if (std::regex_match(target, intrinsics)) return "intrinsics";
  if (std::regex_match(target, eigen)) return "eigen";
  if (std::regex_match(target, gtest)) return "gtest";
  if (std::regex_match(target, library)) return "libraries";
  return "system";
}

/// The file that a quoted include means, relative to the top: beside the file, then in the
/// folders that the build passes with -I.
std::optional<fs::path> find_quoted(const fs::path& top, const fs::path& file,
                                    const std::string& target) {
  const fs::path face("common/simt");
  for (const fs::path& folder :
       {file.parent_path(), fs::path("labs") / lab_of(file), fs::path("common"), fs::path("grader"),
        face / "include", face / "cuda", fs::path("grader/simt/tests")}) {
    const fs::path candidate = (folder / target).lexically_normal();
    if (fs::is_regular_file(top / candidate)) return candidate;
  }
  return std::nullopt;
}

/// The place that an include leads to; a contract, or a lab's check, is one's own, or another's.
std::string target_place(const fs::path& top, const fs::path& file, const Include& include) {
  if (!include.quoted) return outside_place(include.target);
  const std::optional<fs::path> found = find_quoted(top, file, include.target);
  if (!found) return "nowhere";
  const bool is_own = lab_of(*found) == lab_of(file);
  if (place_of(*found) == "grader/checks" && !is_own) return "another lab's checks";
  if (part(*found, 0) != "labs") return place_of(*found);
  if (found->extension() != ".hpp") return "a starter";
  return is_own ? "contract" : "another lab's contract";
}

}  // namespace

std::vector<Include> includes_of(std::string_view source) {
  static const std::regex directive(R"re(\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>|(.*)).*)re");
  std::vector<Include> found;
  int number = 0;
  for (const std::string& line : text::lines_of(text::without_comments(source))) {
    ++number;
    std::smatch match;
    if (!std::regex_match(line, match, directive)) continue;
    if (match[3].matched)
      throw text::FormatError(number, "an include must name its file: " + text::trim(line));
    const bool quoted = match[1].matched;
    found.push_back({number, quoted ? match[1].str() : match[2].str(), quoted});
  }
  return found;
}

Layers parse_layers(std::string_view table) {
  Layers layers;
  std::map<std::string, int> named;
  int number = 0;
  for (const std::string& line : text::lines_of(table)) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string place, other;
    if (!(words >> place)) continue;
    if (layers.contains(place)) throw text::FormatError(number, place + " has two rows");
    std::set<std::string>& row = layers[place];
    while (words >> other) {
      row.insert(other);
      named.emplace(other, number);
    }
  }
  for (const auto& [place, line] : named) {
    if (layers.contains(place) || is_outside(place) || place == "contract") continue;
    throw text::FormatError(line, "no row is called " + place);
  }
  if (layers.empty()) throw text::FormatError(1, "there is no row");
  return layers;
}

std::string place_of(const fs::path& file) {
  const std::string top = part(file, 0);
  if (top == "common" && part(file, 1) == "simt") return "common/simt";
  if (top == "grader" && part(file, 1) == "simt") return "grader/simt/" + part(file, 2);
  return top == "grader" || top == "docs" ? top + "/" + part(file, 1) : top;
}

std::vector<std::string> forbidden_includes(const Layers& layers, const fs::path& top,
                                            const fs::path& file) {
  const std::string place = place_of(file);
  const auto own = layers.find(file.generic_string());  // a file may have a row of its own
  const auto row = own != layers.end() ? own : layers.find(place);
  if (row == layers.end()) return {file.string() + ": layers.txt has no row for " + place};
  std::vector<std::string> found;
  for (const Include& include : includes_of(files::read_file(top / file))) {
    const std::string target = target_place(top, file, include);
    if (row->second.contains(target)) continue;
    found.push_back(file.string() + ":" + std::to_string(include.line) + ": " + place +
                    " may not include " + include.target + " (" + target + ")");
  }
  return found;
}

}  // namespace nibble::proofs
