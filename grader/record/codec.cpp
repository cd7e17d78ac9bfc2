// Writes the members of a record as JSON, and reads them back with a proof of each.
#include "record/codec.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

#include "record/members.hpp"
#include "text/json_text.hpp"

namespace nibble::record {
namespace {

using Json = nlohmann::ordered_json;
using protocol::Leg;

// --- A record as JSON ---------------------------------------------------------------------------

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

// --- And back -----------------------------------------------------------------------------------

/// Where in a text something is. Put into words when it is asked for: of ten thousand results that
/// are read nobody asks.
struct Where {
  const Where* around = nullptr;
  const char* name = nullptr;  ///< of a member; else it is an element
  std::size_t element = 0;

  /// "checks[3].status"
  std::string text() const {
    if (around == nullptr) return name == nullptr ? "the text" : name;
    const std::string outer = around->is_whole() ? "" : around->text();
    if (name == nullptr) return outer + "[" + std::to_string(element) + "]";
    return outer.empty() ? name : outer + "." + name;
  }

 private:
  bool is_whole() const { return around == nullptr && name == nullptr; }
};

[[noreturn]] void refuse(const Where& where, const char* why) {
  throw std::invalid_argument(where.text() + " is " + why);
}

void must(bool holds, const Where& where) {
  if (!holds) refuse(where, "not what it should be");
}

template <class T>
void read(const Json& json, const Where& where, T& value);

template <std::size_t Count>
void read(const Json& json, const Where& where, std::array<std::int64_t, Count>& values) {
  must(json.is_array() && json.size() == Count, where);
  for (std::size_t i = 0; i < Count; ++i) {
    must(json[i].is_number_integer(), where);
    values[i] = json[i].get<std::int64_t>();
  }
}

void read(const Json& json, const Where& where, std::map<std::string, std::string>& values) {
  must(json.is_object(), where);
  for (const auto& [name, value] : json.items()) read(value, where, values[name]);
}

template <class Enum, std::size_t Count>
void read_name(const Json& json, const Where& where, const std::array<const char*, Count>& names,
               Enum& value) {
  const auto name = std::ranges::find(names, json.is_string() ? json.get<std::string>() : "");
  must(name != names.end(), where);
  value = static_cast<Enum>(name - names.begin());
}

void read(const Json& json, const Where& where, Leg& value) {
  read_name(json, where, protocol::kLegNames, value);
}
void read(const Json& json, const Where& where, CheckStatus& value) {
  read_name(json, where, kStatusNames, value);
}
void read(const Json& json, const Where& where, Detail& value) {
  read_name(json, where, kDetailNames, value);
}
void read(const Json& json, const Where& where, End& value) {
  read_name(json, where, kEndNames, value);
}
void read(const Json& json, const Where& where, LegState& value) {
  read_name(json, where, kLegStateNames, value);
}

template <class T>
void read(const Json& json, const Where& where, std::optional<T>& value) {
  if (!json.is_null()) read(json, where, value.emplace());
}

template <class T>
void read(const Json& json, const Where& where, std::vector<T>& values) {
  must(json.is_array(), where);
  values.reserve(json.size());
  for (const Json& each : json) {
    const Where place{&where, nullptr, values.size()};
    read(each, place, values.emplace_back());
  }
}

struct Reader {
  const Json& json;
  const Where& where;
  mutable std::size_t next = 0;  ///< the member behind the one that was read last

  Where place(const char* name) const { return {&where, name}; }

  /// Nothing where there is none. Members are read in the order in which they were written, or
  /// nearly: the search goes on where the last one ended, and begins anew at the end.
  const Json* find(std::string_view name) const {
    const auto& all = json.get_ref<const Json::object_t&>();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& member = *(all.begin() + static_cast<std::ptrdiff_t>((next + i) % all.size()));
      if (member.first != name) continue;
      next = (next + i + 1) % all.size();
      return &member.second;
    }
    return nullptr;
  }

  template <class T>
  void operator()(const char* name, T& value) const {
    const Json* const member = find(name);
    if (member == nullptr) refuse(place(name), "missing");
    read(*member, place(name), value);
  }
  template <class T>
  void since(const char* name, T& value) const {
    if (const Json* const member = find(name)) read(*member, place(name), value);
  }
  template <class T>
  void some(const char* name, T& value, bool = false) const {
    since(name, value);
  }
  void some_in(const char* outer, const char* name, std::string& value) const {
    const Json* const around = find(outer);
    if (around == nullptr) return;
    must(around->is_object(), place(outer));
    const Where place_around = place(outer);
    Reader{*around, place_around}.since(name, value);
  }
  void either(const char* name, bool& value, const char* no, const char* yes) const {
    std::string word;
    (*this)(name, word);
    must(word == no || word == yes, place(name));
    value = word == yes;
  }
  void is(const char* name, int value) const {
    int told = 0;
    (*this)(name, told);
    must(told == value, place(name));
  }
};

/// A number of things is never below 0.
template <class T>
void read_count(const Json& json, const Where& where, T& value) {
  must(json.is_number_unsigned(), where);
  const auto count = json.get<std::uint64_t>();
  must(count <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()), where);
  value = static_cast<T>(count);
}

template <class T>
void read(const Json& json, const Where& where, T& value) {
  if constexpr (Record<T>) {
    must(json.is_object(), where);
    members(Of<T>{}, value, Reader{json, where});
  } else if constexpr (std::is_same_v<T, bool>) {
    must(json.is_boolean(), where);
    value = json.get<bool>();
  } else if constexpr (std::is_same_v<T, double>) {
    must(json.is_number(), where);
    value = json.get<double>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    must(json.is_string(), where);
    value = json.get<std::string>();
  } else {
    read_count(json, where, value);
  }
}

template <class T>
T read_whole(const std::string& text) {
  T value;
  read(text::json_of(text), Where{}, value);
  return value;
}

/// Files are called by it: "05_per_channel".
void must_be_a_lab(const std::string& name) {
  const auto is_of_a_name = [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  };
  must(name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0])) != 0 &&
           std::isdigit(static_cast<unsigned char>(name[1])) != 0 && name[2] == '_' &&
           std::ranges::all_of(name, is_of_a_name),
       Where{nullptr, "lab"});
}

}  // namespace

std::string text_of(const Result& result) { return text::file_text(json_of(result)); }
std::string text_of(const Verdict& verdict) { return text::json_text(json_of(verdict)); }
std::string text_of(const Scheme& scheme) { return text::json_text(json_of(scheme), 1) + "\n"; }
std::string text_of(const SpeedBook& book) { return text::json_text(json_of(book), 1) + "\n"; }
std::string text_of(const Picture& picture) { return text::json_text(json_of(picture)); }

Result read_result(const std::string& text) {
  auto result = read_whole<Result>(text);
  must_be_a_lab(result.lab);
  return result;
}

Verdict read_verdict(const std::string& text) { return read_whole<Verdict>(text); }
Scheme read_scheme(const std::string& text) { return read_whole<Scheme>(text); }
SpeedBook read_speed_book(const std::string& text) { return read_whole<SpeedBook>(text); }
Picture read_picture(const std::string& text) { return read_whole<Picture>(text); }

}  // namespace nibble::record
