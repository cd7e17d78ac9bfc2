#include "race.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "clock.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "hot.hpp"
#include "shadow.hpp"
#include "subject.hpp"

namespace nibble::simt {

Marks* marks;
Clock clock_;
std::vector<BlockStart> block_starts;

namespace {

// ---- order

enum class Order {
  kBefore,      // something lies between: a launch, a barrier, a __syncwarp
  kMine,        // the same thread, since the last barrier
  kUnordered,   // another thread of the block
  kOtherBlock,  // another block of the launch: never ordered
};

bool unordered(Order order) { return order >= Order::kUnordered; }

Order order_of(const Mark& mark, bool shared) {
  const std::uint32_t stamp = mark.stamp;
  if (stamp < (shared ? clock_.block_base : clock_.launch_base)) return Order::kBefore;
  if (stamp < clock_.block_base) return Order::kOtherBlock;
  if (stamp < clock_.epoch_base) return Order::kBefore;
  if (stamp == hot.own_key) return Order::kMine;
  const unsigned thread = clock_.thread_of(stamp), me = current->linear;
  if (thread == me) return Order::kMine;
  if (thread / 32 == me / 32 && synced_since(stamp, thread)) return Order::kBefore;
  return Order::kUnordered;
}

/// Ordered before every thread of the block.
bool before_all(const Mark& mark, bool shared) {
  return mark.stamp < clock_.epoch_base &&
         (shared || mark.stamp >= clock_.block_base || mark.stamp < clock_.launch_base);
}

unsigned warp_of(const Mark& mark) { return clock_.thread_of(mark.stamp) / 32; }

// ---- a race

void tell(Finding& finding, Act act, std::size_t offset, unsigned size, const Mark& other) {
  finding.is_write = act != Act::kRead;
  finding.other_is_write = (other.from & Mark::kWrite) != 0;
  finding.bytes = size;
  finding.other = {other.from & Mark::kPlace, 0, 0};
  finding.other_who = thread_named(clock_.thread_of(other.stamp), block_of(other.stamp));
  name_subject(finding, offset, size);
}

void report_race(Act act, std::size_t offset, unsigned size, const void* pc, const Mark& other) {
  Kind kind = Kind::kGlobalRace;
  if (is_shared(offset)) {
    const bool same_warp = warp_of(other) == current->linear / 32u;
    kind = race_in_shared(same_warp);
  }
  if (Finding* finding = new_finding(kind, pc)) {
    tell(*finding, act, offset, size, other);
    publish(finding);
  }
}

// ---- one place: four bytes, or one

struct Place1 {
  Marks& m;
  bool shared;
  Order write, read, second;

