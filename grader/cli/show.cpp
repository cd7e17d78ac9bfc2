// nibble show EX --check C: every case of one check, its input, what is asked, and what came; and
// what the exercise makes of an example, as a picture.
#include <fmt/format.h>

#include <ostream>

#include "cli/children.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"
#include "report/picture.hpp"
#include "run/judging.hpp"

namespace nibble::cli {
namespace {

/// The first failing check of the last run; else the exercise's first.
std::string check_to_show(const Context& context, const Target& target) {
  if (const auto failing = last_failing(context.kit, target.lab->name, target.exercise)) {
    return failing->id;
  }
  for (const record::Row& row : target.lab->scheme.checks) {
    if (row.exercise == target.exercise) return row.id;
  }
  return "";
}

void show_case(std::ostream& out, const record::ShownCase& one) {
  out << fmt::format("  {}\n", one.name);
  if (!one.input.empty()) out << fmt::format("    input  {}\n", one.input);
  out << fmt::format("    came   {}\n", one.outcome);
}

void show_failure(std::ostream& out, const record::Check& check) {
  if (!check.first) return;
  const record::FailedCase& first = *check.first;
  if (!first.shrunk.empty()) {
    out << fmt::format("  smallest failing input: {} (from {})\n    input  {}\n", first.shrunk,
                       first.name, first.input);
  }
  if (!first.index.empty()) out << "    at     " << report::index_text(first.index) << '\n';
  if (!first.want.empty()) out << "    want   " << first.want << '\n';
  if (!first.got.empty()) out << "    got    " << first.got << '\n';
  if (!check.tolerance.empty()) out << "    tolerance  " << check.tolerance << '\n';
  out << "replay  ./" << check.replay << '\n';
}

run::Judged judged(const Context& context, const protocol::Terms& terms) {
  run::Judged judged = run::judge(context.kit, {.terms = terms, .cancelled = was_interrupted});
  if (judged.outcome == run::Judged::Outcome::kUsage) throw usage(judged.message);
  if (judged.outcome == run::Judged::Outcome::kKitError) throw kit_fault(judged.message);
  return judged;
}

/// For the eyes here, and kept for the page of `nibble report`.
void show_picture(const Context& context, const Target& target, const std::string& told) {
  const std::string text = report::picture_text(record::read_picture(told));
  if (text.empty()) return;
  context.out << '\n' << text;
  files::write_atomically(picture_file(context.kit, *target.lab), told);
}

}  // namespace

int show_command(Context& context, const ShowOptions& options) {
  const Target target = exercise_or_current(context, options.exercise);
  const files::FileLock lock(work_folder(context.kit, *target.lab) / "lock");
  protocol::Terms terms = options.terms;
  terms.lab = target.lab->name;
  terms.exercise = target.exercise;
  terms.child = learners_child(context, *target.lab);
  if (terms.child.empty()) return kInterrupted;
  terms.show = true;
  if (terms.check.empty()) terms.check = check_to_show(context, target);
  const run::Judged shown = judged(context, terms);
  if (!shown.has_verdict()) return kInterrupted;
  for (const record::Check& check : shown.verdict.checks) {
    context.out << fmt::format("{}  {}   the contract says: {}\n", target.subject(), check.id,
                               check.title);
    for (const record::ShownCase& one : check.shown) show_case(context.out, one);
    show_failure(context.out, check);
  }
  terms.task = protocol::Terms::Task::kPicture;
  const run::Judged drawn = judged(context, terms);
  if (!drawn.has_verdict()) return kInterrupted;
  show_picture(context, target, drawn.told);
  return kPassed;
}

}  // namespace nibble::cli
