// Places the variables of a launch one behind the other, makes them fresh for each block, and keeps
// them while a block waits.
#include "shared_memory.hpp"

#include <algorithm>
#include <cstring>

#include "fiber.hpp"
#include "finding.hpp"
#include "garbage.hpp"
#include "launch_state.hpp"
#include "limits.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"

namespace nibble::simt {
namespace {

constexpr std::size_t kFence = 128;

std::vector<Placed> placed;
std::size_t static_top, static_bytes;
SharedDecl dynamic;

void refuse(const void* pc, std::size_t static_size, std::size_t all) {
  if (EngineFinding* finding = new_finding(Kind::kBadLaunch, pc)) {
    if (static_size > kMostStaticShared) {
      set_detail(*finding, "%zu bytes of static __shared__ memory; a GPU takes at most %u",
                 static_size, kMostStaticShared);
    } else {
      set_detail(*finding, "%zu bytes of __shared__ memory in all; sm_%d has at most %u", all,
                 options.sm, most_shared(options.sm));
    }
    publish(finding);
  }
  end_launch(kErrorInvalidConfiguration);
}

void place(SharedDecl* d, const void* pc) {
  static_bytes += d->size;
  const std::size_t all = static_bytes + running.dynamic_bytes;
  if (static_bytes > kMostStaticShared || all > most_shared(options.sm)) {
    refuse(pc, static_bytes, all);
  }
  const std::size_t offset = static_top + kFence;
  static_top = (offset + d->size + kFence - 1) / kFence * kFence;
  if (static_top + kFence > kStaticShared) refuse(pc, static_bytes, all);
  d->offset = static_cast<std::uint32_t>(offset);
  d->launch = running.launch;
  placed.push_back({offset, d->size, d});
}

void make_fresh(std::size_t offset, std::size_t size) {
  set_bytes(offset, size, ByteState::kUnwritten);
  std::memset(arena_byte(offset), kGarbage, size);
}

}  // namespace

void begin_launch_memory() {
  for (const Placed& p : placed) set_bytes(p.offset, p.size, ByteState::kAbsent);
  placed.clear();
  static_top = static_bytes = 0;
  if (running.dynamic_bytes == 0) return;
  dynamic = {"dynamic shared memory", running.dynamic_bytes, 1, 1, {0, 0, 0}, 0, 0, 0};
  placed.push_back({kDynamicOffset, running.dynamic_bytes, &dynamic});
}

void begin_block_memory() {
  if (running.dynamic_bytes != 0) make_fresh(kDynamicOffset, running.dynamic_bytes);
}

KeptShared keep_shared() {
  KeptShared kept;
  for (const Placed& p : placed) {
    const bool is_here = p.declaration == &dynamic || p.declaration->block == running.block_serial;
    if (!is_here) continue;
    const std::byte* const bytes = arena_byte(p.offset);
    const std::uint8_t* const its_states = states + p.offset / 4;
    kept.variables.push_back({p.offset,
                              p.declaration,
                              {bytes, bytes + p.size},
                              {its_states, its_states + (p.size + 3) / 4}});
  }
  return kept;
}

void bring_back(const KeptShared& kept) {
  for (const KeptShared::Variable& v : kept.variables) {
    v.declaration->block = running.block_serial;
    std::ranges::copy(v.bytes, arena_byte(v.offset));
    std::ranges::copy(v.states, states + v.offset / 4);
  }
}

const Placed* shared_near(std::size_t offset) {
  const Placed* nearest = nullptr;
  std::size_t least = kSharedBytes;
  for (const Placed& p : placed) {
    const std::size_t before = offset < p.offset ? p.offset - offset : 0;
    const std::size_t behind = offset >= p.offset + p.size ? offset - p.offset - p.size + 1 : 0;
    if (before + behind < least) {
      least = before + behind;
      nearest = &p;
    }
  }
  return nearest;
}

void* shared_slot(SharedDecl* d) {
  if (d->block != running.block_serial || d->launch != running.launch) {
    if (d->launch != running.launch) place(d, NIBBLE_SIMT_PC);
    d->block = running.block_serial;
    make_fresh(d->offset, d->size);
  }
  return arena_byte(d->offset);
}

void* dynamic_shared(const char* name, std::size_t element) {
  dynamic.name = name;
  dynamic.element = element;
  return arena_byte(kDynamicOffset);
}

}  // namespace nibble::simt
