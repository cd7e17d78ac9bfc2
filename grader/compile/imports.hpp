// Which functions of the system an object file calls that no lab needs (rule V12). Reported beside
// the barriers, never instead of them: a name on this list is a reason to look, not a verdict.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sandbox/box.hpp"

namespace nibble::compile {

/// Names, sorted and demangled.
struct Imports {
  std::vector<std::string> odd;
  std::vector<std::string>
      printing;  ///< through which it prints: no rule is broken, and time is lost
};

/// Nothing of either when nm is not here.
Imports imports_of(const std::filesystem::path& object, const sandbox::ToolBox& box = {});

/// True for a symbol that a lab's code may well need: the C++ library, memory, mathematics,
/// printing.
bool is_expected_import(const std::string& symbol);

}  // namespace nibble::compile
