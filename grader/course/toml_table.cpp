// What each kind of member looks like, and what is said of one that looks otherwise.
#include "course/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <stdexcept>

namespace nibble::course {

using namespace std::chrono;

TomlTable::TomlTable(const toml::table& table, std::string file, std::string name)
    : table_(&table), file_(std::move(file)), name_(std::move(name)) {}

const toml::node* TomlTable::take(const char* key) {
  known_.insert(key);
  return table_->get(key);
}

std::optional<std::string> TomlTable::text(const char* key) {
  const toml::node* const node = take(key);
  if (node == nullptr) return {};
  if (!node->is_string()) fail(fmt::format("`{}` is no text: write it in quotes", key), key);
  return *node->value<std::string>();
}

std::optional<double> TomlTable::number(const char* key, double least, double most) {
  const toml::node* const node = take(key);
  if (node == nullptr) return {};
  const bool is_one = node->is_integer() || node->is_floating_point();
  const double value = is_one ? *node->value<double>() : 0.0;
  if (is_one && value >= least && value <= most) return value;
  fail(fmt::format("`{}` is a number from {} to {}, without quotes", key, least, most), key);
}

std::optional<bool> TomlTable::flag(const char* key) {
  const toml::node* const node = take(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) fail(fmt::format("`{}` is true or false, without quotes", key), key);
  return *node->value<bool>();
}

std::optional<ZonedMoment> TomlTable::moment(const char* key) {
  const toml::node* const node = take(key);
  if (node == nullptr) return {};
  const auto date = node->value<toml::date_time>();
  if (!date || !date->offset) {
    fail(fmt::format("`{}` is a date with its time and its distance from UTC, without quotes: "
                     "2026-10-12T23:59:00+02:00",
                     key),
         key);
  }
  const sys_days day = year_month_day(year(date->date.year), month(date->date.month),
                                      std::chrono::day(date->date.day));
  const minutes offset(date->offset->minutes);
  return ZonedMoment{day + hours(date->time.hour) + minutes(date->time.minute) +
                         seconds(date->time.second) - offset,
                     offset};
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
  const toml::node* const node = take(key);
  if (node == nullptr) return {};
  if (!node->is_table()) fail(fmt::format("`{}` is a table: [{}]", key, key), key);
  return TomlTable(*node->as_table(), file_, fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(const char* key) {
  const toml::node* const node = take(key);
  std::vector<TomlTable> all;
  if (node == nullptr) return all;
  const toml::array* const list = node->as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (!list->get(i)->is_table()) break;
    all.emplace_back(*list->get(i)->as_table(), file_, fmt::format("[[{}]]", key));
  }
  if (list == nullptr || all.size() != list->size()) {
    fail(fmt::format("`{}` may stand several times: write [[{}]], with two brackets", key, key),
         key);
  }
  return all;
}

std::vector<TomlTable> TomlTable::one_or_more(const char* key) {
  const toml::node* const node = table_->get(key);
  if (node == nullptr || !node->is_table()) return tables(key);
  std::vector<TomlTable> all;
  all.emplace_back(*take(key)->as_table(), file_, fmt::format("`{}`", key));
  return all;
}

std::string TomlTable::must_have(const char* key) {
  const std::optional<std::string> said = text(key);
  if (!said || said->empty()) fail(fmt::format("{} says no `{}`", name_, key));
  return *said;
}

bool TomlTable::holds_text(const char* key) const {
  const toml::node* const node = table_->get(key);
  return node != nullptr && node->is_string();
}

void TomlTable::must_be_read() const {
  for (const auto& [key, node] : *table_) {
    const std::string name{std::string_view(key)};
    if (known_.contains(name)) continue;
    fail(fmt::format("there is no `{}`{}. There are: {}", name, name_.empty() ? "" : " in " + name_,
                     fmt::join(known_, ", ")),
         name.c_str());
  }
}

void TomlTable::fail(const std::string& what, const char* key) const {
  const toml::node* const node = key != nullptr ? table_->get(key) : nullptr;
  const auto line = (node != nullptr ? *node : *table_).source().begin.line;
  throw std::invalid_argument(fmt::format("{}, line {}: {}", file_, line, what));
}

}  // namespace nibble::course
