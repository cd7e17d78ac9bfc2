// Races by order, not by luck: two uses of a byte, one of them a write, by two threads, with nothing
// between them that puts them in order. Whatever order the engine happened to run them in, the second
// use finds the mark of the first.
//
// A key is the short cut. It stands beside each byte and says: after this was looked at, nothing more
// can be found out by
//     epoch_key   any thread of the block that reads it before the next barrier
//     warp_key    any lane of the warp that reads it before the next barrier or __syncwarp
//     own_key     this thread, reading or writing; own_key - 1: reading
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibble::simt {

/// One use: when and by whom (a stamp of the clock), and from where in the code.
struct Mark {
  std::uint32_t stamp = 0, from = 0;
  static constexpr std::uint32_t kAtomic = 1u << 31, kWrite = 1u << 30, kPlace = kWrite - 1;
};

/// The last write, the last read, and one more use that the last read would hide: a read by another
/// warp or block, or an atomic write by another thread.
struct Marks {
  Mark write, read, second;
};
static_assert(sizeof(Marks) == 24);

extern Marks* marks;  // one for four bytes; where bytes differ, a reference to four

/// Looks at a use of `size` bytes (1, 2, 4, 8 or 16, aligned) by the running thread, reports a race,
/// marks the use and sets keys.
enum class Act { kRead, kWrite, kAtomic };
void note_use(Act act, std::size_t offset, unsigned size, const void* pc);

/// Keys for memory whose races nobody asked about: readable by all once it is written.
void note_unraced(Act act, std::size_t offset, unsigned size);

void forget_fine_marks();

}  // namespace nibble::simt
