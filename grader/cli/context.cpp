// Finds the kit and the progress of the learner, and says which exercise is the one in hand.
#include "cli/context.hpp"

#include <unistd.h>

#include <cstdlib>
#include <ostream>

#include "cli/attempt.hpp"
#include "cli/trouble.hpp"

namespace nibble::cli {
namespace {

bool wants_colour(bool terminal) {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  return terminal && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
         std::string(term) != "dumb";
}

/// Whose check failed first in the last run of the lab; empty when none did.
std::string failing_exercise(const Context& context, const MarkedLab& lab) {
  const auto failing = last_failing(context.kit, lab.name);
  return failing && lab.find(failing->exercise) != nullptr ? failing->exercise : "";
}

lab::Kit find_kit() {
  try {
    return lab::this_kit();
  } catch (const std::runtime_error& error) {
    throw usage(error.what());
  }
}

}  // namespace

Context open_context(std::ostream& out, std::ostream& err, GpuProgram gpu) {
  lab::Kit kit = find_kit();
  std::vector<MarkedLab> labs = read_labs(kit);
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  auto diagnoses = report::Diagnoses::read(kit.source / "docs" / "diagnoses.md");
  Notebook notebook(kit.root);
  return {std::move(kit),
          std::move(labs),
          std::move(diagnoses),
          std::move(notebook),
          {wants_colour(terminal)},
          std::move(gpu),
          terminal,
          out,
          err};
}

Progress load_progress(const Context& context) {
  std::string complaint;
  Progress progress = context.notebook.load(complaint);
  if (!complaint.empty()) context.err << "nibble: " << complaint << '\n';
  return progress;
}

Target next_exercise(const Context& context, const Progress& progress, const MarkedLab* only) {
  for (const MarkedLab& lab : context.labs) {
    if (only != nullptr && &lab != only) continue;
    for (const MarkedExercise& exercise : lab.exercises) {
      if (!progress.done(lab.id_of(exercise.name))) return {&lab, exercise.name};
    }
  }
  return {};
}

Target current_exercise(const Context& context, const Progress& progress) {
  Target current;
  std::string newest;
  for (const MarkedLab& lab : context.labs) {
    for (const MarkedExercise& exercise : lab.exercises) {
      const Entry* const entry = progress.find(lab.id_of(exercise.name));
      if (entry == nullptr || entry->done() || entry->date <= newest) continue;
      newest = entry->date;
      current = {&lab, exercise.name};
    }
  }
  return current.lab != nullptr ? current : next_exercise(context, progress);
}

Target exercise_or_current(const Context& context, const std::string& word) {
  if (!word.empty()) {
    const Target target = find_target(context.labs, word);
    if (!target.exercise.empty()) return target;
    const std::string failing = failing_exercise(context, *target.lab);
    if (!failing.empty()) return {target.lab, failing};
    const Target next = next_exercise(context, load_progress(context), target.lab);
    return next.lab != nullptr ? next : find_exercise(context.labs, word);
  }
  const Target current = current_exercise(context, load_progress(context));
  if (current.lab == nullptr) {
    throw usage("everything is done: name the exercise, as in ./nibble hint 03.quantize_symmetric");
  }
  return current;
}

}  // namespace nibble::cli
