#include "batch/compiled.hpp"

#include <optional>

#include "batch/store.hpp"
#include "build/files.hpp"
#include "build/sha256.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string hash_of(const fs::path& child) {
  std::string bytes = build::read_file(child);
  for (const fs::path& companion : build::companions(child)) {
    if (fs::is_regular_file(companion)) bytes += build::read_file(companion);
  }
  return build::sha256(bytes);
}

std::optional<build::Built> take_out(const fs::path& folder) {
  const std::optional<Json> note = read_json(folder / "note.json");
  const fs::path child = folder / "child";
  if (!note || !fs::is_regular_file(child) || note->value("child", "") != hash_of(child)) {
    return std::nullopt;
  }
  build::Built built;
  built.ok = true;
  built.executable = child;
  built.diagnostics = note->value("diagnostics", "");
  built.odd_imports = note->value("odd_imports", std::vector<std::string>{});
  return built;
}

/// Of all that was compiled only the children stay.
void put_away(const build::Built& built, const fs::path& folder, const fs::path& being_filled) {
  fs::create_directories(being_filled);
  const auto move = [&](const fs::path& from) {
    if (fs::is_regular_file(from)) fs::rename(from, being_filled / from.filename());
  };
  move(built.executable);
  for (const fs::path& companion : build::companions(built.executable)) move(companion);
  const Json note = {{"child", hash_of(being_filled / built.executable.filename())},
                     {"diagnostics", built.diagnostics},
                     {"odd_imports", built.odd_imports}};
  build::write_atomically(being_filled / "note.json", note.dump());
  fs::create_directories(folder.parent_path());
  std::error_code taken;
  fs::rename(being_filled, folder, taken);
  if (!taken || take_out(folder)) return;  // another was first, and his is as good
  fs::remove_all(folder);                  // damaged
  fs::rename(being_filled, folder);
}

}  // namespace

build::Built Compiled::get(const build::Kit& kit, const build::Job& job,
                           const std::string& key) const {
  const std::string level(sandbox::name_of(job.boxes.run));  // a child for LS is linked otherwise
  const std::string name = build::sha256(key + build::name_of(job.leg) + level).substr(7, 40);
  const fs::path folder = folder_ / name;
  if (auto kept = take_out(folder)) return *kept;
  const build::Built built = build::compile_child(kit, job);
  if (!built.ok) return built;
  put_away(built, folder, job.work / "kept");
  if (auto kept = take_out(folder)) return *kept;
  throw std::runtime_error("a child that was just compiled is gone from " + folder.string());
}

}  // namespace nibble::batch
