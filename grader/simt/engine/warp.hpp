// What the lanes of a warp share.
#pragma once

#include <cstdint>

#include "fiber.hpp"

namespace nibble::simt {

struct Warp {
  std::uint32_t key;          // of its lanes' reads since the last barrier or __syncwarp of all
  bool partly_synced;         // some lanes have met without the others since the last barrier
  std::uint32_t met[32][32];  // then: the stamp of their last meeting, by pair
};
extern Warp warps[kMaxThreads / 32];

/// The lanes that exist: the last warp of a block may be a partial one.
unsigned existing_lanes(unsigned warp);
inline unsigned warp_end(unsigned warp, unsigned threads) {
  return warp * 32 + 32 < threads ? warp * 32 + 32 : threads;
}

/// After a barrier, or at the start: a new epoch for every warp.
void begin_epoch();

/// Lets go every group of lanes that has come together. False: there was none.
bool complete_collectives(unsigned warp);

/// When no lane can do anything else: tells those that have asked which lanes are here together, at
/// the same place, each other. False: none has asked.
bool complete_active_masks(unsigned warp);

}  // namespace nibble::simt
