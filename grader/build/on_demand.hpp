// What is built when it is first asked for: a lab's judge, runner and headers; a program few people
// call. ./nibble builds it, whose ninja knows what is stale.
#pragma once

#include <string>

#include "build/kit.hpp"

namespace nibble::build {

/// Has ./nibble build `what`, a lab or a program, unless it did so for this run already
/// (NIBBLE_FRESH names what it did). False when it did not come to its end; it has said why. A
/// program that somebody started by hand, without ./nibble, builds nothing.
bool have_built(const Kit& kit, const std::string& what);

}  // namespace nibble::build
