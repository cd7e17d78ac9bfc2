#include "cli/starter.hpp"

#include <filesystem>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "cli/trouble.hpp"
#include "teach/cut.hpp"

namespace nibble::cli {

namespace fs = std::filesystem;

/// Cut from the solution where that is here; a handout keeps its starters in grader/starters.
std::string starter_of(const build::Kit& kit, const Lab& lab) {
  const fs::path file = build::source_name(lab.name).filename();
  const fs::path solution = kit.source / "solutions" / lab.name / file;
  if (fs::exists(solution)) return teach::cut_starter(build::read_file(solution));
  const fs::path kept = kit.source / "grader" / "starters" / lab.name / file;
  if (fs::exists(kept)) return build::read_file(kept);
  const fs::path own = kit.pages(lab.name) / file;
  if (!fs::equivalent(kit.root, kit.source) && fs::exists(own)) return build::read_file(own);
  throw usage("the starter of " + lab.name + " is not in this copy of the kit: take " +
              build::source_name(lab.name).string() + " from the archive you got it in");
}

}  // namespace nibble::cli
