// Which legs of a submission are run, in which order, and what each of them waits for. One order
// for all: what is cheap and decides comes first, and hidden checks come after everything else.
#pragma once

#include <map>
#include <vector>

#include "lab/kit.hpp"
#include "protocol/leg.hpp"
#include "protocol/terms.hpp"
#include "record/scheme.hpp"

namespace nibble::legs {

/// What must be known of a submission before a leg is run. Whatever does not compile has none.
enum class Condition {
  kAlways,
  kWhenRight,           ///< every value is right, and no leg before this one found anything
  kWhenRightOrCrashed,  ///< or something crashed: the leg may see where
  kLater                ///< the leg is to come, but not in this run
};

using Wanted = std::map<protocol::Leg, Condition>;

/// What somebody asks for.
struct LegRequest {
  protocol::Terms terms;  ///< an exercise, a check, a seed; the salt of hidden checks
  Wanted legs;            ///< of all labs; a lab that has no such leg goes without
  bool hidden = false;    ///< hidden checks too
};

struct Step {
  protocol::Leg leg;
  Condition when;
};

struct LegPlan {
  protocol::Terms terms;    ///< of the first leg
  std::vector<Step> steps;  ///< the first judges the values, or looks at them in its place
  bool hidden = false;

  /// Points are earned here, and not only watched over.
  bool has_values() const { return steps.front().leg == protocol::Leg::kPlain; }
  const Step* find(protocol::Leg leg) const;
};

/// Speed, or a GPU, is worth nothing without the values: they come first, whatever was asked for.
LegPlan plan_legs(const lab::Lab& lab, const record::Scheme& scheme, const LegRequest& asked);

}  // namespace nibble::legs
