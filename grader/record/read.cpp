// Reads the members of a record back from JSON, with a proof of each. A class is ten thousand
// results of 14 KB: the text is read by simdjson, and no value is copied but into its record.
#include <simdjson.h>
#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "record/codec.hpp"
#include "record/members.hpp"

namespace nibble::record {
namespace {

using Json = simdjson::dom::element;
using Array = simdjson::dom::array;
using Object = simdjson::dom::object;
using protocol::Leg;

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

/// An array, an object, a view of text, a number or a bool.
template <class T>
T as(const Json& json, const Where& where) {
  T value{};
  must(json.get(value) == simdjson::SUCCESS, where);
  return value;
}

template <class T>
void read(const Json& json, const Where& where, T& value);

template <std::size_t Count>
void read(const Json& json, const Where& where, std::array<std::int64_t, Count>& values) {
  const auto all = as<Array>(json, where);
  must(all.size() == Count, where);
  auto value = values.begin();
  for (const Json each : all) *value++ = as<std::int64_t>(each, where);
}

void read(const Json& json, const Where& where, std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : as<Object>(json, where)) {
    read(value, where, values[std::string(name)]);
  }
}

template <class Enum, std::size_t Count>
void read_name(const Json& json, const Where& where, const std::array<const char*, Count>& names,
               Enum& value) {
  const auto name = std::ranges::find(names, as<std::string_view>(json, where));
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
void read(const Json& json, const Where& where, Rare<T>& value) {
  if (!json.is_null()) read(json, where, value.emplace());
}

template <class T>
void read(const Json& json, const Where& where, std::vector<T>& values) {
  const auto all = as<Array>(json, where);
  values.reserve(all.size());
  for (const Json each : all) {
    const Where place{&where, nullptr, values.size()};
    read(each, place, values.emplace_back());
  }
}

struct Reader {
  const Object& json;
  const Where& where;
  mutable Object::iterator next = json.begin();  ///< behind the member that was read last
  mutable std::size_t taken = 0;                 ///< members that were read

  Where place(const char* name) const { return {&where, name}; }

  /// Nothing where there is none. Members are read in the order in which they were written, or
  /// nearly: the search goes on where the last one ended, and begins anew at the end. Of what a
  /// record may have, most is not there: nobody looks for it when all members have been taken.
  std::optional<Json> find(std::string_view name) const {
    if (taken == json.size()) return std::nullopt;
    const Object::iterator end = json.end();
    for (Object::iterator member = next; member != end; ++member) {
      if (member.key() == name) return take(member);
    }
    for (Object::iterator member = json.begin(); member != next; ++member) {
      if (member.key() == name) return take(member);
    }
    return std::nullopt;
  }

  Json take(Object::iterator member) const {
    const Json value = member.value();
    next = ++member;
    ++taken;
    return value;
  }

  template <class T>
  void operator()(const char* name, T& value) const {
    const std::optional<Json> member = find(name);
    if (!member) refuse(place(name), "missing");
    read(*member, place(name), value);
  }
  template <class T>
  void since(const char* name, T& value) const {
    if (const std::optional<Json> member = find(name)) read(*member, place(name), value);
  }
  template <class T>
  void some(const char* name, T& value, bool = false) const {
    since(name, value);
  }
  void some_in(const char* outer, const char* name, std::string& value) const {
    const std::optional<Json> around = find(outer);
    if (!around) return;
    const Where place_around = place(outer);
    const auto members_around = as<Object>(*around, place_around);
    Reader{members_around, place_around}.since(name, value);
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
  const auto count = as<std::uint64_t>(json, where);
  must(count <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()), where);
  value = static_cast<T>(count);
}

template <class T>
void read(const Json& json, const Where& where, T& value) {
  if constexpr (Record<T>) {
    const auto object = as<Object>(json, where);
    members(Of<T>{}, value, Reader{object, where});
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>) {
    value = as<T>(json, where);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = as<std::string_view>(json, where);
  } else {
    read_count(json, where, value);
  }
}

template <class T>
T read_whole(const std::string& text) {
  thread_local simdjson::dom::parser parser;  // keeps its memory for the next text
  Json json;
  const Where whole;
  must(parser.parse(text).get(json) == simdjson::SUCCESS, whole);
  T value;
  read(json, whole, value);
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
