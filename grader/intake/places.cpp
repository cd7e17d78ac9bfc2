// Paths as people and course systems write them: taken apart, made plain, and compared by name.
#include "intake/places.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace nibble::intake {
namespace {

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

/// How many single-character edits make one word the other.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string stem(const std::string& name) { return name.substr(0, name.rfind('.')); }

std::string ending(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "" : name.substr(dot);
}

/// "symmetric (1).cpp", "symmetric_final.cpp", "symmetric.cpp.txt".
bool has_additions(const std::string& name, const std::string& wanted) {
  if (name.starts_with(wanted)) return true;
  return name.starts_with(stem(wanted)) && ending(name) == ending(wanted);
}

}  // namespace

bool is_called(const std::string& name, const std::string& wanted) {
  std::string plain = stem(name);
  const std::size_t end = plain.find_last_not_of("0123456789");
  if (end != plain.npos && plain[end] == '-') plain.resize(end);  // "symmetric-1", as Canvas counts
  if (plain.ends_with(')') && plain.rfind('(') != plain.npos) plain.resize(plain.rfind('('));
  while (plain.ends_with(' ')) plain.pop_back();  // "symmetric (1)", as browsers count
  const std::string own = stem(wanted);
  return ending(name) == ending(wanted) && (plain == own || plain.ends_with('_' + own));
}

std::vector<std::string> places_of(const Wanted& wanted) {
  return {"labs/" + wanted.lab + "/" + wanted.file, wanted.lab + "/" + wanted.file, wanted.file};
}

std::optional<std::string> plain_path(std::string_view path) {
  const bool has_drive = path.size() > 1 && path[1] == ':';
  if (path.starts_with('/') || path.starts_with('\\') || has_drive) return std::nullopt;
  std::string plain;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part == "..") return std::nullopt;
    if (part.empty() || part == ".") continue;
    if (!plain.empty()) plain += '/';
    plain += part;
  }
  return plain;
}

bool is_noise(std::string_view name) { return name.starts_with('.') || name == "__MACOSX"; }

std::string first_part(std::string_view path) {
  return std::string(path.substr(0, path.find('/')));
}

std::string last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == path.npos ? path : path.substr(slash + 1));
}

std::string nearest(const std::string& wanted, const std::vector<std::string>& names) {
  const std::string target = lower(wanted);
  std::string best;
  std::size_t fewest = 4;  // more letters apart: another word
  for (const std::string& name : names) {
    const std::string candidate = lower(name);
    const std::size_t apart = has_additions(candidate, target) ? 1 : edits(candidate, target);
    if (apart >= fewest) continue;
    fewest = apart;
    best = name;
  }
  return best;
}

}  // namespace nibble::intake
