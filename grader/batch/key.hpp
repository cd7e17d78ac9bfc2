// Everything that a result depends on, as one hash:
// a result whose key is unchanged is not made again.
#pragma once

#include <chrono>
#include <string>

#include "build/kit.hpp"

namespace nibble::batch {

/// How the submissions of one lab are judged.
struct Terms {
  std::string lab;
  bool hidden = false;
  bool sanitizers = true;  ///< what passes is looked at with them, too
  bool gpu = false;        ///< kernels that pass are launched on a GPU, too
  std::string seed, salt;
  std::chrono::seconds budget{0};  ///< of a submission as a whole; 0: the kit's
  std::string hash{};              ///< of all this, the kit, the checks, the compiler and its flags
};

/// Fills in `hash`. Reads the judge and the runner: once for a lab, not for each submission.
Terms settled(const build::Kit& kit, Terms terms);

/// "sha256:…"; `source` is the text of the submission.
std::string key_of(const Terms& terms, const std::string& source);

}  // namespace nibble::batch
