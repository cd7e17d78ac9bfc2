// nibble run LAB|EX: compile, judge, say.
#include <algorithm>
#include <ostream>
#include <utility>

#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/headers.hpp"
#include "cli/interrupt.hpp"
#include "cli/nvcc_word.hpp"
#include "cli/record.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"
#include "report/junit.hpp"
#include "text/pattern.hpp"

namespace nibble::cli {
namespace {

using legs::Condition;
using protocol::Leg;

std::string host_name() {
  std::string name(256, '\0');
  if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.substr(0, name.find('\0'));
}

/// What was asked for by name is run whatever the values are; but a GPU that runs wrong kernels has
/// nothing to say.
legs::Wanted legs_of(const RunOptions& options) {
  legs::Wanted wanted;
  for (const Leg leg : {Leg::kPlain, Leg::kSanitizers, Leg::kSpeed}) {
    if (std::ranges::count(options.leg, name_of(leg)) > 0) wanted[leg] = Condition::kAlways;
  }
  if (std::ranges::count(options.leg, "gpu") == 0) return wanted;
  wanted[Leg::kGpu] = wanted[Leg::kGpuSanitizer] = Condition::kWhenRight;
  return wanted;
}

/// "0x71c3" is a seed; anything else would be a fault of the judge's later.
void check_seed(const std::string& seed) {
  static const text::Pattern pattern("0x[0-9a-f]{1,16}");
  if (seed.empty() || pattern.match(seed)) return;
  throw usage("a seed is written as 0x71c3, got " + seed);
}

void check_hidden(const MarkedLab& lab) {
  if (lab.hidden_points > 0) return;
  throw usage("the hidden checks are not in this copy of the kit: your instructor runs them");
}

/// Sooner than the judge, and with a suggestion.
void check_check(const Target& target, const std::string& check) {
  if (check.empty()) return;
  std::string known;
  for (const record::Row& row : target.lab->scheme.checks) {
    if (!target.exercise.empty() && row.exercise != target.exercise) continue;
    if (row.id == check) return;
    known += " " + row.id;
  }
  throw usage("no check of " + target.subject() + " is called " + check + "; there are:" + known);
}

bool is_of_speed(const Target& target, const std::string& check) {
  return std::ranges::any_of(target.lab->scheme.checks, [&](const record::Row& row) {
    return row.id == check && row.of_speed &&
           (target.exercise.empty() || row.exercise == target.exercise);
  });
}

Order order_of(const Context& context, const RunOptions& options) {
  Order order;
  order.target = find_target(context.labs, options.target);
  order.terms = options.terms;
  order.hidden = options.hidden;
  if (!options.leg.empty()) order.legs = legs_of(options);
  if (is_of_speed(order.target, order.terms.check)) {  // measured for an exercise as a whole
    order.terms.check.clear();
    order.legs[Leg::kSpeed] = Condition::kAlways;
  }
  check_seed(order.terms.seed);
  check_check(order.target, order.terms.check);
  if (order.hidden) check_hidden(*order.target.lab);
  return order;
}

report::View view_of(const Context& context, const Target& target) {
  report::View view;
  view.subject = target.subject();
  view.hidden_here = target.lab->hidden_points > 0;
  view.paint = context.paint;
  return view;
}

/// With what is known since the first leg.
void add_first(report::View& view, const legs::Ran& ran) {
  view.compile_seconds = ran.child.compile_seconds;
  view.link_seconds = ran.child.link_seconds;
  view.run_seconds = ran.run_seconds;
  view.compiled_before = ran.child.reused;
  view.sanitizers_follow = ran.sanitizers_follow;
}

std::string text_of(const Context& context, const MarkedLab& lab, const legs::Ran& ran,
                    const report::View& view) {
  if (ran.hidden) return report::hidden_text(ran.results, context.diagnoses, view);
  if (!ran.first) return report::leg_text(ran.leg, ran.results, ran.seconds, view);
  return changed_headers_text(context.kit, lab) +
         report::verdict_text(ran.results, context.diagnoses, view) +
         included_beside_text(context.kit, lab, ran.results.compile_message);
}

/// What follows a pass.
std::string what_next(const Context& context) {
  const Target next = next_exercise(context, load_progress(context));
  if (next.lab == nullptr) return "every exercise is done: ./nibble list";
  return "./nibble   goes on with " + next.lab->id_of(next.exercise);
}

void write_copies(const RunOptions& options, const record::Result& results) {
  if (!options.json.empty()) files::write_atomically(options.json, record::text_of(results));
  if (!options.junit.empty()) {
    files::write_atomically(options.junit, report::junit_xml({results}, host_name()));
  }
}

}  // namespace

int judge_and_show(Context& context, Order order, const RunOptions& options) {
  order.cancelled = was_interrupted;
  report::View view = view_of(context, order.target);
  const auto attempted = attempt(context, order, [&](const legs::Ran& ran) {
    if (ran.first) add_first(view, ran);
    context.out << text_of(context, *order.target.lab, ran, view) << std::flush;
  });
  if (!attempted) return kInterrupted;
  const record::Result& results = attempted->results;
  keep_results(context, *attempted);
  write_copies(options, results);
  note_progress(context, *attempted);
  if (results.passes()) view.next = what_next(context);
  // Who asked for a leg by name waits for that leg alone.
  if (results.passes() && options.leg.empty()) context.out << nvcc_word(context, *attempted);
  context.out << report::closing_text(results, view) << std::flush;
  return options.exit_zero ? kPassed : exit_of(results.end);
}

int run_command(Context& context, const RunOptions& options) {
  Order order = order_of(context, options);
  fetch_gpu_legs(context, *order.target.lab);
  return judge_and_show(context, std::move(order), options);
}

}  // namespace nibble::cli
