// An access by a kernel: the quick look that nearly always suffices, inlined into every hook.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hot.hpp"
#include "log.hpp"
#include "race.hpp"

namespace nibble::simt {

/// The atomic operation that runs takes no notice of what was there: atomicExch.
extern bool exchanging;

/// What touch_past_caches looked at last: the instruction behind it is that load.
struct PastCaches {
  uptr address = 0;
  std::size_t size = 0;
};
extern PastCaches loaded_past_caches;

/// Everything the quick look does not answer: does the byte exist, was it written, who used it
/// last. Reports what it finds, and ends the launch where the access must not happen.
template <unsigned kSize, Act kAct>
void look_closely(std::uint64_t offset, const void* pc);

/// An address that is not in shared or device memory, or is there before any shadow is.
void look_elsewhere(Act act, uptr address, unsigned size, const void* pc);

/// Any size, any alignment: memcpy, packed structs, what the engine touches for a learner.
void look_at_range(Act act, uptr address, std::size_t size, const void* pc);

inline bool opens(std::uint32_t key, Act act) {
  if (act == Act::kWrite) return key == hot.own_key;
  return key == hot.epoch_key || key == hot.warp_key || hot.own_key - key <= 1;
}

/// All keys of an aligned access are the same, and fit.
template <unsigned kSize>
[[gnu::always_inline]] inline bool keys_open(const std::uint32_t* keys, Act act) {
  if constexpr (kSize == 1) return opens(*keys, act);
  std::uint64_t first;
  std::memcpy(&first, keys, 8);
  std::uint64_t differ = (first >> 32) ^ (first & 0xffffffff);
  for (unsigned i = 2; i < kSize; i += 2) {
    std::uint64_t pair;
    std::memcpy(&pair, keys + i, 8);
    differ |= pair ^ first;
  }
  return differ == 0 && opens(static_cast<std::uint32_t>(first), act);
}

template <unsigned kSize, Act kAct>
[[gnu::always_inline]] inline void access(const volatile void* p, const void* pc) {
  const std::uint64_t offset = uptr(p) - hot.arena;
  if (offset >= hot.reach) [[unlikely]] {
    return look_elsewhere(kAct, uptr(p), kSize, pc);
  }
  const bool known = kAct != Act::kAtomic && (offset & (kSize - 1)) == 0 &&
                     keys_open<kSize>(hot.keys + offset, kAct);
  if (!known) [[unlikely]] {
    return look_closely<kSize, kAct>(offset, pc);
  }
  if (hot.log_end != nullptr) [[unlikely]] {
    return log_access(kAct, offset, kSize, pc);
  }
}

}  // namespace nibble::simt
