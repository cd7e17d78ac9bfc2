// A submission is one file (rule V11): it may include its contract, the kit's common headers and
// the standard library, and nothing that merely lies on the same machine, such as the solution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/compile.hpp"
#include "lab/kit.hpp"

namespace nibble::compile {

/// The first file the compiler opened for `job` that is none of these; empty when there is none.
/// The compiler's own list is asked, not the text: macros and odd paths change nothing.
std::string foreign_include(const lab::Kit& kit, const Job& job);

/// The files of a rule as make reads it: "learner.o: a.cpp \ b.hpp", with spaces written as "\ ".
std::vector<std::string> prerequisites(std::string_view rule);

}  // namespace nibble::compile
