// nibble reset EX|LAB: the starter again; the file as it was is kept beside it.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "cli/commands.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "teach/cut.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

/// Cut from the solution where that is here; a handout keeps its starters in grader/starters.
std::string starter_of(const build::Kit& kit, const Lab& lab) {
  const fs::path file = build::source_name(lab.name).filename();
  const fs::path solution = kit.source / "solutions" / lab.name / file;
  if (fs::exists(solution)) return teach::cut_starter(build::read_file(solution));
  const fs::path kept = kit.source / "grader" / "starters" / lab.name / file;
  if (fs::exists(kept)) return build::read_file(kept);
  const fs::path own = kit.contract(lab.name) / file;
  if (!fs::equivalent(kit.root, kit.source) && fs::exists(own)) return build::read_file(own);
  throw usage("the starter of " + lab.name + " is not in this copy of the kit: take " +
              build::source_name(lab.name).string() + " from the archive you got it in");
}

}  // namespace

int reset_command(Context& context, const std::string& word) {
  const Target target = find_target(context.labs, word);
  const Lab& lab = *target.lab;
  const std::string starter = starter_of(context.kit, lab);
  const fs::path file = learners_file(context.kit, lab);
  const std::string shown = build::source_name(lab.name).string();
  if (fs::exists(file)) {
    if (build::read_file(file) == starter) {
      context.out << shown << " is the starter already\n";
      return kPassed;
    }
    const fs::path kept = unused_name(file, ".bak-");
    fs::copy_file(file, kept);
    context.out << fmt::format("kept   your file as {}\n", kept.filename().string());
  }
  build::write_atomically(file, starter);
  context.out << fmt::format("reset  {} is the starter again\n", shown);
  if (!target.exercise.empty() && lab.exercises.size() > 1) {
    context.out << fmt::format(
        "       the whole file, not {} alone: all {} exercises of the lab"
        " live in it\n",
        target.exercise, lab.exercises.size());
  }
  return kPassed;
}

}  // namespace nibble::cli
