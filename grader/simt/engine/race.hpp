// Races by order, not by luck: two uses of a byte, one of them a write, by two threads, with
// nothing between them that puts them in order. Whatever order the engine happened to run them in,
// the second use finds the mark of the first.
//
// A key is the short cut. It stands beside each byte and says: after this was looked at, nothing
// more can be found out by
//     epoch_key   any thread of the block that reads it before the next barrier
//     warp_key    any lane of the warp that reads it before the next barrier or __syncwarp
//     own_key     this thread, reading or writing; own_key - 1: reading
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibble::simt {

/// One use: when and by whom (a stamp of the clock), and from where in the code.
struct UseMark {
  std::uint32_t stamp = 0, from = 0;
  /// kSwap: of an atomicCAS, or of a read by a thread that had not changed the bytes before.
  static constexpr std::uint32_t kAtomic = 1u << 31, kWrite = 1u << 30, kSwap = 1u << 29,
                                 kPlace = kSwap - 1;
};

/// The last write, the last read, and one more use that the last read would hide: a read by another
/// warp or block, an atomic write by another thread, or the plain write before an atomic one.
struct Marks {
  UseMark write, read, second;
};
static_assert(sizeof(Marks) == 24);

enum class Act { kRead, kWrite, kAtomic };

/// Looks at a use, by the running thread, of what `m` stands for; reports a race, and marks
/// the use. `size` bytes from `offset` on are what the finding names. The key that the use earns;
/// 0: look again next time.
template <Act kAct>
std::uint32_t note_marks(Marks& m, std::size_t offset, unsigned size, const void* pc);

/// Until the same with false, an atomic operation races with one of another block.
void keep_blocks_apart(bool apart);

/// A volatile load runs: in global memory it does not race with atomic operations, by CUDA's
/// memory model. In shared memory it is what old code leaves a __syncwarp out for, and is looked at
/// as any.
extern bool loading_volatile;

/// An atomicCAS runs. The programming guide begins its loops with a plain load, and whatever that
/// load finds is compared before anything is changed: in global memory the two are no race. What a
/// thread reads after an atomic operation of its own is a result, and is.
extern bool swapping;

}  // namespace nibble::simt
