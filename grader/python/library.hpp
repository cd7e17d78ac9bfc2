// A lab's file as a library that Python opens: compiled as the judge compiles it, and linked with
// the table of its contract.
#pragma once

#include <filesystem>

#include "lab/kit.hpp"
#include "python/learners_labs.hpp"

namespace nibble::python {

/// The library of a lab whose table is built; made, unless it is there and nothing has changed.
/// An empty path: the file does not compile any more. Throws Trouble for what is not its own doing.
std::filesystem::path library_of(const lab::Kit& kit, const CallableLab& one);

}  // namespace nibble::python
