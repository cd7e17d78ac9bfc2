// The few words that every hook reads: two cache lines, set when a thread is resumed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibble::simt {

using uptr = std::uintptr_t;

/// One thing that a lane did: where in the code, and at which byte of the arena.
///
///     site   31            5 4   3 2    0
///           +---------------+-----+------+
///           | place         | use | size |      size: log2 of the bytes
///           +---------------+-----+------+
struct LogEntry {
  std::uint32_t site, offset;
};

/// What an entry is. The last two are no accesses: a basic block begins, a warp collective is met.
enum class LogEvent : std::uint32_t { kLoad, kStore, kAtomic, kStep };
inline constexpr std::uint32_t kStepBlock = 0, kStepCollective = 1;  // sizes of LogEvent::kStep

struct alignas(64) Hot {
  // Checks.
  uptr arena = 0;           // the first byte of shared and device memory
  std::uint64_t reach = 0;  // bytes from there that have a shadow; 0 outside kernels
  std::uint32_t* keys =
      nullptr;  // one per byte: who may use it without being looked at (see race.hpp)
  std::uint32_t epoch_key = 0, warp_key = 0, own_key = 0;
  std::uint32_t log_steps = 0;  // 1: basic blocks go into the log, too
  uptr stack = 0;               // of the running thread
  // Counters.
  LogEntry* log = nullptr;
  LogEntry* log_end = nullptr;          // null: nothing is logged
  std::int64_t steps_left = INT64_MAX;  // basic blocks until one is looked at
  std::int64_t budget_left = 0;         // in lock-step, where each is
};
extern Hot hot;

inline constexpr std::size_t kStackBytes = std::size_t{64} << 10;

extern "C" char __executable_start;  // from the linker

/// A place in the code as it travels: a return address, from the start of the image.
inline std::uint32_t place_of(const void* return_address) {
  return static_cast<std::uint32_t>(uptr(return_address) - uptr(&__executable_start));
}

}  // namespace nibble::simt
