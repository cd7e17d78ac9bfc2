#include "cli/child_cache.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "build/files.hpp"
#include "build/sha256.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What a learner's file may include of the kit, in a fixed order.
std::vector<fs::path> headers_of(const build::Kit& kit, const std::string& lab) {
  std::vector<fs::path> headers;
  for (const fs::path& folder : kit.folders(lab)) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path ending = entry.path().extension();
      if (ending == ".hpp" || ending == ".h") headers.push_back(entry.path());
    }
  }
  std::ranges::sort(headers);
  return headers;
}

/// A hash of everything that decides what the child is.
std::string key_of(const build::Kit& kit, const build::Job& job) {
  std::string parts =
      build::sha256(job.source) + "\n" + kit.version + "\n" + kit.cxx + "\n" + kit.cxx_name + "\n";
  for (const std::string& flag : kit.flags(job.lab, job.leg)) parts += flag + "\n";
  for (const std::string& flag : kit.link_flags) parts += flag + "\n";
  std::vector<fs::path> files = headers_of(kit, job.lab);
  for (const fs::path& object : build::runner_objects(kit, job.lab)) files.push_back(object);
  for (const fs::path& file : files) parts += build::sha256(build::read_file(file)) + "\n";
  return build::sha256(parts);
}

std::string hash_of(const fs::path& child) {
  std::string bytes = build::read_file(child);
  for (const fs::path& companion : build::companions(child)) {
    if (fs::is_regular_file(companion)) bytes += build::read_file(companion);
  }
  return build::sha256(bytes);
}

/// The child's own hash is part of the note: one that was exchanged is compiled again.
Json note_of(const std::string& key, const build::Built& built) {
  return {{"key", key},
          {"child", hash_of(built.executable)},
          {"odd_imports", built.odd_imports},
          {"diagnostics", built.diagnostics}};
}

bool reuse(const fs::path& note_file, const fs::path& child, const std::string& key,
           build::Built& built) {
  if (!fs::is_regular_file(note_file) || !fs::is_regular_file(child)) return false;
  const Json note = Json::parse(build::read_file(note_file), nullptr, /*throw=*/false);
  if (!note.is_object() || note.value("key", "") != key) return false;
  if (note.value("child", "") != hash_of(child)) return false;
  built.ok = true;
  built.executable = child;
  built.odd_imports = note.value("odd_imports", std::vector<std::string>{});
  built.diagnostics = note.value("diagnostics", "");
  return true;
}

}  // namespace

Child compile_or_reuse(const build::Kit& kit, const build::Job& job) {
  const fs::path note_file = job.work / "note.json";
  const std::string key = key_of(kit, job);
  Child child;
  if (reuse(note_file, job.work / "child", key, child.built)) {
    child.reused = true;
    return child;
  }
  std::error_code none;
  fs::remove(note_file, none);
  child.built = build::compile_child(kit, job);
  if (child.built.ok) build::write_atomically(note_file, note_of(key, child.built).dump());
  return child;
}

}  // namespace nibble::cli
