// The headers that a learner reads and should not change: what is judged is compiled against
// the copy that was handed out, here and by an instructor.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/labs.hpp"
#include "lab/kit.hpp"

namespace nibble::cli {

struct ChangedHeader {
  std::filesystem::path file;      ///< "labs/03_symmetric/symmetric.hpp"
  int line = 0;                    ///< the first that differs
  std::string theirs, handed_out;  ///< that line; empty where one has none
};

/// The contract of `lab` and the common headers that are not what was handed out. Empty where the
/// originals themselves are edited: in the whole kit.
std::vector<ChangedHeader> changed_headers(const lab::Kit& kit, const MarkedLab& lab);

/// A few lines for the screen, with the remedy; empty when none has changed.
std::string changed_headers_text(const lab::Kit& kit, const MarkedLab& lab);

/// Other sources beside the lab's file: nobody but the learner sees them.
std::vector<std::string> beside(const lab::Kit& kit, const MarkedLab& lab);

/// What is to be done about an include of one of those, as the compiler complains of it; or empty.
std::string included_beside_text(const lab::Kit& kit, const MarkedLab& lab,
                                 const std::string& diagnostics);

}  // namespace nibble::cli
