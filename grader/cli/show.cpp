// nibble show EX --check C: every case of one check, its input, what is asked, and what came.
#include <fmt/format.h>

#include <ostream>

#include "build/file_lock.hpp"
#include "build/judging.hpp"
#include "cli/child_cache.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"

namespace nibble::cli {
namespace {

using report::Json;

/// The first failing check of the last run; else the exercise's first.
std::string check_to_show(const Context& context, const Target& target) {
  const Json last = last_results(context.kit, target.lab->name);
  if (!last.is_null()) {
    for (const Json& check : last.at("checks")) {
      if (check.value("exercise", "") == target.exercise && check.value("status", "") != "pass") {
        return check.value("id", "");
      }
    }
  }
  for (const Json& row : target.lab->scheme.at("checks")) {
    if (row.at("exercise") == target.exercise) return row.at("id");
  }
  return "";
}

void show_case(std::ostream& out, const Json& one) {
  out << fmt::format("  {}\n", one.value("case", ""));
  if (!one.value("input", "").empty())
    out << fmt::format("    input  {}\n", one.value("input", ""));
  out << fmt::format("    came   {}\n", one.value("outcome", ""));
}

void show_failure(std::ostream& out, const Json& check) {
  if (!check.contains("first")) return;
  const Json& first = check["first"];
  if (first.contains("shrunk")) {
    out << fmt::format("  smallest failing input: {} (from {})\n    input  {}\n",
                       first.value("shrunk", ""), first.value("case", ""),
                       first.value("input", ""));
  }
  if (first.contains("index")) out << "    at     " << report::index_text(first["index"]) << '\n';
  if (first.contains("want")) out << "    want   " << first.value("want", "") << '\n';
  if (first.contains("got")) out << "    got    " << first.value("got", "") << '\n';
  if (check.contains("tolerance")) {
    out << "    tolerance  " << check.value("tolerance", "") << '\n';
  }
  out << "replay  ./" << check.value("replay", "") << '\n';
}

build::Judged judge_shown(Context& context, const Target& target, protocol::Terms terms) {
  must_be_built(context.kit, *target.lab);
  const build::Job job{target.lab->name,
                       read_learners_file(context.kit, *target.lab),
                       build::Leg::kPlain,
                       context.kit.root / ".nibble" / "work" / target.lab->name / "plain",
                       {},
                       was_interrupted};
  const build::FileLock lock(job.work.parent_path() / "lock");
  const Child child = compile_or_reuse(context.kit, job);
  if (!child.built.ok) {
    throw Trouble(kNoCompile,
                  "it does not compile:\n" + report::first_errors(child.built.diagnostics, 8));
  }
  terms.lab = target.lab->name;
  terms.child = std::filesystem::absolute(child.built.executable);
  terms.exercise = target.exercise;
  terms.show = true;
  return build::judge(context.kit, {.terms = terms, .cancelled = was_interrupted});
}

}  // namespace

int show_command(Context& context, const ShowOptions& options) {
  const Target target = exercise_or_current(context, options.exercise);
  protocol::Terms terms = options.terms;
  if (terms.check.empty()) terms.check = check_to_show(context, target);
  const build::Judged judged = judge_shown(context, target, terms);
  if (judged.outcome == build::Judged::Outcome::kCancelled) return kInterrupted;
  if (judged.outcome == build::Judged::Outcome::kUsage) throw usage(judged.message);
  if (judged.outcome == build::Judged::Outcome::kKitError) throw kit_fault(judged.message);
  for (const Json& row : judged.verdict.at("checks")) {
    context.out << fmt::format("{}  {}   the contract says: {}\n", target.subject(),
                               row.value("id", ""), row.value("title", ""));
    for (const Json& one : row.value("shown", Json::array())) show_case(context.out, one);
    show_failure(context.out, row);
  }
  return kPassed;
}

}  // namespace nibble::cli
