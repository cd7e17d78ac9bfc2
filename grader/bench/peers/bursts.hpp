// One instruction at a time, as often as a core can issue it.
#pragma once

#include <span>

namespace nibble::peers {

struct Burst {
  const char* name;
  const char* family;  ///< whose kernels are made of it
  double operations;   ///< of one round; a multiplication and an addition are two
  void (*run)(int rounds);
};

/// Those that this CPU has.
std::span<const Burst> bursts_here();

}  // namespace nibble::peers
