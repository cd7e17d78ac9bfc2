// Gives and takes back allocations, keeps the fences between them, and
// tells which were damaged or never given back.
#include "device_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>

#include "finding.hpp"
#include "garbage.hpp"
#include "hot.hpp"
#include "marks.hpp"
#include "nibble/simt/session.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"
#include "subject.hpp"
#include "variables.hpp"

namespace nibble::simt {
namespace {

constexpr std::size_t kFence = 256;
constexpr unsigned char kPattern = 0xFE;

std::deque<Allocation> allocations;  // by offset

std::size_t fence_end(const Allocation& a) {
  return (a.offset + a.size + kFence - 1) / kFence * kFence + kFence;
}

/// The first changed byte of [begin, end), or end.
std::size_t first_damage(std::size_t begin, std::size_t end) {
  while (begin < end && *arena_byte(begin) == std::byte{kPattern}) ++begin;
  return begin;
}

void report_damage(Allocation& a, std::int64_t at) {
  EngineFinding* const finding = new_finding(Kind::kGlobalOob, Place{0, 0, 0});
  if (finding == nullptr) return;
  finding->is_write = 1;
  finding->offset = at;
  finding->size = a.size;
  finding->in_kernel = 0;
  std::snprintf(finding->subject, sizeof finding->subject, "%s", a.name.c_str());
  if (at < 0) {
    set_detail(*finding, "%lld bytes before its beginning", static_cast<long long>(-at));
  } else {
    set_detail(*finding, "%lld bytes behind its end of %zu bytes",
               static_cast<long long>(at) - static_cast<long long>(a.size), a.size);
  }
  publish(finding);
}

void check_fence(Allocation& a) {
  if (a.reported != 0) return;
  const std::size_t end = a.offset + a.size, behind = first_damage(end, fence_end(a));
  const std::size_t before = first_damage(a.offset - kFence, a.offset);
  if (behind == fence_end(a) && before == a.offset) return;
  a.reported = 1;
  const std::size_t at = behind != fence_end(a) ? behind : before;
  report_damage(a, static_cast<std::int64_t>(at) - static_cast<std::int64_t>(a.offset));
}

}  // namespace

void begin_device_memory(std::size_t bytes) {
  forget_states();
  allocations.clear();
  arena_limit = std::min(kSharedBytes + bytes, (std::size_t{1} << 32) - 4096);
  arena_top = kSharedBytes;
  reach_arena(arena_top);
  arena_top = place_variables(arena_top);
}

Allocation* allocation_near(std::size_t offset) {
  auto after = std::upper_bound(allocations.begin(), allocations.end(), offset,
                                [](std::size_t at, const Allocation& a) { return at < a.offset; });
  if (after == allocations.begin()) return after == allocations.end() ? nullptr : &*after;
  Allocation& before = *std::prev(after);
  const std::size_t end = before.offset + before.size;
  if (offset < end || after == allocations.end()) return &before;
  return offset - end < after->offset - offset ? &before : &*after;
}

Allocation* allocation_at(const void* device) {
  const std::size_t offset = uptr(device) - hot.arena;
  Allocation* const a = offset < arena_top ? allocation_near(offset) : nullptr;
  return a != nullptr && a->offset == offset ? a : nullptr;
}

const Allocation* allocation_beyond(std::uintptr_t address) {
  const auto is_meant = [address](const Allocation& a) {
    const std::uintptr_t away = address - hot.arena - a.offset;
    return a.live && a.before > 0 && away % (std::uintptr_t{1} << 32) < a.size;
  };
  const auto found = std::ranges::find_if(allocations, is_meant);
  return found == allocations.end() ? nullptr : &*found;
}

const Allocation* allocation_after(std::uintptr_t address) {
  const auto would_hold = [address](const Allocation& a) {
    const std::uintptr_t in_front = hot.arena + a.offset - address;
    return a.live && in_front <= static_cast<std::uintptr_t>(a.before);
  };
  const auto found = std::ranges::find_if(allocations, would_hold);
  return found == allocations.end() ? nullptr : &*found;
}

bool is_device_memory(const void* device, std::size_t bytes) {
  const std::size_t offset = uptr(device) - hot.arena;
  if (offset >= arena_top) return false;
  const Allocation* const a = allocation_near(offset);
  return a != nullptr && a->live && offset >= a->offset && offset - a->offset <= a->size &&
         bytes <= a->size - (offset - a->offset);
}

Allocation& allocate_device(std::size_t bytes, const char* name, const void* pc, bool managed) {
  const std::size_t grain = managed ? static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : kFence;
  const std::size_t offset = (arena_top + kFence + grain - 1) / grain * grain;
  if (bytes > arena_limit || offset + bytes + 2 * kFence + grain > arena_limit) {
    throw std::bad_alloc();
  }
  Allocation a{offset, bytes, name, true, managed, 0, 0, pc};
  reach_arena(fence_end(a));
  std::memset(arena_byte(offset - kFence), kPattern, kFence);
  std::memset(arena_byte(offset), kGarbage, bytes);
  std::memset(arena_byte(offset + bytes), kPattern, fence_end(a) - offset - bytes);
  // What host code writes into managed memory is not seen in every build.
  set_bytes(offset, bytes, managed ? ByteState::kWritten : ByteState::kUnwritten);
  arena_top = (fence_end(a) + grain - 1) / grain * grain;
  return allocations.emplace_back(std::move(a));
}

void release_device(Allocation& a, const void* pc) {
  check_fence(a);
  a.live = false;
  a.freed_at = pc != nullptr ? place_of(pc) : 0;
  set_bytes(a.offset, a.size, ByteState::kAbsent);
}

void check_fences() {
  for (Allocation& a : allocations) check_fence(a);
}

void for_each_managed(const std::function<void(const Allocation&)>& f) {
  for (const Allocation& a : allocations) {
    if (a.managed && a.live) f(a);
  }
}

void report_leaked_memory() {
  for (const Allocation& a : allocations) {
    if (!a.live || a.taken_at == nullptr || a.free_is_ordered) continue;
    EngineFinding* const finding = new_finding(Kind::kLeak, a.taken_at);
    if (finding == nullptr) continue;
    finding->size = a.size;
    std::snprintf(finding->subject, sizeof finding->subject, "%s", a.name.c_str());
    set_detail(*finding, "cudaFree");
    publish(finding);
  }
}

void release_all(const void* pc) {
  for (Allocation& a : allocations) {
    if (a.live && a.taken_at != nullptr) release_device(a, pc);
  }
}

// ---- the interface to the process that runs kernels

void* allocate(std::size_t bytes, const char* name, std::int64_t before) {
  Allocation& a = allocate_device(bytes, name, nullptr, false);
  a.before = before;
  return arena_byte(a.offset);
}

void release(void* device) {
  if (Allocation* a = allocation_at(device)) release_device(*a, nullptr);
}

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  std::memcpy(device, host, bytes);
  set_bytes(uptr(device) - hot.arena, bytes, ByteState::kWritten);
}

void check_input(const void* device, const void* host, std::size_t bytes) {
  if (bytes == 0 || sticky_error() != 0 || std::memcmp(device, host, bytes) == 0) return;
  const auto* const now = static_cast<const std::byte*>(device);
  const auto* const first =
      std::mismatch(now, now + bytes, static_cast<const std::byte*>(host)).first;
  const std::size_t offset = uptr(first) - hot.arena;
  EngineFinding* const finding = new_finding(Kind::kInputChanged, {last_writer(offset), 0, 0});
  if (finding == nullptr) return;
  finding->is_write = 1;
  name_subject(*finding, offset, 1);
  publish(finding);
}

void check_written(const void* device, std::size_t bytes) {
  const std::size_t offset = uptr(device) - hot.arena;
  if (first_unwritten(offset, bytes) != offset + bytes) ++report->elsewhere;
}

void poison(void* device, const void* host, std::size_t bytes) {
  if (bytes != 0) std::memcpy(device, host, bytes);
}

void copy_to_host(void* host, const void* device, std::size_t bytes) {
  if (bytes != 0) std::memcpy(host, device, bytes);
}

}  // namespace nibble::simt
