// The launch that is running.
#pragma once

#include <cstdint>

#include "nibble/simt/session.hpp"
#include "nibble/simt/types.hpp"

namespace nibble::simt {

struct Running {
  const char* name = "";
  dim3 grid_size{0, 0, 0}, block_size{0, 0, 0};
  unsigned threads = 0;     // of a block
  std::uint32_t block = 0;  // linear
  // Counted since the process began: what a __shared__ variable remembers of its place is never
  // taken for new.
  std::uint64_t launch = 0, block_serial = 0;
  std::size_t dynamic_bytes = 0;
  bool cooperative = false;
  void (*thunk)(void*) = nullptr;
  void* closure = nullptr;
};
extern Running running;
extern SessionOptions options;
extern SessionTotals totals;

/// The .cu file was compiled with hooks.
extern bool instrumented;

/// The basic blocks that all launches together may run.
void begin_budget();
/// Outside kernels hooks find nothing to check.
void rest_hooks();

}  // namespace nibble::simt
