// nibble show EX --check C: every case of one check, its input, what is asked, and what came.
#include <fmt/format.h>

#include <ostream>

#include "cli/children.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "files/file_lock.hpp"
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

run::Judged judge_shown(Context& context, const Target& target, protocol::Terms terms) {
  must_be_built(context.kit, *target.lab);
  const compile::Job job{target.lab->name,
                         read_learners_file(context.kit, *target.lab),
                         protocol::Leg::kPlain,
                         context.kit.root / ".nibble" / "work" / target.lab->name / "plain",
                         {},
                         was_interrupted};
  const files::FileLock lock(job.work.parent_path() / "lock");
  const compile::Built child = compile_or_reuse(context.kit, job);
  if (!child.ok) {
    throw Trouble(kNoCompile,
                  "it does not compile:\n" + report::first_errors(child.diagnostics, 8));
  }
  terms.lab = target.lab->name;
  terms.child = std::filesystem::absolute(child.executable);
  terms.exercise = target.exercise;
  terms.show = true;
  return run::judge(context.kit, {.terms = terms, .cancelled = was_interrupted});
}

}  // namespace

int show_command(Context& context, const ShowOptions& options) {
  const Target target = exercise_or_current(context, options.exercise);
  protocol::Terms terms = options.terms;
  if (terms.check.empty()) terms.check = check_to_show(context, target);
  const run::Judged judged = judge_shown(context, target, terms);
  if (judged.outcome == run::Judged::Outcome::kCancelled) return kInterrupted;
  if (judged.outcome == run::Judged::Outcome::kUsage) throw usage(judged.message);
  if (judged.outcome == run::Judged::Outcome::kKitError) throw kit_fault(judged.message);
  for (const record::Check& check : judged.verdict.checks) {
    context.out << fmt::format("{}  {}   the contract says: {}\n", target.subject(), check.id,
                               check.title);
    for (const record::ShownCase& one : check.shown) show_case(context.out, one);
    show_failure(context.out, check);
  }
  return kPassed;
}

}  // namespace nibble::cli
