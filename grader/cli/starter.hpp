// The file a lab starts from.
#pragma once

#include <string>

#include "build/kit.hpp"
#include "cli/labs.hpp"

namespace nibble::cli {

/// Throws Trouble when it is not in this copy of the kit.
std::string starter_of(const build::Kit& kit, const Lab& lab);

}  // namespace nibble::cli
