// What is built when it is first asked for: a lab's judge, runner and headers; a program few people
// call. ./nibble builds it, whose ninja knows what is stale.
#pragma once

#include <string>
#include <vector>

#include "lab/kit.hpp"

namespace nibble::lab {

/// Has ./nibble build labs or programs, unless it did so for this run already (NIBBLE_FRESH names
/// what it did). False when it did not come to its end; it has said why. A program that somebody
/// started by hand, without ./nibble, builds nothing.
bool have_built(const Kit& kit, std::vector<std::string> wanted);

}  // namespace nibble::lab
