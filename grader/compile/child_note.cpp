#include "compile/child_note.hpp"

#include <nlohmann/json.hpp>

#include "files/files.hpp"
#include "files/sha256.hpp"
#include "text/json_text.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string hash_of(const fs::path& child) {
  std::string bytes = files::read_file(child);
  for (const fs::path& companion : companions(child)) {
    if (fs::is_regular_file(companion)) bytes += files::read_file(companion);
  }
  return files::sha256(bytes);
}

}  // namespace

void write_child_note(const fs::path& file, const std::string& key, const Built& built) {
  const Json note = {{"key", key},
                     {"child", hash_of(built.executable)},
                     {"odd_imports", built.odd_imports},
                     {"prints", built.prints},
                     {"diagnostics", built.diagnostics}};
  files::write_atomically(file, text::json_text(note));
}

std::optional<Built> read_child_note(const fs::path& file, const std::string& key,
                                     const fs::path& child) {
  if (!fs::is_regular_file(file) || !fs::is_regular_file(child)) return std::nullopt;
  const Json note = text::json_of(files::read_file(file));
  try {
    if (note.at("key") != key || note.at("child") != hash_of(child)) return std::nullopt;
    Built built;
    note.at("odd_imports").get_to(built.odd_imports);
    note.at("prints").get_to(built.prints);
    note.at("diagnostics").get_to(built.diagnostics);
    built.ok = true;
    built.executable = child;
    return built;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace nibble::compile
