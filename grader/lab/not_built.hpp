// Labs that did not build, as ./nibble wrote down: what the compiler said of each, in a file of its
// own. They stop nothing but themselves.
#pragma once

#include <string>

#include "lab/kit.hpp"

namespace nibble::lab {

/// "grader/checks/03_symmetric/symmetric_scale.cpp:12:3: error: …" and where the rest is told.
/// Empty: it is built.
std::string why_not_built(const Kit& kit, const std::string& lab);

}  // namespace nibble::lab
