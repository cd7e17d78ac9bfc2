// Finds a child by its key, or compiles it and puts it in its place in one step; what was not used
// for long goes.
#include "compile/cache.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "compile/key.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "files/sha256.hpp"
#include "text/json_text.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kChild = "child";
constexpr const char* kNote = "note.json";

std::string hash_of(const fs::path& child) {
  std::string bytes = files::read_file(child);
  for (const fs::path& companion : companions(child)) {
    bytes += "\n";  // one that is there in place of the other is another child
    if (fs::is_regular_file(companion)) bytes += files::read_file(companion);
  }
  return files::sha256(bytes);
}

void write_note(const fs::path& entry, const std::string& key, const Built& built) {
  const Json note = {{"key", key},
                     {"child", hash_of(entry / kChild)},
                     {"odd_imports", built.odd_imports},
                     {"prints", built.prints},
                     {"diagnostics", built.diagnostics}};
  files::write_atomically(entry / kNote, text::json_text(note));
}

/// Nothing where the note is not there, is of another key or another child, or is no note: somebody
/// may have been at it.
std::optional<Built> read_entry(const fs::path& entry, const std::string& key) {
  const fs::path child = entry / kChild;
  if (!fs::is_regular_file(entry / kNote) || !fs::is_regular_file(child)) return std::nullopt;
  try {
    const Json note = text::json_of(files::read_file(entry / kNote));
    if (note.at("key") != key || note.at("child") != hash_of(child)) return std::nullopt;
    Built built;
    note.at("odd_imports").get_to(built.odd_imports);
    note.at("prints").get_to(built.prints);
    note.at("diagnostics").get_to(built.diagnostics);
    built.ok = built.reused = true;
    built.executable = child;
    return built;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const fs::filesystem_error&) {
    return std::nullopt;  // it is being removed
  }
}

/// The folders of what is kept, each behind the time of its last use.
std::vector<std::pair<fs::file_time_type, fs::path>> entries_in(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code ignored;
  for (const auto& one : fs::directory_iterator(folder, ignored)) {
    entries.emplace_back(fs::last_write_time(one.path(), ignored), one.path());
  }
  return entries;
}

void drop(const fs::path& entry) {
  std::error_code ignored;
  fs::remove_all(entry, ignored);
}

}  // namespace

Cache::Cache(fs::path folder, std::size_t most) : folder_(std::move(folder)), most_(most) {}

Built Cache::get(const lab::Kit& kit, const Job& job) const {
  const std::string key = key_of(kit, job);
  if (auto kept = find(key)) return *kept;
  Built built = compile_child(kit, job);
  return built.ok ? put(key, built) : built;
}

std::optional<Built> Cache::find(const std::string& key) const {
  std::error_code ignored;
  fs::last_write_time(folder_ / key, fs::file_time_type::clock::now(), ignored);
  return read_entry(folder_ / key, key);
}

Built Cache::put(const std::string& key, const Built& built) const {
  fill(key, built);
  if (most_ > 0) drop_oldest();
  Built kept = built;
  kept.executable = folder_ / key / kChild;
  if (fs::is_regular_file(kept.executable)) return kept;
  throw std::runtime_error("a child that was just compiled is gone from " +
                           kept.executable.string());
}

void Cache::fill(const std::string& key, const Built& built) const {
  const files::ScratchFolder scratch(folder_);
  const fs::path entry = scratch.path() / key;
  fs::create_directory(entry);
  fs::rename(built.executable, entry / kChild);
  for (std::size_t i = 0; i < 2; ++i) {
    const fs::path companion = companions(built.executable)[i];
    if (fs::is_regular_file(companion)) fs::rename(companion, companions(entry / kChild)[i]);
  }
  write_note(entry, key, built);
  for (int tries = 0; tries < 3; ++tries) {  // others may do the same
    std::error_code taken;
    fs::rename(entry, folder_ / key, taken);
    if (!taken || find(key)) return;
    drop(folder_ / key);  // damaged
  }
}

void Cache::drop_oldest() const {
  auto entries = entries_in(folder_);
  if (entries.size() <= most_) return;
  std::ranges::sort(entries, std::ranges::greater());
  for (std::size_t i = most_; i < entries.size(); ++i) drop(entries[i].second);
}

void Cache::sweep(std::chrono::hours unused) const {
  for (const auto& [used, folder] : entries_in(folder_)) {
    if (fs::file_time_type::clock::now() - used > unused) drop(folder);
  }
}

}  // namespace nibble::compile
