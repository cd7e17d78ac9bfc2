// What each kind of member looks like, and what is said of one that looks otherwise.
#include "course/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace nibble::course {

using namespace std::chrono;

namespace {

/// Where a value or a mistake begins. toml11 has two ways to say it, of its versions 3 and 4.
std::size_t line_of(const auto& place) {
  if constexpr (requires { place.line(); }) return place.line();
  if constexpr (requires { place.first_line_number(); }) return place.first_line_number();
}

/// Version 3 says of a date that is none that it stands in line 1, the date's own.
std::size_t line_of_mistake(const auto& error, std::string_view text) {
  if constexpr (requires { error.errors(); }) {
    return line_of(error.errors().front().locations().front().first);
  } else {
    const auto& place = error.location();
    if (line_of(place) > 1) return line_of(place);
    text = text.substr(0, text.find(place.line_str()));
    return 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
}

/// Of "[error] toml::parse_date: invalid date" and a drawing below it: "invalid date".
std::string in_a_few_words(std::string_view said) {
  said = said.substr(0, said.find('\n'));
  constexpr std::string_view kMark = "[error] ";
  if (said.starts_with(kMark)) said.remove_prefix(kMark.size());
  const std::size_t colon = said.find(": ");
  if (colon != said.npos && said.find(' ') > colon) said.remove_prefix(colon + 2);
  return std::string(said);
}

}  // namespace

toml::value parse_toml(const std::string& text, const std::string& file) {
  try {
    std::istringstream in(text);
    return toml::parse(in, file);
  } catch (const toml::syntax_error& error) {
    throw std::invalid_argument(fmt::format("{}, line {}: {}", file, line_of_mistake(error, text),
                                            in_a_few_words(error.what())));
  }
}

TomlTable::TomlTable(const toml::value& table, std::string file, std::string name)
    : table_(&table), file_(std::move(file)), name_(std::move(name)) {}

const toml::value* TomlTable::find(const std::string& key) const {
  const auto& all = table_->as_table();
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

const toml::value* TomlTable::take(const char* key) {
  known_.insert(key);
  return find(key);
}

std::optional<std::string> TomlTable::text(const char* key) {
  const toml::value* const node = take(key);
  if (node == nullptr) return {};
  if (!node->is_string()) fail(fmt::format("`{}` is no text: write it in quotes", key), key);
  return toml::get<std::string>(*node);
}

std::optional<double> TomlTable::number(const char* key, double least, double most) {
  const toml::value* const node = take(key);
  if (node == nullptr) return {};
  const bool is_whole = node->is_integer(), is_one = is_whole || node->is_floating();
  const double value = is_whole ? static_cast<double>(node->as_integer())
                       : is_one ? node->as_floating()
                                : 0.0;
  if (is_one && value >= least && value <= most) return value;
  fail(fmt::format("`{}` is a number from {} to {}, without quotes", key, least, most), key);
}

std::optional<bool> TomlTable::flag(const char* key) {
  const toml::value* const node = take(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) fail(fmt::format("`{}` is true or false, without quotes", key), key);
  return node->as_boolean();
}

std::optional<ZonedMoment> TomlTable::moment(const char* key) {
  const toml::value* const node = take(key);
  if (node == nullptr) return {};
  if (!node->is_offset_datetime()) {
    fail(fmt::format("`{}` is a date with its time and its distance from UTC, without quotes: "
                     "2026-10-12T23:59:00+02:00",
                     key),
         key);
  }
  const auto& [date, time, offset] = node->as_offset_datetime();
  const sys_days day = year(date.year) / (date.month + 1) / date.day;
  const minutes ahead = hours(offset.hour) + minutes(offset.minute);
  return ZonedMoment{day + hours(time.hour) + minutes(time.minute) + seconds(time.second) - ahead,
                     ahead};
}

std::optional<minutes> TomlTable::length(const char* key) {
  const std::optional<std::string> said = text(key);
  if (!said) return {};
  int count = 0;
  const auto [end, error] = std::from_chars(said->data(), said->data() + said->size(), count);
  const std::string_view unit(end, said->data() + said->size());
  if (error == std::errc() && count >= 0) {
    if (unit == " min") return minutes(count);
    if (unit == " h") return hours(count);
    if (unit == " d") return days(count);
  }
  fail(fmt::format("`{}` is a length of time: \"15 min\", \"2 h\", \"1 d\"", key), key);
}

std::optional<TomlTable> TomlTable::table(const char* key) {
  const toml::value* const node = take(key);
  if (node == nullptr) return {};
  if (!node->is_table()) fail(fmt::format("`{}` is a table: [{}]", key, key), key);
  return TomlTable(*node, file_, fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(const char* key) {
  const toml::value* const node = take(key);
  std::vector<TomlTable> all;
  if (node == nullptr) return all;
  const bool are_tables =
      node->is_array() && std::ranges::all_of(node->as_array(), &toml::value::is_table);
  if (!are_tables) {
    fail(fmt::format("`{}` may stand several times: write [[{}]], with two brackets", key, key),
         key);
  }
  for (const toml::value& one : node->as_array()) {
    all.emplace_back(one, file_, fmt::format("[[{}]]", key));
  }
  return all;
}

std::vector<TomlTable> TomlTable::one_or_more(const char* key) {
  const toml::value* const node = find(key);
  if (node == nullptr || !node->is_table()) return tables(key);
  std::vector<TomlTable> all;
  all.emplace_back(*take(key), file_, fmt::format("`{}`", key));
  return all;
}

std::string TomlTable::must_have(const char* key) {
  const std::optional<std::string> said = text(key);
  if (!said || said->empty()) fail(fmt::format("{} says no `{}`", name_, key));
  return *said;
}

bool TomlTable::holds_text(const char* key) const {
  const toml::value* const node = find(key);
  return node != nullptr && node->is_string();
}

void TomlTable::must_be_read() const {
  std::set<std::string> unread;
  for (const auto& [name, value] : table_->as_table()) {
    if (!known_.contains(name)) unread.insert(name);
  }
  if (unread.empty()) return;
  fail(fmt::format("there is no `{}`{}. There are: {}", *unread.begin(),
                   name_.empty() ? "" : " in " + name_, fmt::join(known_, ", ")),
       unread.begin()->c_str());
}

void TomlTable::fail(const std::string& what, const char* key) const {
  const toml::value* const node = key != nullptr ? find(key) : nullptr;
  const auto line = line_of((node != nullptr ? *node : *table_).location());
  throw std::invalid_argument(fmt::format("{}, line {}: {}", file_, line, what));
}

}  // namespace nibble::course
