// nibble teach check-kit: everything the kit promises about its labs, looked at.
#pragma once

#include <string>
#include <vector>

#include "build/kit.hpp"
#include "teach/workbench.hpp"

namespace nibble::teach {

struct CheckKit {
  std::vector<std::string> labs{};  ///< as a person names them; empty: all, and the whole tree
  bool only_solutions = false;      ///< nothing but what must earn everything
  bool strict = false;              ///< a check that never caught a mistake alone is a failure
  bool table = false;               ///< print what became of every mistake
  Workbench::Options bench{};
};

/// Prints each proof when it is done. Returns 0 when all hold, else 1.
/// Throws std::invalid_argument for a lab that does not exist.
int check_kit(const build::Kit& kit, const CheckKit& what);

}  // namespace nibble::teach