  Place1(Marks& marks, bool is_shared)
      : m(marks),
        shared(is_shared),
        write(order_of(m.write, shared)),
        read(order_of(m.read, shared)),
        second(order_of(m.second, shared)) {}
};

bool is_atomic(const Mark& mark) { return (mark.from & Mark::kAtomic) != 0; }
bool is_write(const Mark& mark) { return (mark.from & Mark::kWrite) != 0; }

/// The use that this one is not ordered with, or null.
const Mark* conflict(const Place1& p, Act act) {
  const bool atomic = act == Act::kAtomic;
  const auto hits = [&](Order order, const Mark& mark) {
    return unordered(order) && !(atomic && is_atomic(mark)) &&
           (act != Act::kRead || is_write(mark));
  };
  if (hits(p.write, p.m.write)) return &p.m.write;
  if (hits(p.second, p.m.second)) return &p.m.second;
  if (hits(p.read, p.m.read)) return &p.m.read;
  return nullptr;
}

/// Remembers a read so that every later write that is not ordered with it, or with one that is
/// forgotten, still meets a mark.
void mark_read(Place1& p, const Mark& mine) {
  Marks& m = p.m;
  if (p.read == Order::kOtherBlock) {
    m.second = m.read;
    m.read = mine;
  } else if (p.read != Order::kUnordered) {
    m.read = mine;
    if (p.second == Order::kBefore) m.second = {};
  } else if (p.second == Order::kBefore || p.second == Order::kMine ||
             (p.second == Order::kUnordered && !is_write(m.second) &&
              warp_of(m.second) == warp_of(m.read))) {
    m.second = mine;
  }
}

std::uint32_t key_after_read(const Marks& m, bool shared) {
  const Order read = order_of(m.read, shared), second = order_of(m.second, shared);
  if (is_write(m.second) && second != Order::kBefore) return 0;
  if (before_all(m.write, shared)) {
    if (second == Order::kOtherBlock) return hot.epoch_key;
    const bool two = second != Order::kBefore && m.second.stamp >= clock_.epoch_base;
    if (two && warp_of(m.second) != warp_of(m.read)) return hot.epoch_key;
    if (two && m.second.stamp != m.read.stamp && m.read.stamp > current->synced &&
        m.second.stamp > current->synced && warp_of(m.read) == current->linear / 32u) {
      return hot.warp_key;
    }
  } else if (order_of(m.write, shared) != Order::kBefore) {
    return 0;
  }
  return read == Order::kMine || second == Order::kMine ? hot.own_key - 1 : 0;
}

/// The key that the use earns; 0: look again next time.
std::uint32_t visit(Marks& m, Act act, std::size_t offset, unsigned size, const void* pc) {
  Place1 p(m, is_shared(offset));
  const Mark* other = conflict(p, act);
  if (other != nullptr) report_race(act, offset, size, pc, *other);
  Mark mine{hot.own_key, place_of(pc) & Mark::kPlace};
  if (act == Act::kRead) {
    if (other != nullptr) return 0;
    mark_read(p, mine);
    return key_after_read(m, p.shared);
  }
  mine.from |= Mark::kWrite;
  if (act == Act::kWrite) {
    m = {mine, {}, {}};
    return hot.own_key;
  }
  if (unordered(p.write) && is_atomic(m.write)) m.second = m.write;
  mine.from |= Mark::kAtomic;
  m.write = mine;
  return 0;
}

// ---- bytes of four that differ

constexpr std::uint32_t kFine = 0xFFFFFFFF;  // a stamp that no clock reaches
using Four = Marks[4];
constexpr std::size_t kChunk = 4096;
std::vector<std::unique_ptr<Four[]>> chunks;
std::uint32_t fine_count;

Marks* fine(const Marks& m) {
  return m.write.stamp == kFine ? chunks[m.write.from / kChunk][m.write.from % kChunk] : nullptr;
}

Marks* make_fine(Marks& m) {
  if (fine_count / kChunk == chunks.size()) chunks.push_back(std::make_unique<Four[]>(kChunk));
  Marks* const four = chunks[fine_count / kChunk][fine_count % kChunk];
  std::fill(four, four + 4, m);
  m.write = {kFine, fine_count++};
  return four;
}

void set_keys(std::uint32_t* keys, unsigned count, std::uint32_t key) {
  for (unsigned i = 0; i < count; ++i) keys[i] = key;
}

}  // namespace

void note_use(Act act, std::size_t offset, unsigned size, const void* pc) {
  if (size < 4) {
    Marks& m = marks[offset / 4];
    Marks* four = fine(m);
    if (four == nullptr) four = make_fine(m);
    for (unsigned i = 0; i < size; ++i) {
      hot.keys[offset + i] = visit(four[offset % 4 + i], act, offset + i, size, pc);
    }
    return;
  }
  for (unsigned i = 0; i < size; i += 4) {
    Marks& m = marks[(offset + i) / 4];
    if (Marks* const four = fine(m)) {
      for (unsigned j = 0; j < 4; ++j) {
        hot.keys[offset + i + j] = visit(four[j], act, offset + i + j, size, pc);
      }
    } else {
      set_keys(hot.keys + offset + i, 4, visit(m, act, offset + i, size, pc));
    }
  }
}

void note_unraced(Act act, std::size_t offset, unsigned size) {
  set_keys(hot.keys + offset, size, act == Act::kRead ? hot.epoch_key : hot.own_key);
}

void forget_fine_marks() {
  chunks.clear();
  fine_count = 0;
}

std::uint32_t block_of(std::uint32_t stamp) {
  const auto after =
      std::upper_bound(block_starts.begin(), block_starts.end(), stamp,
                       [](std::uint32_t s, const BlockStart& start) { return s < start.stamp; });
  return after == block_starts.begin() ? 0 : std::prev(after)->block;
}

void begin_launch_clock(unsigned threads) {
  if (clock_.next > 0xF0000000) {
    forget_races();
    clock_.next = 1;
  }
  clock_.warps = (threads + 31) / 32;
  clock_.stride = 1 + clock_.warps + 2 * threads;
  clock_.launch_base = clock_.next;
  block_starts.clear();
}

}  // namespace nibble::simt
