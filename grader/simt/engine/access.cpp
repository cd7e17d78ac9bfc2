// The close look at an access: whether the bytes exist, are aligned
// and were written; a finding where they are not.
#include "access.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "async_copy.hpp"
#include "clock.hpp"
#include "device_memory.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "marks.hpp"
#include "nibble/simt/device.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"
#include "shared_memory.hpp"
#include "stream.hpp"
#include "stream_order.hpp"
#include "subject.hpp"
#include "variables.hpp"

namespace nibble::simt {

bool exchanging;
PastCaches loaded_past_caches;

namespace {

/// A finding about an access, not yet published.
EngineFinding* finding_of(Kind kind, Act act, std::uint64_t offset, unsigned size, const void* pc) {
  EngineFinding* const finding = new_finding(kind, pc);
  if (finding == nullptr) return nullptr;
  finding->is_write = act != Act::kRead;
  finding->bytes = size;
  if (offset != ~std::uint64_t{0}) name_subject(*finding, offset, size);
  return finding;
}
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

// ---- the access must not happen

void say_where(EngineFinding& f) {
  const auto size = static_cast<long long>(f.size), at = static_cast<long long>(f.offset);
  if (f.size == 0 && f.subject[0] == 0) {
    set_detail(f, "no such memory exists");
  } else if (at < 0) {
    set_detail(f, "%lld bytes before its beginning", -at);
  } else {
    set_detail(f, "byte %lld of %lld", at, size);
  }
}

Kind kind_outside(std::uint64_t offset) {
  if (is_shared(offset)) return Kind::kSharedOob;
  const Allocation* const a = allocation_near(offset);
  const bool inside = a != nullptr && offset - a->offset < a->size;
  return inside && !a->live ? Kind::kUseAfterFree : Kind::kGlobalOob;
}

[[noreturn]] void refuse_outside(Act act, std::uint64_t offset, unsigned size, const void* pc) {
  // The first byte that does not exist decides whose neighbour it is.
  std::uint64_t bad = offset;
  while (bad + 1 < offset + size && bad < arena_top && all_exist(bad, 1)) ++bad;
  const Kind kind = kind_outside(bad);
  if (EngineFinding* finding = finding_of(kind, act, offset, size, pc)) {
    say_where(*finding);
    const Allocation* const a = kind == Kind::kUseAfterFree ? allocation_near(bad) : nullptr;
    if (a != nullptr && a->freed_at != 0) finding->other = {a->freed_at, 0, 0};
    publish(finding);
  }
  end_launch(kErrorIllegalAddress);
}

[[noreturn]] void refuse_misaligned(Act act, std::uint64_t offset, unsigned size, const void* pc) {
  if (EngineFinding* finding = finding_of(Kind::kMisaligned, act, offset, size, pc)) {
    set_detail(*finding,
               "%u bytes at once need an address that is a multiple of %u; it is %llu more", size,
               size, static_cast<unsigned long long>(offset % size));
    publish(finding);
  }
  end_launch(kErrorMisalignedAddress);
}

[[noreturn]] void refuse_address(Kind kind, Act act, unsigned size, const void* pc,
                                 const char* detail) {
  EngineFinding* const finding = finding_of(kind, act, kNowhere, size, pc);
  if (finding != nullptr) set_detail(*finding, "%s", detail);
  publish(finding);
  end_launch(kErrorIllegalAddress);
}

/// At the end of an array of which the rest does not exist: an index that wrapped around is a
/// finding. Blocks may make other outputs than those at their place, which go unjudged.
[[noreturn]] void refuse_far(Act act, uptr address, unsigned size, const void* pc) {
  const Allocation* const a = allocation_beyond(address);
  if (a == nullptr) {
    ++report->elsewhere;
    end_launch(kErrorIllegalAddress);
  }
  EngineFinding* const finding = finding_of(Kind::kNarrowIndex, act, kNowhere, size, pc);
  if (finding != nullptr) {
    const std::uint64_t away = address - hot.arena - a->offset;
    const auto before = static_cast<std::uint64_t>(a->before);
    name_element(*finding, *a, static_cast<std::int64_t>(away + before), size);
    const std::uint64_t meant = away % (std::uint64_t{1} << 32) + before;
    set_detail(*finding, "%.24s[%llu]", a->name.c_str(),
               static_cast<unsigned long long>(meant / size));
  }
  publish(finding);
  end_launch(kErrorIllegalAddress);
}

// ---- the access happens

/// The states of an aligned access, as one number.
template <unsigned kSize>
using States = std::conditional_t<kSize == 16, std::uint32_t,
                                  std::conditional_t<kSize == 8, std::uint16_t, std::uint8_t>>;

/// Their low halves: bytes that have been written.
template <unsigned kSize>
States<kSize> written_bits(std::uint64_t offset) {
  if constexpr (kSize < 4) return static_cast<std::uint8_t>(((1u << kSize) - 1) << (offset % 4));
  return static_cast<States<kSize>>(0x0F0F0F0F);
}

void report_unwritten(std::uint64_t offset, unsigned size, const void* pc) {
  if (report_copy_on_its_way(offset, size, pc)) return;
  const Kind kind = is_shared(offset) ? Kind::kSharedUninitialised : Kind::kGlobalUninitialised;
  publish(finding_of(kind, Act::kRead, offset, size, pc));
}

/// What the runner hands out as an output may hold what its contract has put there.
bool is_read_by_atomics(std::uint64_t offset) {
  if (exchanging) return false;
  if (is_shared(offset)) return true;
  const Allocation* const a = allocation_near(offset);
  return a != nullptr && a->taken_at != nullptr;
}

void look_closely_at(Act act, unsigned size, std::uint64_t offset, const void* pc);

/// A variable of the executable: looked at as the memory that its shadow stands for.
void look_at_variable(const PlacedVariable& v, Act act, uptr address, unsigned size,
                      const void* pc) {
  const std::size_t at = address - reinterpret_cast<uptr>(v.variable->address);
  if (at >= v.variable->size || size > v.variable->size - at) {
    if (EngineFinding* finding = finding_of(Kind::kDeviceOob, act, kNowhere, size, pc)) {
      name_variable(*finding, v, static_cast<std::int64_t>(at), size);
      say_where(*finding);
      publish(finding);
    }
    end_launch(kErrorIllegalAddress);
  }
  if (v.variable->is_constant != 0) {
    if (act != Act::kRead) {
      refuse_address(Kind::kHostPointer, act, size, pc,
                     "a kernel cannot write __constant__ memory");
    }
    return;  // constant memory has a cache of its own: no sectors
  }
  if (hot.reach == 0) reach_shadow();
  look_closely_at(act, size, v.offset + at, pc);
}

template <Act kAct>
void look_closely_at(unsigned size, std::uint64_t offset, const void* pc) {
  switch (size) {
    case 1:
      return look_closely<1, kAct>(offset, pc);
    case 2:
      return look_closely<2, kAct>(offset, pc);
    case 4:
      return look_closely<4, kAct>(offset, pc);
    case 8:
      return look_closely<8, kAct>(offset, pc);
    default:
      return look_closely<16, kAct>(offset, pc);
  }
}

void look_closely_at(Act act, unsigned size, std::uint64_t offset, const void* pc) {
  if (act == Act::kRead) return look_closely_at<Act::kRead>(size, offset, pc);
  if (act == Act::kWrite) return look_closely_at<Act::kWrite>(size, offset, pc);
  look_closely_at<Act::kAtomic>(size, offset, pc);
}

/// The thread's own variables; or what lies below them, where calls before have been.
void note_own(uptr address) { note_depth(hot.stack + kStackBytes - address); }

void look_from_host(Act act, uptr address, unsigned size, const void* pc) {
  const std::uint64_t offset = address - hot.arena;
  if (hot.arena == 0 || offset >= arena_top) {
    return look_at_queues(address, size, act != Act::kRead, pc);
  }
  const Allocation* const a = allocation_near(offset);
  if (a != nullptr && a->managed) return;
  if (EngineFinding* finding = finding_of(Kind::kHostDereference, act, offset, size, pc)) {
    set_detail(*finding, "host code cannot use device memory: copy it with cudaMemcpy");
    publish(finding);
  }
}

}  // namespace

template <unsigned kSize, Act kAct>
void look_closely(std::uint64_t offset, const void* pc) {
  if (offset % kSize != 0) refuse_misaligned(kAct, offset, kSize, pc);
  const States<kSize> written = written_bits<kSize>(offset);
  const auto existing = static_cast<States<kSize>>(written << 4);
  States<kSize> state;
  std::memcpy(&state, states + offset / 4, sizeof state);
  if ((state & existing) != existing) refuse_outside(kAct, offset, kSize, pc);
  const bool is_known = (state & written) == written || kAct == Act::kWrite ||
                        (kAct == Act::kAtomic && !is_read_by_atomics(offset));
  if (kAct != Act::kRead) {
    state |= written;
    std::memcpy(states + offset / 4, &state, sizeof state);
  }
  if (options.host_code) note_stream_use(kAct, offset, kSize);
  options.races ? note_use<kSize, kAct>(offset, pc) : note_unraced(kAct, offset, kSize);
  if (!is_known && options.uninitialised) {
    report_unwritten(offset, kSize, pc);
    std::fill_n(hot.keys + offset, kSize, 0);  // every read of it is told
  }
  if (hot.log_end != nullptr) log_access(kAct, offset, kSize, pc);
}

#define NIBBLE_SIMT_LOOK(N)                                               \
  template void look_closely<N, Act::kRead>(std::uint64_t, const void*);  \
  template void look_closely<N, Act::kWrite>(std::uint64_t, const void*); \
  template void look_closely<N, Act::kAtomic>(std::uint64_t, const void*);
NIBBLE_SIMT_LOOK(1)
NIBBLE_SIMT_LOOK(2)
NIBBLE_SIMT_LOOK(4)
NIBBLE_SIMT_LOOK(8)
NIBBLE_SIMT_LOOK(16)
#undef NIBBLE_SIMT_LOOK

void look_elsewhere(Act act, uptr address, unsigned size, const void* pc) {
  if (address - hot.stack < kStackBytes) return note_own(address);
  if (current == nullptr) return look_from_host(act, address, size, pc);
  const std::uint64_t offset = address - hot.arena;
  if (offset < arena_limit) {
    if (hot.reach == 0) reach_shadow();
    if (offset >= hot.reach) refuse_outside(act, offset, size, pc);
    return look_at_range(act, address, size, pc);
  }
  if (const PlacedVariable* v = variable_at(address)) {
    return look_at_variable(*v, act, address, size, pc);
  }
  if (act == Act::kRead && is_built_in(address, size)) return;
  if (is_constant_data(address, size)) {
    if (act == Act::kRead) return;
    refuse_address(Kind::kHostPointer, act, size, pc, "a constant of the program");
  }
  if (const PlacedVariable* v = variable_near(address)) {
    return look_at_variable(*v, act, address, size, pc);
  }
  if (on_other_stack(address)) {
    refuse_address(Kind::kForeignLocal, act, size, pc, "a local variable of another thread");
  }
  if (allocation_beyond(address) != nullptr || allocation_after(address) != nullptr) {
    refuse_far(act, address, size, pc);
  }
  refuse_address(Kind::kHostPointer, act, size, pc,
                 address < 4096         ? "a null pointer"
                 : is_in_image(address) ? "a variable of the host's code"
                                        : "memory of the host, or a wild address");
}

void look_at_range(Act act, uptr address, std::size_t size, const void* pc) {
  while (size > 0) {
    unsigned piece = 16;
    while (piece > size || (address & (piece - 1)) != 0) piece /= 2;
    const std::uint64_t offset = address - hot.arena;
    offset < hot.reach ? look_closely_at(act, piece, offset, pc)
                       : look_elsewhere(act, address, piece, pc);
    address += piece;
    size -= piece;
  }
}

void touch(const volatile void* p, unsigned size, bool write, const void* pc) {
  if (instrumented) look_at_range(write ? Act::kWrite : Act::kRead, uptr(p), size, pc);
}

void touch_past_caches(const volatile void* p, unsigned size, const void* pc) {
  loading_volatile = true;
  touch(p, size, false, pc);
  loading_volatile = false;
  loaded_past_caches = {uptr(p), size};
}

void touch_registers(const void* p, std::size_t size, bool write, const void* pc) {
  if (uptr(p) - hot.stack < kStackBytes - size) return note_own(uptr(p));
  touch(p, static_cast<unsigned>(size), write, pc);
}

}  // namespace nibble::simt
