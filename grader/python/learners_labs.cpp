#include "python/learners_labs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "compile/compile.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"

namespace nibble::python {
namespace {

namespace fs = std::filesystem;

CallableLab left_out(const cli::MarkedLab& lab, const char* why) {
  return {&lab, "", fmt::format("lab {0} {1}: ./nibble run {0}", lab.number(), why)};
}

CallableLab of_kernels(const cli::MarkedLab& lab) {
  return left_out(lab, "is of CUDA, which runs in the kit's engine and not in Python");
}

bool has_passed(const cli::MarkedLab& lab, const cli::Progress& progress) {
  return std::ranges::all_of(lab.exercises, [&](const cli::MarkedExercise& exercise) {
    const cli::Entry* const entry = progress.find(lab.id_of(exercise.name));
    return entry != nullptr && entry->state == "passed";
  });
}

/// Exercises may have passed one after the other: the last one tells of the file as it is.
bool was_judged(const cli::MarkedLab& lab, const cli::Progress& progress,
                const std::string& source) {
  const std::string hash = files::sha256(source);
  return std::ranges::any_of(lab.exercises, [&](const cli::MarkedExercise& exercise) {
    const cli::Entry* const entry = progress.find(lab.id_of(exercise.name));
    const auto note = entry->notes.find("source");
    return note != entry->notes.end() && !note->second.empty() && hash.starts_with(note->second);
  });
}

CallableLab look_at(const cli::Context& context, const cli::MarkedLab& lab,
                    const cli::Progress& progress) {
  if (lab.is_cuda()) return of_kernels(lab);
  if (!has_passed(lab, progress)) return left_out(lab, "does not pass yet");
  if (!fs::is_regular_file(cli::learners_file(context.kit, lab))) {
    return left_out(lab, "has no file any more");
  }
  std::string source = cli::read_learners_file(context.kit, lab);
  if (!was_judged(lab, progress, source)) return left_out(lab, "has changed since it passed");
  return {&lab, std::move(source), ""};
}

}  // namespace

std::vector<CallableLab> learners_labs(const cli::Context& context) {
  const cli::Progress progress = cli::load_progress(context);
  std::vector<CallableLab> labs;
  for (const cli::MarkedLab& lab : context.labs) labs.push_back(look_at(context, lab, progress));
  return labs;
}

std::vector<CallableLab> published_labs(const cli::Context& context) {
  std::vector<CallableLab> labs;
  for (const cli::MarkedLab& lab : context.labs) {
    const fs::path file = compile::published_solution(context.kit, lab);
    if (file.empty()) throw cli::usage("this is a handout: it has no published solutions");
    if (lab.is_cuda()) {
      labs.push_back(of_kernels(lab));
    } else {
      labs.push_back({&lab, files::read_file(file), ""});
    }
  }
  return labs;
}

}  // namespace nibble::python
