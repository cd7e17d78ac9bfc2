// __syncwarp and the votes: one collective each.
#include "nibble/simt/device.hpp"
#include "nibble/simt/types.hpp"

using namespace nibble::simt;

static unsigned ballot(unsigned mask, int predicate, const void* pc) {
  return warp_collective(kBallot, mask, nullptr, 0, predicate, 32, pc);
}

void __syncwarp(unsigned mask) {
  warp_collective(kWarpSync, mask, nullptr, 0, 0, 32, NIBBLE_SIMT_PC);
}
unsigned __ballot_sync(unsigned mask, int p) { return ballot(mask, p != 0, NIBBLE_SIMT_PC); }
int __any_sync(unsigned mask, int p) { return ballot(mask, p != 0, NIBBLE_SIMT_PC) != 0; }
int __all_sync(unsigned mask, int p) { return ballot(mask, p == 0, NIBBLE_SIMT_PC) == 0; }
