// A thread of the kernel: a stack of its own, and what it waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hot.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/types.hpp"

namespace nibble::simt {

inline constexpr unsigned kMaxThreads = 1024;

enum class State : std::uint8_t { kReady, kAtBarrier, kInCollective, kLogFull, kDone };

struct Fiber {
  void* stack_pointer;
  uint3 index;
  State state;
  std::uint16_t linear;
  std::uint32_t own_key;
  std::uint32_t synced;  // stamps up to this one, of this warp's lanes, lie before; 0: none
  // What it waits for.
  const void* wait_pc;
  int wait_op, wait_arg, width;
  unsigned mask, value_size;
  void* value;
  unsigned result;
  LogEntry* log;        // behind its last entry
  std::uint32_t depth;  // of its stack, in the basic block that was counted last
};

extern Fiber fibers[kMaxThreads];
extern Fiber* current;  // null: the host's code runs

/// Stacks for that many threads, with a page that faults below each.
void reach_stacks(unsigned threads);
bool on_other_stack(uptr address);
/// Of threadIdx, blockIdx, blockDim or gridDim, read by address, as of `const auto& t = threadIdx`.
bool is_built_in(uptr address, unsigned size);

/// The running thread uses so many bytes of its stack.
extern std::size_t deepest;  // of any thread so far
inline void note_depth(std::size_t bytes) {
  if (bytes > deepest) deepest = bytes;
}

/// Lets threads [0, running.threads) begin at the kernel.
void begin_fibers();

/// What a thread that waits has on its stack.
std::span<std::byte> used_stack(const Fiber& fiber);

/// Runs the thread until it waits, ends or ends the launch.
void resume(Fiber& fiber);

/// From the running thread back to who resumed it.
void yield();

/// Ends the launch from inside: no thread of it runs again.
[[noreturn]] void end_launch(int error);
extern bool launch_ended;

/// A __syncwarp lies between the stamp of that lane and the running one (both of one warp).
bool synced_since(std::uint32_t stamp, unsigned thread);

}  // namespace nibble::simt
