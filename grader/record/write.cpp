// Writes the members of a record as JSON.
#include <nlohmann/json.hpp>
#include <type_traits>

#include "record/codec.hpp"
#include "record/members.hpp"
#include "text/json_text.hpp"

namespace nibble::record {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const T& value);

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json();
}

template <class T>
Json json_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(json_of(value));
  return json;
}

struct Writer {
  Json& json;

  void operator()(const char* name, const auto& value) const { json[name] = json_of(value); }
  void since(const char* name, const auto& value) const { json[name] = json_of(value); }
  template <class T>
  void some(const char* name, const T& value, T usual = {}) const {
    if (!(value == usual)) json[name] = json_of(value);
  }
  template <class T>
  void some(const char* name, const std::optional<T>& value) const {
    if (value) json[name] = json_of(*value);
  }
  template <class T>
  void some(const char* name, const Rare<T>& value) const {
    if (value) json[name] = json_of(*value);
  }
  void some_in(const char* outer, const char* name, const std::string& value) const {
    if (!value.empty()) json[outer][name] = value;
  }
  void either(const char* name, bool value, const char* no, const char* yes) const {
    json[name] = value ? yes : no;
  }
  void is(const char* name, int value) const { json[name] = value; }
};

template <class T>
Json json_of(const T& value) {
  if constexpr (Record<T>) {
    Json json = Json::object();
    members(Of<T>{}, value, Writer{json});
    return json;
  } else if constexpr (std::is_enum_v<T>) {
    return name_of(value);
  } else {
    return value;
  }
}

}  // namespace

std::string text_of(const Result& result) { return text::file_text(json_of(result)); }
std::string text_of(const Verdict& verdict) { return text::json_text(json_of(verdict)); }
std::string text_of(const Scheme& scheme) { return text::json_text(json_of(scheme), 1) + "\n"; }
std::string text_of(const SpeedBook& book) { return text::json_text(json_of(book), 1) + "\n"; }
std::string text_of(const Picture& picture) { return text::json_text(json_of(picture)); }

}  // namespace nibble::record
