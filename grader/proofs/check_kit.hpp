// nibble teach check-kit: everything the kit promises about its labs, looked at.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/kit.hpp"
#include "proofs/workbench.hpp"

namespace nibble::proofs {

/// What of it is looked at: files are read in seconds, code is compiled and judged for minutes.
enum class Part {
  kAll,
  kText,
  kCode,        ///< judged without sanitizers
  kSanitizers,  ///< published solutions judged with them
  kPublished,   ///< and without
  kSolutions,   ///< published and other right ones, which must earn everything both ways
  kSeeds,       ///< the same without sanitizers, on as many seeds as there is time for
  kScreens,     ///< what learners see
  kGpu          ///< the kernels of right solutions on the GPU of this machine
};

/// "text", "code", …
std::optional<Part> part_from(std::string_view name);

struct CheckKit {
  std::vector<std::string> labs{};  ///< as a person names them; empty: all, and the whole tree
  Part part = Part::kAll;
  bool whole = false;   ///< every mistake on every check; needed for what follows
  bool strict = false;  ///< a check that never caught a mistake alone is a failure
  bool table = false;   ///< print what became of every mistake
  bool keep = false;    ///< screens, as they are now
  Workbench::Options bench{};
};

/// Prints each proof when it is done. Returns 0 when all hold, else 1.
/// Throws std::invalid_argument for a lab that does not exist.
int check_kit(const lab::Kit& kit, const CheckKit& what);

}  // namespace nibble::proofs
