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

std::vector<fs::path> headers_in(const fs::path& folder) {
  std::vector<fs::path> headers;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
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
  std::vector<fs::path> files = headers_in(kit.contract(job.lab));
  for (const fs::path& header : headers_in(kit.source / "common" / "nibble")) {
    files.push_back(header);
  }
  for (const std::string& part :
       {std::string("main"), std::string("loop"), std::string("crash_note"), job.lab}) {
    files.push_back(kit.build / "runner" / (part + ".o"));
  }
  for (const fs::path& file : files) parts += build::sha256(build::read_file(file)) + "\n";
  return build::sha256(parts);
}

/// The child's own hash is part of the note: one that was exchanged is compiled again.
Json note_of(const std::string& key, const build::Built& built) {
  return {{"key", key},
          {"child", build::sha256(build::read_file(built.executable))},
          {"odd_imports", built.odd_imports},
          {"diagnostics", built.diagnostics}};
}

bool reuse(const fs::path& note_file, const fs::path& child, const std::string& key,
           build::Built& built) {
  if (!fs::is_regular_file(note_file) || !fs::is_regular_file(child)) return false;
  const Json note = Json::parse(build::read_file(note_file), nullptr, /*throw=*/false);
  if (!note.is_object() || note.value("key", "") != key) return false;
  if (note.value("child", "") != build::sha256(build::read_file(child))) return false;
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
