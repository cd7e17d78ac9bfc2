// The handout's list and a list of what instructors use, applied to the tree.
#include "setup/kit_copy.hpp"

#include "files/files.hpp"
#include "handout/handout_cut.hpp"
#include "handout/handout_list.hpp"
#include "lab/lab_files.hpp"

namespace nibble::setup {

namespace fs = std::filesystem;

Bundle kit_copy(const lab::Kit& kit, const std::vector<lab::Lab>& labs) {
  const std::vector<std::string> names = names_of(labs);
  const std::string list = files::read_file(kit.source / "grader/handout/handout.txt") +
                           files::read_file(kit.source / "grader/setup/kit.txt");
  Bundle copy;
  const auto take = [&](const fs::path& file) {
    const bool runs =
        (fs::status(kit.source / file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    copy[file] = {files::read_file(kit.source / file),
                  runs ? FileRole::kProgram : FileRole::kPlain};
  };
  for (const fs::path& file : handout::listed_files(kit.source, list, names)) take(file);
  for (const lab::Lab& lab : labs) take(lab::files_of("", lab).solution);
  std::string& index = copy.at("labs/CMakeLists.txt").text;
  index = handout::without_other_labs(index, names);
  return copy;
}

}  // namespace nibble::setup
