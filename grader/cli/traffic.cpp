// nibble traffic LAB|EX: the learner's kernels, with what each line asks of the memory.
#include <fmt/format.h>

#include <ostream>

#include "cli/children.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "report/access_picture.hpp"
#include "report/traffic_screen.hpp"
#include "run/judging.hpp"

namespace nibble::cli {
namespace {

using report::ExerciseTraffic;

run::Judged count(Context& context, const Target& target) {
  const files::FileLock lock(work_folder(context.kit, *target.lab) / "lock");
  return run::judge(context.kit, {.terms = {.lab = target.lab->name,
                                            .exercise = target.exercise,
                                            .show = true,
                                            .child = learners_child(context, *target.lab)},
                                  .cancelled = was_interrupted});
}

/// Why there is nothing to show: the values come first.
Trouble nothing_counted(const Target& target) {
  return Trouble(
      kFailed, "nothing was counted: a kernel is counted when its values are right (./nibble run " +
                   target.subject() + ")");
}

void write_drawing(Context& context, const ExerciseTraffic& traffic,
                   const TrafficOptions& options) {
  const report::Access* const access = report::access_to_draw(traffic, options.line);
  if (access == nullptr) throw usage(fmt::format("nothing was counted in line {}", options.line));
  const std::string title = fmt::format("{}, line {}: {} {}", traffic.exercise, access->line,
                                        access->use, access->subject);
  files::write_atomically(options.svg, report::access_svg(*access, title));
  context.out << fmt::format("drawn in {}\n", options.svg);
}

}  // namespace

int traffic_command(Context& context, const TrafficOptions& options) {
  const Target target = options.target.empty() ? exercise_or_current(context, "")
                                               : find_target(context.labs, options.target);
  if (!target.lab->is_cuda()) {
    throw usage(target.lab->name + " has no kernels: ./nibble asm shows its loops");
  }
  if (target.lab->has_host_code()) {
    throw usage(target.lab->name + " is about host code, whose kernels are given: try lab 19");
  }
  const run::Judged judged = count(context, target);
  if (judged.outcome == run::Judged::Outcome::kCancelled) return kInterrupted;
  if (judged.outcome == run::Judged::Outcome::kUsage) throw usage(judged.message);
  if (judged.outcome == run::Judged::Outcome::kKitError) throw kit_fault(judged.message);
  const std::vector<ExerciseTraffic> all = report::traffic_of(judged.verdict);
  if (all.empty()) throw nothing_counted(target);
  const std::string source = read_learners_file(context.kit, *target.lab);
  const std::string file = target.lab->file().string();
  for (const ExerciseTraffic& traffic : all) {
    context.out << report::traffic_text(traffic, source, file, options.line, context.paint);
  }
  if (!options.svg.empty()) write_drawing(context, all.front(), options);
  return kPassed;
}

}  // namespace nibble::cli
