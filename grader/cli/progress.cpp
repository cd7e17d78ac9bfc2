// Reads and writes the lines of progress.txt; a file with a line
// that cannot be read is kept aside, and told.
#include "cli/progress.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>

#include "files/files.hpp"
#include "text/pattern.hpp"

namespace nibble::cli {
namespace {

constexpr std::string_view kHeading = "# nibble progress 1";

bool is_state(const std::string& word) {
  return word == "passed" || word == "open" || word == "skipped-by-test";
}

bool is_id(const std::string& word) {
  static const text::Pattern pattern("[0-9]{2}\\.[A-Za-z0-9_]{1,100}");
  return pattern.match(word).has_value();
}

bool is_date(const std::string& word) {
  static const text::Pattern pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");
  return pattern.match(word).has_value();
}

std::optional<int> count_in(std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < 0) return {};
  return value;
}

bool take_note(Entry& entry, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
  int* const number = key == "tries"     ? &entry.tries
                      : key == "hints"   ? &entry.hints
                      : key == "seconds" ? &entry.seconds
                                         : nullptr;
  if (number == nullptr) {
    entry.notes[key] = value;
    return true;
  }
  const std::optional<int> count = count_in(value);
  *number = count.value_or(0);
  return count.has_value();
}

std::optional<std::pair<std::string, Entry>> parse_line(const std::string& line) {
  std::istringstream words(line);
  std::string id;
  Entry entry;
  words >> id >> entry.state >> entry.date;
  if (!words || !is_id(id) || !is_state(entry.state) || !is_date(entry.date)) return {};
  for (std::string word; words >> word;) {
    if (!take_note(entry, word)) return {};
  }
  return std::pair{id, entry};
}

void keep_newer(Progress& progress, const std::string& id, const Entry& entry) {
  const auto [place, fresh] = progress.entries.try_emplace(id, entry);
  if (!fresh && place->second.date < entry.date) place->second = entry;
}

}  // namespace

std::optional<int> Entry::number(const std::string& note) const {
  const auto found = notes.find(note);
  return found == notes.end() ? std::nullopt : count_in(found->second);
}

const Entry* Progress::find(const std::string& id) const {
  const auto found = entries.find(id);
  return found == entries.end() ? nullptr : &found->second;
}

bool Progress::done(const std::string& id) const {
  const Entry* const entry = find(id);
  return entry != nullptr && entry->done();
}

void Progress::merge(const Progress& other) {
  for (const auto& [id, entry] : other.entries) keep_newer(*this, id, entry);
}

Parsed parse_progress(std::string_view text) {
  Parsed parsed;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    if (const auto entry = parse_line(line)) {
      keep_newer(parsed.progress, entry->first, entry->second);
    } else {
      parsed.bad_lines.push_back(number);
    }
  }
  return parsed;
}

std::string progress_text(const Progress& progress) {
  std::string text = std::string(kHeading) + "\n";
  for (const auto& [id, entry] : progress.entries) {
    text += fmt::format("{:<40} {:<15}  {}  tries={} hints={} seconds={}", id, entry.state,
                        entry.date, entry.tries, entry.hints, entry.seconds);
    for (const auto& [key, value] : entry.notes) text += fmt::format(" {}={}", key, value);
    text += "\n";
  }
  return text;
}

Progress Notebook::load(std::string& complaint) const {
  if (!std::filesystem::exists(file())) return {};
  Parsed parsed = parse_progress(files::read_file(file()));
  if (parsed.bad_lines.empty()) return parsed.progress;
  const std::filesystem::path aside = unused_name(file(), ".bad-");
  std::filesystem::copy_file(file(), aside);
  save(parsed.progress);
  complaint = fmt::format(
      "line {} of .nibble/progress.txt could not be read: the file was kept as {}, and the {} "
      "exercises that could be read go on",
      parsed.bad_lines.front(), aside.filename().string(), parsed.progress.entries.size());
  return parsed.progress;
}

void Notebook::save(const Progress& progress) const {
  files::write_atomically(file(), progress_text(progress));
}

std::filesystem::path unused_name(const std::filesystem::path& file, const std::string& suffix) {
  for (int n = 1;; ++n) {
    std::filesystem::path name = file.string() + suffix + std::to_string(n);
    if (!std::filesystem::exists(std::filesystem::symlink_status(name))) return name;
  }
}

}  // namespace nibble::cli
