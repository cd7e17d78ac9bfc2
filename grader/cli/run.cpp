// nibble run LAB|EX: compile, judge, say.
#include <algorithm>
#include <ostream>
#include <utility>

#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/headers.hpp"
#include "cli/interrupt.hpp"
#include "cli/record.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"
#include "report/junit.hpp"
#include "text/pattern.hpp"

namespace nibble::cli {
namespace {

std::string host_name() {
  std::string name(256, '\0');
  if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.substr(0, name.find('\0'));
}

bool asks_for(const RunOptions& options, const char* leg) {
  return std::ranges::count(options.leg, leg) > 0;
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
  if (!options.leg.empty()) {
    order.plain = asks_for(options, "plain");
    order.sanitizers =
        asks_for(options, "sanitizers") ? Order::Sanitizers::kAlways : Order::Sanitizers::kNever;
    order.speed = asks_for(options, "speed") ? Order::SpeedLeg::kAlways : Order::SpeedLeg::kNever;
    order.gpu = asks_for(options, "gpu");
    // Speed and a GPU are worth nothing without the values: they come first,
    // whatever was asked for.
    const bool needs_values = asks_for(options, "speed") || asks_for(options, "gpu");
    if (needs_values && !asks_for(options, "sanitizers")) order.plain = true;
  }
  if (is_of_speed(order.target, order.terms.check)) {  // measured for an exercise as a whole
    order.terms.check.clear();
    order.speed = Order::SpeedLeg::kAlways;
  }
  check_seed(order.terms.seed);
  check_check(order.target, order.terms.check);
  if (order.hidden) check_hidden(*order.target.lab);
  return order;
}

report::View view_of(const Context& context, const Attempt& attempt) {
  report::View view;
  view.subject = attempt.order().target.subject();
  view.compile_seconds = attempt.compile_seconds;
  view.link_seconds = attempt.link_seconds;
  view.run_seconds = attempt.run_seconds;
  view.compiled_before = attempt.compiled_before;
  view.sanitizers_follow = attempt.wants_sanitizers();
  view.hidden_here = attempt.order().target.lab->hidden_points > 0;
  view.paint = context.paint;
  return view;
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
  Attempt attempt(context, std::move(order));
  if (!attempt.run()) return kInterrupted;
  report::View view = view_of(context, attempt);
  const MarkedLab& lab = *attempt.order().target.lab;
  context.out << changed_headers_text(context.kit, lab)
              << report::verdict_text(attempt.results(), context.diagnoses, view)
              << included_beside_text(context.kit, lab, attempt.results().compile_message)
              << std::flush;
  if (attempt.wants_sanitizers()) {
    if (!attempt.run_sanitizers()) return kInterrupted;
    context.out << report::sanitizers_text(attempt.results(), attempt.sanitizer_seconds, view)
                << std::flush;
  }
  if (attempt.wants_gpu()) {
    if (!attempt.run_gpu()) return kInterrupted;
    context.out << report::gpu_text(attempt.results(), attempt.gpu_seconds, view) << std::flush;
  }
  if (attempt.wants_gpu_sanitizer()) {
    if (!attempt.run_gpu_sanitizer()) return kInterrupted;
    context.out << report::gpu_sanitizer_text(attempt.results(), attempt.gpu_sanitizer_seconds,
                                              view)
                << std::flush;
  }
  if (attempt.wants_speed()) {
    if (!attempt.run_speed()) return kInterrupted;
    context.out << report::speed_text(attempt.results(), attempt.speed_seconds, view) << std::flush;
  }
  if (attempt.wants_hidden()) {
    if (!attempt.run_hidden()) return kInterrupted;
    context.out << report::hidden_text(attempt.results(), context.diagnoses, view) << std::flush;
  }
  keep_results(context, attempt);
  write_copies(options, attempt.results());
  note_progress(context, attempt);
  if (attempt.results().passes()) view.next = what_next(context);
  context.out << report::closing_text(attempt.results(), view) << std::flush;
  return options.exit_zero ? kPassed : exit_of(attempt.results().end);
}

int run_command(Context& context, const RunOptions& options) {
  Order order = order_of(context, options);
  fetch_gpu_legs(context, *order.target.lab);
  return judge_and_show(context, std::move(order), options);
}

}  // namespace nibble::cli
