// Leaves out of a hidden check what nobody may be told, and makes
// text safe for a file of somebody else's.
#include "export/told.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

/// Only these are kept of a hidden check, whatever else may be written there one day.
bool may_be_told(const std::string& key, const std::string& detail) {
  constexpr std::array kAlways = {"id",     "exercise",   "title", "visibility", "detail",
                                  "status", "max_points", "leg",   "points"};
  if (detail == "kind" && key == "diagnosis") return true;
  return std::ranges::count(kAlways, key) > 0;
}

Json as_told(const Json& check) {
  const std::string detail = check.at("detail");
  if (is_public(check)) return check;
  Json kept = Json::object();
  for (const auto& [key, value] : check.items()) {
    if (may_be_told(key, detail)) kept[key] = value;
  }
  if (detail == "none") kept["title"] = "";
  kept["seconds"] = 0.0;  // how long it takes, a submission chooses by what it was asked
  return kept;
}

std::string speed_words(const Json& speed) {
  return fmt::format("{:.2f}x the published solution (0 at {:.2f}x, full at {:.2f}x)",
                     speed.value("ratio", 0.0), speed.value("zero_at", 0.0),
                     speed.value("full_at", 0.0));
}

}  // namespace

Json told(Json results) {
  for (Json& check : results.at("checks")) check = as_told(check);
  const bool with_hidden = results.at("hidden").at("run");
  if (with_hidden) results["seconds"] = std::ceil(results.at("seconds").get<double>());
  return results;
}

std::string name_of(const Json& results, const Json& check) {
  const auto has_its_id = [&](const Json& other) { return other.at("id") == check.at("id"); };
  const std::string id = check.at("id");
  if (std::ranges::count_if(results.at("checks"), has_its_id) < 2) return id;
  return fmt::format("{} ({})", id, report::text_at(check, "exercise"));
}

std::string why(const Json& check) {
  if (check.at("status") == "pass") return "";
  std::string words = safe_text(report::text_at(check, "message"));
  if (words.empty() && check.contains("speed")) words = speed_words(check["speed"]);
  const std::string code = report::text_at(check, "diagnosis");
  if (code.empty()) return words;
  return words.empty() ? code : fmt::format("{} ({})", words, code);
}

std::string replay_of(const Json& results, const Json& check) {
  const std::string line = report::text_at(check, "replay");
  if (!line.empty() || !is_public(check)) return line;
  const bool one_of_several = name_of(results, check) != report::text_at(check, "id");
  return fmt::format(
      "nibble run {}{} --check {}", results.at("lab").get<std::string>().substr(0, 2),
      one_of_several ? "." + report::text_at(check, "exercise") : "", report::text_at(check, "id"));
}

std::string number_of(const Json& results) {
  return std::to_string(std::stoi(results.at("lab").get<std::string>().substr(0, 2)));
}

bool is_public(const Json& check) { return check.at("visibility") == "public"; }
bool is_skipped(const Json& check) { return check.at("status") == "skip"; }
bool compiled(const Json& results) { return results.at("verdict") != "no_compile"; }

std::string compile_message(const Json& results) {
  const Json compile = results.value("compile", Json::object());
  const std::string message = safe_text(compile.value("message", ""));
  return message.empty() ? "it does not compile" : message;
}

PublicPoints public_points(const Json& results) {
  if (!compiled(results)) {
    const int whole = worth(results), hidden = results.at("hidden").at("max_points");
    return {0, whole - hidden};
  }
  PublicPoints sum;
  for (const Json& check : results.at("checks")) {
    if (!is_public(check)) continue;
    sum.points += check.at("points").get<int>();
    sum.max_points += check.at("max_points").get<int>();
  }
  return sum;
}

int worth(const Json& results) {
  const Json& hidden = results.at("hidden");
  return results.at("max_points").get<int>() +
         (hidden.at("run").get<bool>() ? 0 : hidden.at("max_points").get<int>());
}

std::string safe_text(std::string_view text) {
  constexpr std::string_view kCut = "\n(cut at 64 KiB)";
  std::string safe = text::harmless(text);
  if (safe.size() <= kMostText) return safe;
  std::size_t end = kMostText - kCut.size();
  while (end > 0 && (static_cast<unsigned char>(safe[end]) & 0xC0) == 0x80) --end;
  return safe.substr(0, end) + std::string(kCut);
}

std::string json_text(const Json& json, int indent) { return text::json_text(json, indent) + "\n"; }

}  // namespace nibble::gradebook
