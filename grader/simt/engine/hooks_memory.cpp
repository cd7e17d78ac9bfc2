// Hooks that look twice: copies, and a value that is read and written in one go.
#include <cstddef>
#include <cstring>

#include "access.hpp"
#include "nibble/simt/types.hpp"

using nibble::simt::access;
using nibble::simt::Act;
using nibble::simt::look_at_range;
using nibble::simt::uptr;

namespace {

/// clang++ copies a struct by memcpy: 8 or 16 bytes are a float2 or a float4,
/// which must be aligned.
template <Act kAct>
[[gnu::always_inline]] inline void look_at_copy(const void* p, std::size_t n, const void* pc) {
  if (n == 16) return access<16, kAct>(p, pc);
  if (n == 8) return access<8, kAct>(p, pc);
  look_at_range(kAct, uptr(p), n, pc);
}

}  // namespace

extern "C" {

#define NIBBLE_SIMT_HOOK(N)                    \
  void __tsan_read_write##N(void* a) {         \
    access<N, Act::kRead>(a, NIBBLE_SIMT_PC);  \
    access<N, Act::kWrite>(a, NIBBLE_SIMT_PC); \
  }
NIBBLE_SIMT_HOOK(1)
NIBBLE_SIMT_HOOK(2)
NIBBLE_SIMT_HOOK(4)
NIBBLE_SIMT_HOOK(8)
NIBBLE_SIMT_HOOK(16)
#undef NIBBLE_SIMT_HOOK

// Calls to memcpy, memmove and memset in the .cu object are renamed to these; newer clang emits
// the __tsan_ names itself.
void* nibble_simt_memcpy(void* to, const void* from, std::size_t n) {
  look_at_copy<Act::kRead>(from, n, NIBBLE_SIMT_PC);
  look_at_copy<Act::kWrite>(to, n, NIBBLE_SIMT_PC);
  return std::memmove(to, from, n);
}
void* nibble_simt_memmove(void*, const void*, std::size_t)
    __attribute__((alias("nibble_simt_memcpy")));
void* nibble_simt_memset(void* to, int value, std::size_t n) {
  look_at_range(Act::kWrite, uptr(to), n, NIBBLE_SIMT_PC);
  return std::memset(to, value, n);
}
void* __tsan_memcpy(void*, const void*, std::size_t) __attribute__((alias("nibble_simt_memcpy")));
void* __tsan_memmove(void*, const void*, std::size_t) __attribute__((alias("nibble_simt_memcpy")));
void* __tsan_memset(void*, int, std::size_t) __attribute__((alias("nibble_simt_memset")));

}  // extern "C"
