// Where the values of one call lie. Both sides walk the arguments in the same order, so no
// pointers, offsets or type names travel.
//
//     scalars            guard   slot 0                   guard   slot 1                   guard
//     +----------------+ ~~~~~~~ +----------------------+ ~~~~~~~ +----------------------+ ~~~~~
//     | 3 | 0.5 | 8 |  |         |   (never touched) |x |         |  (never touched) |c  |
//     +----------------+         +----------------------+         +----------------------+
//
// Scalars and element counts are laid one after the other. A sequence has a slot of its own and
// ends where the slot ends: one element further is a page that nobody may touch.
// There are two arenas: inputs (the runner maps them read-only) and outputs (poisoned).
#pragma once

#include <cstddef>

namespace nibble::protocol {

inline constexpr std::size_t kGuardBytes = std::size_t{64}
                                           << 10;    ///< a multiple of every page size
inline constexpr std::size_t kScalarBytes = 4096;    ///< used part of the first block
inline constexpr std::size_t kNoteOffset = 8192;     ///< of the CrashNote, in outputs
inline constexpr std::size_t kReportOffset = 16384;  ///< of a kernel's simt::Report, in outputs
inline constexpr std::size_t kReportBytes = kGuardBytes - kReportOffset;
inline constexpr std::size_t kSlotBytes = std::size_t{64} << 20;
inline constexpr int kSlots = 8;

/// The scalars, the crash note and the report own the first kGuardBytes; a guard follows.
constexpr std::size_t slot_begin(int slot) {
  return 2 * kGuardBytes + static_cast<std::size_t>(slot) * (kSlotBytes + kGuardBytes);
}
constexpr std::size_t slot_end(int slot) { return slot_begin(slot) + kSlotBytes; }

inline constexpr std::size_t kArenaBytes = slot_begin(kSlots);

}  // namespace nibble::protocol
