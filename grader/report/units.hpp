// The vector units that kernels are written for: which of them are here, and may be used.
#pragma once

#include <string>
#include <vector>

#include "nibble/cpu.hpp"

namespace nibble::report {

struct VectorUnits {
  std::vector<Isa> here;         ///< without kScalar, the narrowest first
  bool tiles_permitted = false;  ///< the system lets this process use tiles
  bool arm = false;

  /// Something is wider than plain C++ can count on.
  bool wide() const { return !here.empty(); }
  /// "avx512_vnni": what kernels are fastest on; empty: nothing but plain C++.
  std::string best() const;
};

/// Asks the processor, and for tiles the system too: what was permitted stays so in this process.
VectorUnits this_machines_units();

/// "avx2 avx_vnni · no avx512_vnni, no amx_int8: lab 17 runs on a model of its tiles"
std::string units_text(const VectorUnits& units);

}  // namespace nibble::report
