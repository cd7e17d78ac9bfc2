// The kit that grades in a course system: what builds and judges some labs, with their solutions
// and hidden checks, and nothing of the others. No student may get it.
#pragma once

#include <vector>

#include "lab/kit.hpp"
#include "setup/bundle.hpp"

namespace nibble::setup {

/// Its files, by their path in it.
Bundle kit_copy(const lab::Kit& kit, const std::vector<lab::Lab>& labs);

}  // namespace nibble::setup
