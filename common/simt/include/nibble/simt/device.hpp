// What device code may call, and what the engine's other headers are made of.
#pragma once

#include <cstring>
#include <type_traits>

#include "nibble/simt/types.hpp"

namespace nibble::simt {

enum WarpOp {
  kShuffle,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kWarpSync,
  kExchange,
  kActiveMask,
};
enum Counter { kDp4a, kMma, kPopc, kAtomics, kWarpCollectives, kBarriers, kCounters };

/// The calling lane waits until all lanes of `mask` have called with the same `op`. A shuffle
/// changes `value`; the result is what a ballot gives.
unsigned warp_collective(WarpOp op, unsigned mask, void* value, unsigned size, int arg, int width,
                         const void* pc);

/// Every lane publishes a pointer and receives all 32 (null for lanes that do not exist): the base
/// of all that a warp computes together. Orders memory as __syncwarp does.
void warp_exchange(void* mine, void** all, const void* pc, unsigned mask = 0xffffffffu);

/// __syncthreads() on behalf of the line that `pc` lies in.
void block_barrier(const void* pc);
/// Waits until so many threads have come, the block's where it is 0. Barrier 0 for all threads is
/// the one of __syncthreads(). The other function comes and goes on.
void wait_at_barrier_of(unsigned barrier, unsigned threads, const void* pc);
void pass_barrier_of(unsigned barrier, unsigned threads, const void* pc);
void grid_barrier(const void* pc);
/// Its blocks may wait for each other.
bool is_cooperative();

/// Checks and counts an access that the engine makes on the learner's behalf.
void touch(const volatile void* address, unsigned size, bool write, const void* pc);
/// A load that goes past the caches that a GPU's processors have for themselves.
void touch_past_caches(const volatile void* address, unsigned size, const void* pc);
/// The same of what an instruction calls its registers: references of the learner's, which lead to
/// the thread's own variables and are free there. One that leads elsewhere is an access as any
/// other.
void touch_registers(const void* registers, std::size_t size, bool write, const void* pc);
void count(Counter counter, long n);

bool is_shared_memory(const void* address);
bool is_global_memory(const void* address);

/// What a function of the engine is given by value. A reference would be followed in the engine's
/// code, where no access is seen.
template <class T>
concept ByValue = !std::is_reference_v<T>;

template <ByValue T>
NIBBLE_SIMT_QUIET T shuffle(WarpOp op, unsigned mask, T value, int arg, int width, const void* pc) {
  static_assert(sizeof(T) <= 16, "a shuffle moves at most 16 bytes");
  warp_collective(op, mask, &value, sizeof(T), arg, width, pc);
  return value;
}

}  // namespace nibble::simt

extern "C" {
void __syncthreads();
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
}
void __syncwarp(unsigned mask = 0xffffffffu);
unsigned __ballot_sync(unsigned mask, int predicate);
int __any_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);

// Memory is sequentially consistent here.
inline void __threadfence() {}
namespace nibble::simt {
/// Ends the launch where a block has more threads than a kernel's __launch_bounds__ allow.
void keep_within_launch_bounds(unsigned threads, unsigned blocks = 0, unsigned cluster = 0);
}  // namespace nibble::simt

NIBBLE_SIMT_UNSEEN inline void __barrier_sync(unsigned barrier) {
  nibble::simt::wait_at_barrier_of(barrier, 0, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline void __barrier_sync_count(unsigned barrier, unsigned threads) {
  nibble::simt::wait_at_barrier_of(barrier, threads, NIBBLE_SIMT_PC);
}

inline unsigned __isShared(const void* p) { return nibble::simt::is_shared_memory(p) ? 1 : 0; }
inline unsigned __isGlobal(const void* p) { return nibble::simt::is_global_memory(p) ? 1 : 0; }

inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __nanosleep(unsigned) {}

/// What an assert() calls that fails.
extern "C" [[noreturn]] void __assert_fail(const char* what, const char* file, unsigned line,
                                           const char* function) noexcept;
/// Ends the launch, as an assert() does that fails.
__attribute__((always_inline)) inline void __trap(const char* file = __builtin_FILE(),
                                                  unsigned line = __builtin_LINE()) {
  __assert_fail("__trap()", file, line, "");
}

template <nibble::simt::ByValue T>
NIBBLE_SIMT_UNSEEN T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return nibble::simt::shuffle(nibble::simt::kShuffle, mask, value, source, width, NIBBLE_SIMT_PC);
}
template <nibble::simt::ByValue T>
NIBBLE_SIMT_UNSEEN T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return nibble::simt::shuffle(nibble::simt::kShuffleUp, mask, value, int(delta), width,
                               NIBBLE_SIMT_PC);
}
template <nibble::simt::ByValue T>
NIBBLE_SIMT_UNSEEN T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return nibble::simt::shuffle(nibble::simt::kShuffleDown, mask, value, int(delta), width,
                               NIBBLE_SIMT_PC);
}
template <nibble::simt::ByValue T>
NIBBLE_SIMT_UNSEEN T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  return nibble::simt::shuffle(nibble::simt::kShuffleXor, mask, value, lanes, width,
                               NIBBLE_SIMT_PC);
}
