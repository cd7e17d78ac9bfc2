#include "cli/child_cache.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "compile/child_note.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

/// What a learner's file may include of the kit, in a fixed order.
std::vector<fs::path> headers_of(const lab::Kit& kit, const std::string& lab) {
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
std::string key_of(const lab::Kit& kit, const compile::Job& job) {
  std::string parts =
      files::sha256(job.source) + "\n" + kit.version + "\n" + kit.cxx + "\n" + kit.cxx_name + "\n";
  for (const std::string& flag : kit.flags(job.lab, job.leg)) parts += flag + "\n";
  for (const std::string& flag : kit.link_flags) parts += flag + "\n";
  std::vector<fs::path> files = headers_of(kit, job.lab);
  for (const fs::path& object : compile::runner_objects(kit, job.lab)) files.push_back(object);
  for (const fs::path& file : files) parts += files::sha256(files::read_file(file)) + "\n";
  return files::sha256(parts);
}

}  // namespace

Child compile_or_reuse(const lab::Kit& kit, const compile::Job& job) {
  const fs::path note_file = job.work / "note.json";
  const std::string key = key_of(kit, job);
  Child child;
  if (auto kept = compile::read_child_note(note_file, key, job.work / "child")) {
    child.built = std::move(*kept);
    child.reused = true;
    return child;
  }
  std::error_code none;
  fs::remove(note_file, none);
  child.built = compile::compile_child(kit, job);
  if (child.built.ok) compile::write_child_note(note_file, key, child.built);
  return child;
}

}  // namespace nibble::cli
