#include "cli/starter.hpp"

#include <filesystem>

#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "lab/cut.hpp"

namespace nibble::cli {

namespace fs = std::filesystem;

/// Cut from the solution where that is here; a handout keeps its starters in grader/starters.
std::string starter_of(const lab::Kit& kit, const MarkedLab& lab) {
  const fs::path file = lab.file_name();
  const fs::path solution = kit.source / "solutions" / lab.name / file;
  if (fs::exists(solution)) return lab::cut_starter(files::read_file(solution));
  const fs::path kept = kit.source / "grader" / "starters" / lab.name / file;
  if (fs::exists(kept)) return files::read_file(kept);
  const fs::path own = kit.pages(lab.name) / file;
  if (!fs::equivalent(kit.root, kit.source) && fs::exists(own)) return files::read_file(own);
  throw usage("the starter of " + lab.name + " is not in this copy of the kit: take " +
              lab.file().string() + " from the archive you got it in");
}

}  // namespace nibble::cli
