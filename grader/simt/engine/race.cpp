// Holds a use of a byte against the marks of those before it: reads,
// writes and atomic operations, each with its rules.
#include "race.hpp"

#include "clock.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "hot.hpp"
#include "named_barrier.hpp"
#include "shadow.hpp"
#include "subject.hpp"

namespace nibble::simt {

bool loading_volatile;
bool swapping;

namespace {

// ---- order

enum class Ordered {
  kBefore,      // something lies between: a launch, a barrier, a __syncwarp
  kMine,        // the same thread, since the last barrier
  kUnordered,   // another thread of the block
  kOtherBlock,  // another block of the launch: never ordered
};

bool unordered(Ordered order) { return order >= Ordered::kUnordered; }

Ordered order_of(const UseMark& mark, bool shared) {
  if (clock_.settled(mark.stamp, shared)) return Ordered::kBefore;
  if (mark.stamp < clock_.block_base) return Ordered::kOtherBlock;
  if (mark.stamp == hot.own_key) return Ordered::kMine;
  const unsigned thread = clock_.thread_of(mark.stamp), me = current->linear;
  if (thread == me) return Ordered::kMine;
  if (thread / 32 == me / 32 && synced_since(mark.stamp, thread)) return Ordered::kBefore;
  return met_at_named_barrier(mark.stamp, thread) ? Ordered::kBefore : Ordered::kUnordered;
}

bool blocks_apart;  // the atomic operation that runs is one within a block

bool is_atomic(const UseMark& mark) { return (mark.from & UseMark::kAtomic) != 0; }
bool is_swap(const UseMark& mark) { return (mark.from & UseMark::kSwap) != 0; }
bool is_write(const UseMark& mark) { return (mark.from & UseMark::kWrite) != 0; }
unsigned my_warp() { return current->linear / 32u; }

bool is_strong_load(bool shared) { return loading_volatile && !shared; }

/// Whether this thread has changed the bytes by an atomic operation, as far as marks tell.
bool has_changed(const Marks& m, bool shared) {
  const auto is_mine = [&](const UseMark& mark) {
    return is_atomic(mark) && is_write(mark) && order_of(mark, shared) == Ordered::kMine;
  };
  return is_mine(m.write) || is_mine(m.second);
}

/// A load and a loop of atomicCAS that it begins.
bool begin_a_loop(const UseMark& other, Act act, bool looks_first, bool shared) {
  if (shared || !is_swap(other)) return false;
  return act == Act::kRead ? looks_first : swapping && !is_write(other);
}

UseMark my_mark(const void* pc, std::uint32_t flags) {
  return {hot.own_key, (place_of(pc) & UseMark::kPlace) | flags};
}

// ---- a race

[[gnu::cold, gnu::noinline]] void report_race(Act act, std::size_t offset, unsigned size,
                                              const void* pc, const UseMark& other) {
  Kind kind = Kind::kGlobalRace;
  if (is_shared(offset)) kind = race_in_shared(clock_.warp_of(other.stamp) == my_warp());
  EngineFinding* const finding = new_finding(kind, pc);
  if (finding == nullptr) return;
  finding->is_write = act != Act::kRead;
  finding->other_is_write = is_write(other);
  finding->bytes = size;
  finding->other = {other.from & UseMark::kPlace, 0, 0};
  finding->other_who = thread_named(clock_.thread_of(other.stamp), block_of(other.stamp));
  name_subject(*finding, offset, size);
  publish(finding);
}

/// The use that this one is not ordered with, or null. Of several, one by another warp: it shows
/// that a __syncwarp would not do.
const UseMark* conflict(const Marks& m, Act act, bool shared) {
  const UseMark* found = nullptr;
  const bool looks_first = act == Act::kRead && !has_changed(m, shared);
  for (const UseMark* mark : {&m.write, &m.second, &m.read}) {
    if (act == Act::kRead && !is_write(*mark)) continue;
    if (act == Act::kRead && is_atomic(*mark) && is_strong_load(shared)) continue;
    if (begin_a_loop(*mark, act, looks_first, shared)) continue;
    const Ordered order = order_of(*mark, shared);
    const bool meets = !blocks_apart || order != Ordered::kOtherBlock;
    if (act == Act::kAtomic && is_atomic(*mark) && meets) continue;
    if (!unordered(order)) continue;
    if (clock_.warp_of(mark->stamp) != my_warp()) return mark;
    if (found == nullptr) found = mark;
  }
  return found;
}

// ---- reads

/// Remembers a read so that every later write that is not ordered with it, or with one that is
/// forgotten, still meets a mark.
void mark_read(Marks& m, const UseMark& mine, bool shared) {
  const Ordered read = order_of(m.read, shared), second = order_of(m.second, shared);
  if (read == Ordered::kOtherBlock) {
    m.second = m.read;
    m.read = mine;
  } else if (read != Ordered::kUnordered) {
    m.read = mine;
    if (second == Ordered::kBefore) m.second = {};
  } else if (second == Ordered::kBefore || second == Ordered::kMine ||
             (second == Ordered::kUnordered && !is_write(m.second) &&
              clock_.warp_of(m.second.stamp) == clock_.warp_of(m.read.stamp))) {
    m.second = mine;
  }
}

/// Two readers since the last barrier, or __syncwarp: whom a third one need not tell.
std::uint32_t key_of_two(const Marks& m) {
  const unsigned warp = clock_.warp_of(m.read.stamp);
  if (clock_.warp_of(m.second.stamp) != warp) return hot.epoch_key;
  const bool lately = m.read.stamp > current->synced && m.second.stamp > current->synced;
  return lately && warp == my_warp() && m.read.stamp != m.second.stamp ? hot.warp_key
                                                                       : hot.own_key - 1;
}

std::uint32_t key_after_read(const Marks& m, bool shared) {
  const Ordered second = order_of(m.second, shared);
  if (is_write(m.second) && second != Ordered::kBefore) return 0;
  if (clock_.settled(m.write.stamp, shared)) {
    if (second == Ordered::kOtherBlock) return hot.epoch_key;
    if (second != Ordered::kBefore && m.second.stamp >= clock_.epoch_base) return key_of_two(m);
  } else if (order_of(m.write, shared) != Ordered::kBefore) {
    return 0;
  }
  return order_of(m.read, shared) == Ordered::kMine || second == Ordered::kMine ? hot.own_key - 1
                                                                                : 0;
}

/// Nobody has written since the barrier: no race, and nearly always one of the first readers.
std::uint32_t note_harmless_read(Marks& m, bool shared, const void* pc) {
  const UseMark mine = my_mark(pc, is_strong_load(shared) ? UseMark::kAtomic : UseMark::kSwap);
  const bool second_is_settled = clock_.settled(m.second.stamp, shared);
  if (second_is_settled && clock_.settled(m.read.stamp, shared)) {
    m.read = mine;
    m.second = {};
    return hot.own_key - 1;
  }
  if (second_is_settled && m.read.stamp >= clock_.epoch_base &&
      clock_.thread_of(m.read.stamp) != current->linear) {
    m.second = mine;
    return key_of_two(m);
  }
  mark_read(m, mine, shared);
  return key_after_read(m, shared);
}

std::uint32_t note_read(Marks& m, bool shared, std::size_t offset, unsigned size, const void* pc) {
  if (clock_.settled(m.write.stamp, shared) && !is_write(m.second)) {
    const std::uint32_t key = note_harmless_read(m, shared, pc);
    return is_strong_load(shared) ? 0 : key;  // a plain load after it has a mark of its own
  }
  if (const UseMark* other = conflict(m, Act::kRead, shared)) {
    report_race(Act::kRead, offset, size, pc, *other);
    return 0;
  }
  if (is_strong_load(shared)) {
    mark_read(m, my_mark(pc, UseMark::kAtomic), shared);
    return 0;
  }
  mark_read(m, my_mark(pc, has_changed(m, shared) ? 0 : UseMark::kSwap), shared);
  return key_after_read(m, shared);
}

// ---- writes

std::uint32_t note_write(Marks& m, bool shared, std::size_t offset, unsigned size, const void* pc) {
  const bool alone = clock_.settled(m.write.stamp, shared) &&
                     clock_.settled(m.read.stamp, shared) && clock_.settled(m.second.stamp, shared);
  if (!alone) {
    if (const UseMark* other = conflict(m, Act::kWrite, shared))
      report_race(Act::kWrite, offset, size, pc, *other);
  }
  m = {my_mark(pc, UseMark::kWrite), {}, {}};
  return hot.own_key;
}

std::uint32_t note_atomic(Marks& m, bool shared, std::size_t offset, unsigned size,
                          const void* pc) {
  if (const UseMark* other = conflict(m, Act::kAtomic, shared))
    report_race(Act::kAtomic, offset, size, pc, *other);
  // A plain write stays until a barrier: one's own atomic operation would hide it from the others.
  const bool keeps_plain =
      is_write(m.second) && !is_atomic(m.second) && !clock_.settled(m.second.stamp, shared);
  const bool hides = !is_atomic(m.write) || unordered(order_of(m.write, shared));
  if (!keeps_plain && hides && !clock_.settled(m.write.stamp, shared)) m.second = m.write;
  m.write = my_mark(pc, UseMark::kWrite | UseMark::kAtomic | (swapping ? UseMark::kSwap : 0));
  return 0;
}

}  // namespace

void keep_blocks_apart(bool apart) { blocks_apart = apart; }

template <Act kAct>
std::uint32_t note_marks(Marks& m, std::size_t offset, unsigned size, const void* pc) {
  const bool shared = is_shared(offset);
  if (kAct == Act::kRead) return note_read(m, shared, offset, size, pc);
  if (kAct == Act::kWrite) return note_write(m, shared, offset, size, pc);
  return note_atomic(m, shared, offset, size, pc);
}

template std::uint32_t note_marks<Act::kRead>(Marks&, std::size_t, unsigned, const void*);
template std::uint32_t note_marks<Act::kWrite>(Marks&, std::size_t, unsigned, const void*);
template std::uint32_t note_marks<Act::kAtomic>(Marks&, std::size_t, unsigned, const void*);

}  // namespace nibble::simt
