// nibble reset EX|LAB: the starter again; the file as it was is kept beside it, and progress knows.
// With --contract: the lab's headers as they were handed out.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "cli/attempt.hpp"
#include "cli/commands.hpp"
#include "cli/headers.hpp"
#include "cli/learner.hpp"
#include "cli/record.hpp"
#include "cli/starter.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

/// Copies `file`, below the project, to a name of its own, and says how to get it back.
void keep_aside(Context& context, const fs::path& file) {
  const fs::path kept = unused_name(context.kit.root / file, ".bak-");
  fs::copy_file(context.kit.root / file, kept);
  const std::string name = (file.parent_path() / kept.filename()).string();
  context.out << fmt::format("kept   your file as {}\nback   cp {} {}\n", name, name,
                             file.string());
}

/// What was judged is no longer there: points of it would be nobody's.
void forget_verdict(const Context& context, const MarkedLab& lab) {
  std::error_code none;
  fs::remove(results_file(context.kit, lab.name), none);
  if (!fs::exists(context.notebook.file())) return;
  change_progress(context, [&](Progress& progress) {
    for (const MarkedExercise& exercise : lab.exercises) {
      const auto found = progress.entries.find(lab.id_of(exercise.name));
      if (found == progress.entries.end()) continue;
      found->second.state = "open";
      found->second.date = report::utc_now();
      for (const char* const note : {"source", "points", "elsewhere", "estimate"}) {
        found->second.notes.erase(note);
      }
    }
  });
}

int reset_headers(Context& context, const MarkedLab& lab) {
  const std::vector<ChangedHeader> changed = changed_headers(context.kit, lab);
  for (const ChangedHeader& one : changed) {
    keep_aside(context, one.file);
    files::write_atomically(context.kit.root / one.file,
                            files::read_file(context.kit.headers / one.file));
    context.out << fmt::format("reset  {} is what was handed out again\n", one.file.string());
  }
  if (changed.empty()) {
    context.out << "the headers of " << lab.name << " are what was handed out\n";
  }
  return kPassed;
}

}  // namespace

int reset_command(Context& context, const std::string& word, bool contract) {
  const Target target = find_target(context.labs, word);
  const MarkedLab& lab = *target.lab;
  if (contract) return reset_headers(context, lab);
  const std::string starter = starter_of(context.kit, lab);
  const fs::path file = learners_file(context.kit, lab);
  const std::string shown = lab.file().string();
  const bool was_there = fs::exists(file);
  if (was_there && files::read_file(file) == starter) {
    context.out << shown << " is the starter already\n";
  } else {
    if (was_there) keep_aside(context, shown);
    files::write_atomically(file, starter);
    context.out << fmt::format("reset  {} is the starter again, and its points are open again\n",
                               shown);
    if (!target.exercise.empty() && lab.exercises.size() > 1) {
      context.out << fmt::format(
          "       the whole file, not {} alone: all {} exercises of the lab live in it\n",
          target.exercise, lab.exercises.size());
    }
  }
  forget_verdict(context, lab);
  return kPassed;
}

}  // namespace nibble::cli
