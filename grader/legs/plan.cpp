#include "legs/plan.hpp"

#include <algorithm>
#include <array>

#include "report/speed.hpp"

namespace nibble::legs {
namespace {

using protocol::Leg;

constexpr std::array kOrder{Leg::kPlain, Leg::kSanitizers, Leg::kGpu, Leg::kGpuSanitizer,
                            Leg::kSpeed};

bool has_leg(const lab::Lab& lab, const record::Scheme& scheme, const protocol::Terms& terms,
             Leg leg) {
  if (leg == Leg::kSanitizers) return !lab.is_cuda();  // the engine looks at every access already
  if (leg == Leg::kGpu || leg == Leg::kGpuSanitizer) return lab.kind == lab::LabKind::kDevice;
  if (leg != Leg::kSpeed) return true;
  return terms.check.empty() && report::has_speed_rows(scheme, terms.exercise);
}

bool judges_values(Leg leg) { return leg == Leg::kPlain || leg == Leg::kSanitizers; }

}  // namespace

const Step* LegPlan::find(Leg leg) const {
  const auto step = std::ranges::find(steps, leg, &Step::leg);
  return step == steps.end() ? nullptr : &*step;
}

LegPlan plan_legs(const lab::Lab& lab, const record::Scheme& scheme, const LegRequest& asked) {
  LegPlan plan{asked.terms, {}, asked.hidden};
  for (const Leg leg : kOrder) {
    const auto wanted = asked.legs.find(leg);
    if (wanted == asked.legs.end() || !has_leg(lab, scheme, asked.terms, leg)) continue;
    plan.steps.push_back({leg, wanted->second});
  }
  if (plan.steps.empty() || !judges_values(plan.steps.front().leg)) {
    plan.steps.insert(plan.steps.begin(), {Leg::kPlain, Condition::kAlways});
  }
  plan.terms.lab = lab.name;
  plan.terms.leg = plan.steps.front().leg;
  return plan;
}

}  // namespace nibble::legs
