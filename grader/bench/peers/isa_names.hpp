// The instruction set that a contender's variant names.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "nibble/cpu.hpp"

namespace nibble::peers {

/// Throws where the name is unknown or this CPU has not got it.
inline Isa isa_here(std::string_view name) {
  for (const Isa isa : kEveryIsa) {
    if (name_of(isa) != name) continue;
    if (cpu_has(isa)) return isa;
    throw std::runtime_error("not on this CPU");
  }
  throw std::runtime_error("no instruction set is called " + std::string(name));
}

}  // namespace nibble::peers
