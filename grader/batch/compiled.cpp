#include "batch/compiled.hpp"

#include <optional>
#include <stdexcept>

#include "compile/child_note.hpp"
#include "files/sha256.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;

std::optional<compile::Built> take_out(const fs::path& folder) {
  return compile::read_child_note(folder / "note.json", folder.filename().string(),
                                  folder / "child");
}

/// Of all that was compiled only the children stay.
void put_away(const compile::Built& built, const fs::path& folder, const fs::path& being_filled) {
  fs::create_directories(being_filled);
  const auto move = [&](const fs::path& from) {
    if (fs::is_regular_file(from)) fs::rename(from, being_filled / from.filename());
  };
  move(built.executable);
  for (const fs::path& companion : compile::companions(built.executable)) move(companion);
  compile::Built kept = built;
  kept.executable = being_filled / built.executable.filename();
  compile::write_child_note(being_filled / "note.json", folder.filename().string(), kept);
  fs::create_directories(folder.parent_path());
  std::error_code taken;
  fs::rename(being_filled, folder, taken);
  if (!taken || take_out(folder)) return;  // another was first, and his is as good
  fs::remove_all(folder);                  // damaged
  fs::rename(being_filled, folder);
}

}  // namespace

compile::Built Compiled::get(const lab::Kit& kit, const compile::Job& job,
                             const std::string& key) const {
  const std::string level(sandbox::name_of(job.boxes.run));  // a child for LS is linked otherwise
  const std::string name = files::sha256(key + protocol::name_of(job.leg) + level).substr(7, 40);
  const fs::path folder = folder_ / name;
  if (auto kept = take_out(folder)) return *kept;
  const compile::Built built = compile::compile_child(kit, job);
  if (!built.ok) return built;
  put_away(built, folder, job.work / "kept");
  if (auto kept = take_out(folder)) return *kept;
  throw std::runtime_error("a child that was just compiled is gone from " + folder.string());
}

}  // namespace nibble::batch
