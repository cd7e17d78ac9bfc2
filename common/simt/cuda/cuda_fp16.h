// CUDA's header of this name, for the engine.
#pragma once
#include "nibble/simt/atomics.hpp"
#include "nibble/simt/half.hpp"

NIBBLE_SIMT_UNSEEN inline __half atomicAdd(__half* address, __half value) {
  return nibble::simt::atomic_sum(address, value, NIBBLE_SIMT_PC);
}
/// Each half by itself: the pair may be torn, which nobody sees where threads take turns.
NIBBLE_SIMT_UNSEEN inline __half2 atomicAdd(__half2* address, __half2 value) {
  return nibble::simt::atomic_sum(address, value, NIBBLE_SIMT_PC);
}
