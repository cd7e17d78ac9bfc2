// Reads both folders as results, takes out what a day or a machine decides, and says what is left.
#include "batch/compare.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "batch/store.hpp"
#include "files/submission_folder.hpp"
#include "record/codec.hpp"
#include "text/json_text.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using record::CheckStatus;
using record::Result;
using Key = std::pair<std::string, std::string>;

std::map<Key, fs::path> results_in(const fs::path& grades) {
  std::map<Key, fs::path> results;
  for (const auto& folder : fs::directory_iterator(grades)) {
    if (!folder.is_directory() || folder.path().filename() == ".batch") continue;
    for (const auto& file : fs::directory_iterator(folder.path())) {
      const auto result =
          file.path().extension() == ".json" ? read_result(file.path()) : std::nullopt;
      if (!result) continue;
      const std::string id = files::submission_in(folder.path().filename().string());
      results[{id, result->lab}] = file.path();
    }
  }
  if (results.empty()) throw std::invalid_argument("there is no result in " + grades.string());
  return results;
}

/// The first check that came out otherwise.
std::string first_other_check(const Result& a, const Result& b) {
  for (std::size_t i = 0; i < a.checks.size() && i < b.checks.size(); ++i) {
    const record::Check &one = a.checks[i], &other = b.checks[i];
    if (one == other) continue;
    return fmt::format("{}.{}: {} -> {}", one.exercise, one.id, name_of(one.status),
                       name_of(other.status));
  }
  return "";
}

/// A speed is another one each time it is measured, and rounds to other points.
void take_out_speed(record::Check& check, Result& result) {
  if (!check.speed) return;
  result.points -= check.points;
  check.points = 0;
  check.status = CheckStatus::kPass;
  check.message.clear();
  check.estimate.reset();
  check.speed.reset();
}

/// A result without times, machine, load, speed and captured output.
Result deterministic_part(Result result) {
  result.started.clear();
  result.seconds = 0.0;
  result.environment = {};
  for (record::Check& check : result.checks) {
    check.seconds = 0.0;
    take_out_speed(check, result);
    check.output.clear();
  }
  return result;
}

std::string difference(const Result& a, const Result& b) {
  const Result one = deterministic_part(a), other = deterministic_part(b);
  if (one.points != other.points) {
    return fmt::format("{} -> {} points  {}", one.points, other.points,
                       first_other_check(one, other));
  }
  const std::string check = first_other_check(one, other);
  if (!check.empty()) return "the same points, another check: " + check;
  const Json members = text::json_of(record::text_of(one));
  const Json others = text::json_of(record::text_of(other));
  if (members == others) return "";
  for (const auto& [key, value] : members.items()) {
    if (!others.contains(key) || others[key] != value) return "the same points, another " + key;
  }
  return "the same points, and something more";
}

}  // namespace

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
      what = difference(*read_result(one->second), *read_result(other->second));
    }
    if (!what.empty()) differences.push_back({key.first, key.second, what});
  }
  return differences;
}

}  // namespace nibble::batch
