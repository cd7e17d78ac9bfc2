// Whose fault it is that nothing came of a file. A compiler that is missing, refused or damaged
// fails as it does over a mistake: before that is anybody's zero,
// what is known to be right is compiled in its place.
#pragma once

#include <stdexcept>
#include <string>

#include "compile/compile.hpp"
#include "lab/kit.hpp"

namespace nibble::compile {

/// What is known to be right does not compile either: nothing follows for whoever asked.
struct ToolchainBroke : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The compiler, or one of its tools, is not there.
struct CannotStart : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A text that compiles against the lab's contract: the published solution, or in a copy that has
/// none the starter. Empty: this copy has neither.
std::string known_good(const lab::Kit& kit, const lab::Lab& lab);

/// What words of a compiler and its tools explain: an error at a line of the lab's own file, a name
/// that a linker misses, or nothing that no broken tool would say.
BuildFailure explained_by(const std::string& diagnostics, const lab::Lab& lab);

}  // namespace nibble::compile
