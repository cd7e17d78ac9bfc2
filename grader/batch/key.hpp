// Everything that a result depends on, as one hash:
// a result whose key is unchanged is not made again.
#pragma once

#include <string>

#include "lab/kit.hpp"
#include "protocol/terms.hpp"

namespace nibble::batch {

/// What is run of a submission besides its public checks.
struct Extras {
  bool hidden = false;
  bool sanitizers = true;  ///< what passes is looked at with them, too
  bool gpu = false;        ///< kernels that pass are launched on a GPU, too
};

/// How the submissions of one lab are judged.
struct LabOrder {
  lab::Lab lab;
  protocol::Terms terms{};  ///< seed, salt; a budget of 0 is the kit's
  Extras legs{};
  std::string hash{};  ///< of all this, the kit, the checks, the compiler, its flags
};

/// Fills in the lab's name, the budget and `hash`. Reads the judge and the runner: once for a lab,
/// not for each submission.
LabOrder settled(const lab::Kit& kit, LabOrder order);

/// "sha256:…"; `source` is the text of the submission.
std::string key_of(const LabOrder& order, const std::string& source);

}  // namespace nibble::batch
