// One lab of one submission: what of it is ordered, as a plan of legs.
#include "batch/grade_one.hpp"

#include "files/files.hpp"
#include "record/codec.hpp"

namespace nibble::batch {
namespace {

using legs::Condition;
using protocol::Leg;

/// What is right is measured when all values of all submissions are known, one alone. What
/// compute-sanitizer sees decides no points: a grade goes without.
legs::Wanted wanted(const Extras& legs, bool with_speed) {
  legs::Wanted all{{Leg::kPlain, Condition::kAlways},
                   {Leg::kSpeed, with_speed ? Condition::kWhenRight : Condition::kLater}};
  if (legs.sanitizers) all[Leg::kSanitizers] = Condition::kWhenRight;
  if (legs.gpu) all[Leg::kGpu] = Condition::kWhenRight;
  return all;
}

}  // namespace

record::Result grade_one(const legs::Bench& bench, const LabOrder& order, const std::string& source,
                         bool with_speed) {
  const record::Scheme scheme =
      record::read_scheme(files::read_file(bench.kit.scheme(order.lab.name)));
  const legs::LegPlan plan = legs::plan_legs(
      order.lab, scheme, {order.terms, wanted(order.legs, with_speed), order.legs.hidden});
  std::optional<record::Result> results = legs::run_legs(bench, plan, scheme, source);
  if (!results) throw Interrupted();
  results->manifest.key = key_of(order, source);
  return *results;
}

}  // namespace nibble::batch
