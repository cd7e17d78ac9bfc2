// One table of a TOML file, read member by member: what nobody asked for by the end is a mistake,
// and each mistake is said with its line.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml.hpp>

#include "text/moment.hpp"

namespace nibble::course {

/// A moment, and how far ahead of UTC it was written.
struct ZonedMoment {
  text::Moment moment;
  std::chrono::minutes offset{0};
};

/// A whole file, called `file`. Throws std::invalid_argument: "course.toml, line 12: …".
toml::value parse_toml(const std::string& text, const std::string& file);

class TomlTable {
 public:
  /// `name`: as an instructor sees it, "[late]"; empty: the file's own.
  TomlTable(const toml::value& table, std::string file, std::string name);

  /// These give nothing when there is no such member, and throw std::invalid_argument when it is of
  /// another kind.
  std::optional<std::string> text(const char* key);
  std::optional<double> number(const char* key, double least, double most);
  std::optional<bool> flag(const char* key);
  std::optional<ZonedMoment> moment(const char* key);
  std::optional<std::chrono::minutes> length(const char* key);
  std::optional<TomlTable> table(const char* key);
  std::vector<TomlTable> tables(const char* key);
  /// One table, `key = {…}`, or a list of them; called as `key`.
  std::vector<TomlTable> one_or_more(const char* key);

  std::string must_have(const char* key);
  bool holds_text(const char* key) const;

  /// Throws for a member that nobody has asked for.
  void must_be_read() const;

  /// Throws std::invalid_argument: "course.toml, line 12: …". The line of `key`, where it stands.
  [[noreturn]] void fail(const std::string& what, const char* key = nullptr) const;

 private:
  const toml::value* find(const std::string& key) const;
  const toml::value* take(const char* key);
  const toml::value* table_;
  std::string file_, name_;
  std::set<std::string> known_;
};

}  // namespace nibble::course
