// Which variable of a kernel nobody has set: of a scalar a compiler warns by the way; for an array
// its analyzer is asked, which takes as long as a compilation.
#pragma once

#include <string>

#include "compile/compile.hpp"
#include "lab/kit.hpp"

namespace nibble::compile {

/// The analyzer's warning, one line, where it sees a local, or an element of one, read before
/// anybody has set it. Empty where it sees none, and of a compiler without an analyzer (g++ before
/// 12, clang++). `job`: of a CUDA lab, and a file that compiles.
std::string unset_variable(const lab::Kit& kit, Job job);

}  // namespace nibble::compile
