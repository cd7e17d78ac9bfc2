// The file a lab starts from.
#pragma once

#include <string>

#include "cli/labs.hpp"
#include "lab/kit.hpp"

namespace nibble::cli {

/// Throws Trouble when it is not in this copy of the kit.
std::string starter_of(const lab::Kit& kit, const MarkedLab& lab);

}  // namespace nibble::cli
