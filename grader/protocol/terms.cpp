// Terms as JSON, and back: every field once, for both directions. A field that is not told is a
// mistake of whoever asks, and no default.
#include "protocol/terms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "text/json_text.hpp"

namespace nibble::protocol {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

constexpr std::array kTaskNames = {"verdict", "count_book", "ceilings", "picture"};

std::string name_of(Terms::Task task) { return kTaskNames.at(static_cast<std::size_t>(task)); }

template <class AnyTerms, class Field>
void each_field(AnyTerms& terms, Field field) {
  field("task", terms.task);
  field("lab", terms.lab);
  field("leg", terms.leg);
  field("exercise", terms.exercise);
  field("check", terms.check);
  field("case", terms.only_case);
  field("hidden", terms.hidden);
  field("unpaid", terms.unpaid);
  field("show", terms.show);
  field("brief", terms.brief);
  field("seed", terms.seed);
  field("salt", terms.salt);
  field("child", terms.child);
  field("watched", terms.watched);
  field("counted", terms.counted);
  field("published", terms.published);
  field("published_counted", terms.published_counted);
  field("count_book", terms.count_book);
  field("groups", terms.groups);
  field("level", terms.level);
  field("cpu_limit_ms", terms.cpu_limit);
  field("wall_limit_ms", terms.wall_limit);
  field("check_limit_ms", terms.check_limit);
  field("budget_ms", terms.budget);
  field("budget_left_ms", terms.budget_left);
}

// --- A value as JSON --------------------------------------------------------------------------

Json json_of(bool value) { return value; }
Json json_of(milliseconds value) { return value.count(); }
Json json_of(Terms::Task value) { return name_of(value); }
Json json_of(Leg value) { return name_of(value); }
Json json_of(sandbox::Level value) { return std::string(sandbox::name_of(value)); }

/// Paths and secrets are bytes, and JSON holds text: each byte stands as the character of its
/// number, so that none is lost.
Json json_of(const std::string& bytes) {
  std::string text;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x80) {
      text += each;
    } else {
      text += {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
    }
  }
  return text;
}

// --- And back: false when it is none -----------------------------------------------------------

template <class Enum, std::size_t Count>
bool read_name(const Json& json, const std::array<const char*, Count>& names, Enum& value) {
  const auto name = std::ranges::find(names, json.is_string() ? json.get<std::string>() : "");
  value = static_cast<Enum>(name - names.begin());
  return name != names.end();
}

bool read(const Json& json, Terms::Task& value) { return read_name(json, kTaskNames, value); }

bool read(const Json& json, Leg& value) { return read_name(json, kLegNames, value); }

bool read(const Json& json, bool& value) {
  if (json.is_boolean()) value = json.get<bool>();
  return json.is_boolean();
}

bool read(const Json& json, milliseconds& value) {
  if (json.is_number_unsigned()) value = milliseconds(json.get<std::int64_t>());
  return json.is_number_unsigned();
}

bool read(const Json& json, sandbox::Level& value) {
  const auto level = sandbox::level_from(json.is_string() ? json.get<std::string>() : "");
  value = level.value_or(value);
  return level.has_value();
}

bool read(const Json& json, std::string& value) {
  if (!json.is_string()) return false;
  const std::string text = json.get<std::string>();
  value.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first > 0xC3) return false;  // beyond the bytes
    value += first < 0x80 ? text[i] : static_cast<char>(first << 6 | (text[++i] & 0x3F));
  }
  return true;
}

}  // namespace

std::string text_of(const Terms& terms) {
  Json json;
  each_field(terms, [&](const char* name, const auto& value) { json[name] = json_of(value); });
  return text::json_text(json);
}

Terms read_terms(const std::string& text) {
  Json json = text::json_of(text);
  if (!json.is_object()) throw std::invalid_argument("an order to judge is a JSON object");
  const auto refuse = [](const std::string& field, const char* why) {
    throw std::invalid_argument("an order to judge: \"" + field + "\" is " + why);
  };
  Terms terms;
  each_field(terms, [&](const char* name, auto& value) {
    if (!json.contains(name)) refuse(name, "missing");
    if (!read(json[name], value)) refuse(name, "not what it should be");
    json.erase(name);
  });
  if (!json.empty()) refuse(json.begin().key(), "unknown");
  return terms;
}

}  // namespace nibble::protocol
