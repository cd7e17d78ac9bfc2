// __device__ and __constant__ variables: they lie in the executable's data, and have a shadow as if
// they lay in front of all device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nibble/simt/variable.hpp"

namespace nibble::simt {

struct PlacedVariable {
  const Variable* variable;
  std::size_t offset;  // of its shadow in the arena
};

/// Gives every variable its first value and a shadow from `top` on; where the shadows end.
std::size_t place_variables(std::size_t top);

/// The variable that [address, ...) begins in; null: none. `near`:
/// or ends less than 256 bytes away.
const PlacedVariable* variable_at(std::uintptr_t address);
const PlacedVariable* variable_near(std::uintptr_t address);
/// The same by the offset of its shadow.
const PlacedVariable* variable_of_shadow(std::size_t offset);

/// String literals, constants and code of the executable: readable, never writable.
bool is_constant_data(std::uintptr_t address, std::size_t size);
bool is_in_image(std::uintptr_t address);

}  // namespace nibble::simt
