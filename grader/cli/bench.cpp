// nibble bench LAB: the ladder and the roofline.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "cli/announcer.hpp"
#include "cli/children.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/trouble.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "process/command.hpp"
#include "report/ladder.hpp"
#include "report/roofline.hpp"
#include "run/judging.hpp"
#include "text/json_text.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using report::Json;
using report::Ladder;
using report::Rung;
using run::Judged;

std::string labs_with_ladder(const std::vector<MarkedLab>& labs) {
  std::string names;
  for (const MarkedLab& lab : labs) {
    if (!report::ladder_rows(lab.scheme).empty()) names += (names.empty() ? "" : ", ") + lab.name;
  }
  return names.empty() ? "no lab of this kit has one" : "labs with a ladder: " + names;
}

/// Its bench is not of the learner's code: one product in every number format.
bool is_about_formats(const lab::Lab& lab) { return lab.name == "35_roofline"; }

Target ladder_of(const Context& context, const std::string& word) {
  if (word.empty()) {
    throw usage("bench measures a lab: ./nibble bench LAB; " + labs_with_ladder(context.labs));
  }
  Target target = find_target(context.labs, word);
  if (!report::ladder_rows(target.lab->scheme, target.exercise).empty()) return target;
  throw usage(target.subject() + " has no ladder, because nothing in it is timed; " +
              labs_with_ladder(context.labs));
}

report::Ceilings measure_ceilings(const Context& context, const MarkedLab& lab) {
  process::Command command;
  command.words = {context.kit.judge(lab.name).string()};
  command.input = protocol::text_of({.task = protocol::Terms::Task::kCeilings, .lab = lab.name});
  command.wall_limit = std::chrono::seconds{60};
  command.cancelled = was_interrupted;
  const process::Finished finished = process::run(command);
  const Json json = text::json_of(finished.out);
  if (finished.cancelled) return {};
  if (!finished.ok() || !json.is_object()) throw kit_fault(finished.err);
  return report::read_ceilings(json);
}

/// What takes part: programs, and which of them is timed against which.
struct Sides {
  fs::path learner, published;
  bool has_published() const { return !published.empty(); }
};

using Checks = std::vector<record::Check>;

/// The speed rows of one exercise, `child` against `other`; none: it was interrupted.
std::optional<Checks> measure(const Context& context, const Target& target, const fs::path& child,
                              const fs::path& other) {
  const Judged judged = run::judge(context.kit, {.terms = {.lab = target.lab->name,
                                                           .leg = protocol::Leg::kSpeed,
                                                           .exercise = target.exercise,
                                                           .unpaid = true,
                                                           .child = child,
                                                           .published = other},
                                                 .cancelled = was_interrupted});
  if (judged.outcome == Judged::Outcome::kCancelled) return {};
  if (judged.has_verdict()) return judged.verdict.checks;
  throw kit_fault(judged.message);
}

/// Without the published solution, the learner's code is timed against itself: when it falls, the
/// judge takes that for a fault of the kit, which it is not.
std::optional<Checks> measure_alone(const Context& context, const Target& target,
                                    const fs::path& child) {
  try {
    return measure(context, target, child, child);
  } catch (const Trouble&) {
    return Checks{};
  }
}

bool all_measured(const Checks& checks) {
  return std::ranges::all_of(checks, [](const auto& check) { return check.speed.has_value(); });
}

/// Adds the rungs of one exercise; false: interrupted.
bool add_rungs(const Context& context, const Target& target, const Sides& sides, Ladder& ladder) {
  const auto checks = sides.has_published()
                          ? measure(context, target, sides.learner, sides.published)
                          : measure_alone(context, target, sides.learner);
  std::optional<Checks> published(std::in_place);
  if (sides.has_published() && checks && !all_measured(*checks)) {
    published = measure(context, target, sides.published, sides.published);
  }
  if (!checks || !published) return false;
  for (const record::Row& row : report::ladder_rows(target.lab->scheme, target.exercise)) {
    Rung rung = report::rung_of(row, find_check(*checks, row), find_check(*published, row));
    rung.letter = static_cast<char>('A' + static_cast<int>(ladder.rungs.size() % 26));
    ladder.rungs.push_back(std::move(rung));
  }
  return true;
}

/// The exercises of `target` that have speed rows, as the mark scheme orders them.
std::vector<std::string> exercises_of(const Target& target) {
  std::vector<std::string> names;
  for (const record::Row& row : report::ladder_rows(target.lab->scheme, target.exercise)) {
    if (std::ranges::count(names, row.exercise) == 0) names.push_back(row.exercise);
  }
  return names;
}

/// False: interrupted.
bool climb(const Context& context, const Target& target, const Sides& sides, Ladder& ladder) {
  Announcer announcer(context.err);
  const std::vector<std::string> exercises = exercises_of(target);
  announcer.say("what this machine can do");
  ladder.ceilings = measure_ceilings(context, *target.lab);
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    announcer.say(fmt::format("{}, {} of {}", exercises[i], i + 1, exercises.size()));
    if (was_interrupted()) return false;
    if (!add_rungs(context, {target.lab, exercises[i]}, sides, ladder)) return false;
  }
  return !was_interrupted();
}

void write_drawing(Context& context, const Ladder& ladder, const std::string& file) {
  if (!report::has_roofline(ladder)) {
    if (!file.empty()) context.out << "no drawing: nothing was measured that could be drawn\n";
    return;
  }
  context.out << '\n' << report::roofline_text(ladder);
  const fs::path usual = fs::path(".nibble") / "out" / ladder.lab / "roofline.svg";
  const fs::path path = file.empty() ? context.kit.root / usual : fs::path(file);
  files::write_atomically(path, report::roofline_svg(ladder));
  context.out << "drawing    " << (file.empty() ? usual : path).string() << '\n';
}

}  // namespace

int bench_command(Context& context, const BenchOptions& options) {
  if (!options.target.empty()) {
    const Target wanted = find_target(context.labs, options.target);
    if (wanted.lab->kind == lab::LabKind::kDevice) {
      return bench_on_gpu(context, wanted, options.json);
    }
    if (is_about_formats(*wanted.lab)) return bench_formats(context, options);
  }
  const Target target = ladder_of(context, options.target);
  const MarkedLab& lab = *target.lab;
#ifndef __linux__
  throw Trouble(kNotHere, "this system does not tell the CPU time of another process");
#endif
  const files::FileLock lock(work_folder(context.kit, lab) / "lock");
  Sides sides{learners_child(context, lab), {}};
  if (!sides.learner.empty()) sides.published = published_child(context, lab);
  if (was_interrupted()) return kInterrupted;

  Ladder ladder;
  ladder.lab = lab.name;
  ladder.title = lab.title;
  ladder.started = report::utc_now();
  ladder.compiler = compiler_text(context, lab);
  ladder.has_published = sides.has_published();
  if (!climb(context, target, sides, ladder)) return kInterrupted;
  ladder.machine = report::this_machine();

  context.out << report::ladder_text(ladder, context.paint);
  write_drawing(context, ladder, options.svg);
  if (!options.json.empty()) {
    files::write_atomically(options.json,
                            text::file_text(report::ladder_json(ladder, context.kit.version)));
  }
  const bool wrong = std::ranges::any_of(
      ladder.rungs, [](const Rung& rung) { return rung.state == Rung::State::kWrong; });
  return wrong ? kFailed : kPassed;
}

}  // namespace nibble::cli
