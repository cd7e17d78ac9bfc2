// cp.async. The bytes are taken at once and kept by their thread; until it waits for them they are
// as good as never written, so that who reads too early is told, and gets what lay there before.
#include "async_copy.hpp"

#include <cstring>
#include <initializer_list>
#include <vector>

#include "fiber.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "marks.hpp"
#include "nibble/simt/cp_async.hpp"
#include "shadow.hpp"
#include "subject.hpp"
#include "whole_warp.hpp"

namespace nibble::simt {

namespace {

constexpr unsigned kMostBytes = 16;

struct AsyncCopy {
  std::size_t offset;  // in the arena
  unsigned bytes, group;
  const void* pc;
  unsigned char data[kMostBytes];
};

/// What one thread of the running block has ordered.
struct Orders {
  std::uint64_t launch = 0, block = 0;
  unsigned open_group = 0;
  std::vector<AsyncCopy> copies;

  bool of_running_block() const {
    return launch == running.launch && block == running.block_serial;
  }
};
Orders orders[kMaxThreads];

Orders& my_orders() {
  Orders& mine = orders[current->linear];
  if (!mine.of_running_block()) {
    mine.launch = running.launch;
    mine.block = running.block_serial;
    mine.open_group = 0;
    mine.copies.clear();
  }
  return mine;
}

void check(const void* shared, const void* global, unsigned bytes, const void* pc) {
  if (!is_shared_memory(shared))
    stop_not_shared({shared, bytes, true, pc}, "cp_async<%u> writes to shared memory only", bytes);
  if (bytes != 4 && bytes != 8 && bytes != kMostBytes) {
    stop_misaligned({shared, bytes, true, pc}, "an asynchronous copy has 4, 8 or 16 bytes, not %u",
                    bytes);
  }
  for (const void* address : {static_cast<const void*>(shared), global}) {
    if (reinterpret_cast<uptr>(address) % bytes != 0) {
      stop_misaligned({address, bytes, address == shared, pc},
                      "cp_async<%u> needs addresses that are multiples of %u bytes", bytes, bytes);
    }
  }
}

void close_bytes(const AsyncCopy& copy) {
  if (!instrumented) return;
  set_bytes(copy.offset, copy.bytes, ByteState::kUnwritten);
  std::memset(hot.keys + copy.offset, 0, copy.bytes * sizeof *hot.keys);
}

void open_bytes(const AsyncCopy& copy) {
  if (!instrumented) return;
  set_bytes(copy.offset, copy.bytes, ByteState::kWritten);
  if (options.races) {
    note_write(copy.bytes, copy.offset, copy.pc);
  } else {
    note_unraced(Act::kWrite, copy.offset, copy.bytes);
  }
}

/// The copy is a write a second time: from its order on nobody may use the bytes any more, and from
/// its landing on nobody may before a barrier.
void land(const AsyncCopy& copy) {
  std::memcpy(arena_byte(copy.offset), copy.data, copy.bytes);
  open_bytes(copy);
}

struct OrderedCopy {
  unsigned thread;
  const AsyncCopy* copy;
};

OrderedCopy copy_to(std::size_t offset, unsigned size) {
  for (unsigned thread = 0; thread < running.threads; thread++) {
    if (!orders[thread].of_running_block()) continue;
    for (const AsyncCopy& copy : orders[thread].copies)
      if (copy.offset < offset + size && offset < copy.offset + copy.bytes) return {thread, &copy};
  }
  return {0, nullptr};
}

}  // namespace

void copy_async(void* shared, const void* global, unsigned bytes, unsigned source_bytes,
                const void* pc) {
  check(shared, global, bytes, pc);
  if (source_bytes > bytes) source_bytes = bytes;
  if (source_bytes > 0) touch(global, source_bytes, false, pc);
  touch(shared, bytes, true, pc);
  Orders& mine = my_orders();
  AsyncCopy& copy = mine.copies.emplace_back(
      AsyncCopy{reinterpret_cast<uptr>(shared) - hot.arena, bytes, mine.open_group, pc, {}});
  std::memcpy(copy.data, global, source_bytes);
  close_bytes(copy);
}

void commit_copies() { my_orders().open_group++; }

void wait_for_copies(unsigned unfinished, const void*) {
  Orders& mine = my_orders();
  std::size_t landed = 0;
  for (const AsyncCopy& copy : mine.copies) {
    if (copy.group + unfinished >= mine.open_group) break;
    land(copy);
    landed++;
  }
  mine.copies.erase(mine.copies.begin(), mine.copies.begin() + static_cast<std::ptrdiff_t>(landed));
}

bool report_copy_on_its_way(std::size_t offset, unsigned size, const void* pc) {
  const auto [thread, copy] = copy_to(offset, size);
  if (copy == nullptr) return false;
  if (EngineFinding* finding = new_finding(Kind::kMissingWait, pc)) {
    finding->bytes = size;
    finding->other = {place_of(copy->pc), 0, 0};
    finding->other_is_write = 1;
    finding->other_who = thread_named(thread, running.block);
    name_subject(*finding, offset, size);
    set_detail(*finding,
               thread == current->linear
                   ? "the thread's own copy has not landed: cp_async_wait comes first"
                   : "the copy of another thread has not landed: it has to wait for it, and "
                     "then comes a barrier");
    publish(finding);
  }
  return true;
}

}  // namespace nibble::simt
