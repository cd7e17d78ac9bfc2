// nibble, nibble next: the learner's next unfinished exercise.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/learner.hpp"
#include "cli/record.hpp"
#include "files/files.hpp"
#include "text/pattern.hpp"

namespace nibble::cli {
namespace {

std::size_t count_done(const Context& context, const Progress& progress) {
  std::size_t done = 0;
  for (const MarkedLab& lab : context.labs) {
    if (next_exercise(context, progress, &lab).lab == nullptr) ++done;
  }
  return done;
}

void welcome(const Context& context, const Progress& progress) {
  context.out << fmt::format("Nibble {} · {} lab{} · {} done\n", context.kit.version,
                             context.labs.size(), context.labs.size() == 1 ? "" : "s",
                             count_done(context, progress))
              << "doctor  " << doctor_line(context) << "\n\n";
}

/// "about 14 lines", as the lab's README says it beside the function's name.
std::string size_of_task(const Context& context, const Target& target) {
  const std::filesystem::path readme = context.kit.pages(target.lab->name) / "README.md";
  if (!std::filesystem::exists(readme)) return "";
  const std::string text = files::read_file(readme);
  const auto size = text::Pattern("`" + target.exercise + "` \\(about ([0-9]+)").search(text);
  return size ? ", about " + (*size)[1] + " lines" : "";
}

void introduce(const Context& context, const Target& target) {
  const MarkedLab& lab = *target.lab;
  const auto place = lab.find(target.exercise) - lab.exercises.data() + 1;
  const int line = line_of(read_learners_file(context.kit, lab), target.exercise);
  context.out << fmt::format("lab {} · {} · exercise {} of {}: {}     {} points\n", lab.name,
                             lab.title, place, lab.exercises.size(), target.exercise,
                             lab.find(target.exercise)->points)
              << fmt::format("edit  {}{}{}\n", lab.file().string(),
                             line == 0 ? "" : fmt::format("   line {}", line),
                             size_of_task(context, target))
              << "then  ./nibble            or leave   ./nibble watch   open\n\n";
}

/// Who solves the last exercise of a lab need not do the earlier ones.
void skip_earlier(const Context& context, const Target& target) {
  change_progress(context, [&](Progress& progress) {
    for (const MarkedExercise& exercise : target.lab->exercises) {
      const std::string id = target.lab->id_of(exercise.name);
      if (exercise.name == target.exercise || progress.done(id)) continue;
      Entry& entry = progress.entries[id];
      entry.state = "skipped-by-test";
      entry.date = report::utc_now();
    }
  });
}

}  // namespace

int next_command(Context& context, bool placement) {
  const Progress progress = load_progress(context);
  Target target = next_exercise(context, progress);
  if (target.lab != nullptr) fetch_gpu_legs(context, *target.lab);
  if (!std::filesystem::exists(context.notebook.file())) welcome(context, progress);
  if (target.lab == nullptr) {
    context.out << "every exercise of every lab is done   ·   ./nibble list\n";
    return 0;
  }
  if (placement) target.exercise = target.lab->exercises.back().name;
  introduce(context, target);
  Order order;
  order.target = target;
  const int code = judge_and_show(context, std::move(order), {});
  if (placement && code == 0) {
    skip_earlier(context, target);
    context.out << fmt::format(
        "placed  {} is passed by its last exercise; the earlier ones are"
        " marked skipped-by-test\n",
        target.lab->name);
  }
  return code;
}

}  // namespace nibble::cli
