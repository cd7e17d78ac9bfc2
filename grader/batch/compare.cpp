#include "batch/compare.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "batch/store.hpp"
#include "build/submission_folder.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Key = std::pair<std::string, std::string>;

std::map<Key, fs::path> results_in(const fs::path& grades) {
  std::map<Key, fs::path> results;
  for (const auto& folder : fs::directory_iterator(grades)) {
    if (!folder.is_directory() || folder.path().filename() == ".batch") continue;
    for (const auto& file : fs::directory_iterator(folder.path())) {
      const auto result =
          file.path().extension() == ".json" ? read_json(file.path()) : std::nullopt;
      if (!result || !is_result(*result)) continue;
      const std::string id = build::submission_in(folder.path().filename().string());
      results[{id, result->at("lab")}] = file.path();
    }
  }
  if (results.empty()) throw std::invalid_argument("there is no result in " + grades.string());
  return results;
}

/// The first check that came out otherwise.
std::string first_other_check(const Json& a, const Json& b) {
  for (std::size_t i = 0; i < a.at("checks").size() && i < b.at("checks").size(); ++i) {
    const Json &one = a["checks"][i], &other = b["checks"][i];
    if (one != other) {
      return fmt::format("{}.{}: {} -> {}", one.value("exercise", ""), one.value("id", ""),
                         one.value("status", ""), other.value("status", ""));
    }
  }
  return "";
}

std::string difference(const Json& a, const Json& b) {
  const Json one = deterministic_part(a), other = deterministic_part(b);
  if (one == other) return "";
  if (one.at("points") != other.at("points")) {
    return fmt::format("{} -> {} points  {}", one["points"].get<int>(), other["points"].get<int>(),
                       first_other_check(one, other));
  }
  const std::string check = first_other_check(one, other);
  if (!check.empty()) return "the same points, another check: " + check;
  for (const auto& [key, value] : one.items()) {
    if (!other.contains(key) || other[key] != value) return "the same points, another " + key;
  }
  return "the same points, and something more";
}

}  // namespace

Json deterministic_part(const Json& result) {
  Json part = result;
  for (const char* const key : {"started", "seconds", "env"}) part.erase(key);
  if (!part.contains("checks")) return part;
  for (Json& check : part["checks"]) {
    for (const char* const key : {"seconds", "speed", "output"}) check.erase(key);
  }
  return part;
}

std::vector<Difference> compare(const fs::path& a, const fs::path& b) {
  const std::map<Key, fs::path> ours = results_in(a), theirs = results_in(b);
  std::set<Key> keys;
  for (const auto& [key, file] : ours) keys.insert(key);
  for (const auto& [key, file] : theirs) keys.insert(key);
  std::vector<Difference> differences;
  for (const Key& key : keys) {
    const auto one = ours.find(key), other = theirs.find(key);
    std::string what;
    if (one == ours.end()) {
      what = "only in " + b.string();
    } else if (other == theirs.end()) {
      what = "only in " + a.string();
    } else {
      what = difference(*read_json(one->second), *read_json(other->second));
    }
    if (!what.empty()) differences.push_back({key.first, key.second, what});
  }
  return differences;
}

}  // namespace nibble::batch
