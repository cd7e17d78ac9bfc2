// CUDA's header of this name, for the engine.
#pragma once
#include "nibble/simt/atomics.hpp"
#include "nibble/simt/bfloat16.hpp"

NIBBLE_SIMT_UNSEEN inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  return nibble::simt::atomic_sum(address, value, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  return nibble::simt::atomic_sum(address, value, NIBBLE_SIMT_PC);
}
