// nibble reset EX|LAB: the starter again; the file as it was is kept beside it.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "cli/commands.hpp"
#include "cli/learner.hpp"
#include "cli/starter.hpp"
#include "cli/trouble.hpp"

namespace nibble::cli {
namespace fs = std::filesystem;

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
