// What instructions of a whole warp share: all 32 lanes have to exist and to come.
#pragma once

#include <cstdint>

#include "nibble/simt/device.hpp"

namespace nibble::simt {

unsigned lane_in_warp();

/// What the thread waits in, for the sentence about lanes that never came; null:
/// a plain collective.
const char* instruction_of(unsigned thread);

/// Waits until all 32 lanes are at `instruction`. Orders no memory. Ends the launch when the warp
/// has fewer lanes.
void meet(const char* instruction, const void* pc);

/// The same, and every lane gets what all have brought: pointers to what stays alive until the next
/// meeting.
void exchange(void* mine, void** all, const char* instruction, const void* pc);

/// Every lane of `mask` brings a number and gets those of the others; the result is `mask` without
/// the lanes that do not exist.
unsigned gather_values(unsigned mask, std::uint64_t mine, std::uint64_t* all, const void* pc);

/// Ends the launch: the address is not aligned, or not in shared or in global memory, as `why` says
/// (as printf makes it) that it must be.
struct RefusedAccess {
  const void* address;
  unsigned bytes;
  bool write;
  const void* pc;
};
[[noreturn, gnu::format(printf, 2, 3)]] void stop_misaligned(const RefusedAccess& access,
                                                             const char* why, ...);
[[noreturn, gnu::format(printf, 2, 3)]] void stop_not_shared(const RefusedAccess& access,
                                                             const char* why, ...);
[[noreturn, gnu::format(printf, 2, 3)]] void stop_not_global(const RefusedAccess& access,
                                                             const char* why, ...);

}  // namespace nibble::simt
