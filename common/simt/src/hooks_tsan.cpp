// The calls that -fsanitize=thread makes the compiler put in front of every load and store. TSan's own
// library is not linked: these are what is called.
#include <cstddef>
#include <cstring>

#include "access.hpp"
#include "launch_state.hpp"
#include "nibble/simt/types.hpp"

using nibble::simt::access;
using nibble::simt::Act;
using nibble::simt::look_at_range;
using nibble::simt::uptr;

namespace {

/// clang++ copies a struct by memcpy: 8 or 16 bytes are a float2 or a float4, which must be aligned.
template <Act kAct>
[[gnu::always_inline]] inline void look_at_copy(const void* p, std::size_t n, const void* pc) {
  if (n == 16) return access<16, kAct>(p, pc);
  if (n == 8) return access<8, kAct>(p, pc);
  look_at_range(kAct, uptr(p), n, pc);
}

}  // namespace

extern "C" {

// Called before main by every object that has hooks.
void __tsan_init() { nibble::simt::instrumented = true; }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

#define NIBBLE_SIMT_HOOKS(N)                                                            \
  void __tsan_read##N(void* a) { access<N, Act::kRead>(a, NIBBLE_SIMT_PC); }            \
  void __tsan_write##N(void* a) { access<N, Act::kWrite>(a, NIBBLE_SIMT_PC); }          \
  void __tsan_volatile_read##N(void* a) { access<N, Act::kRead>(a, NIBBLE_SIMT_PC); }   \
  void __tsan_volatile_write##N(void* a) { access<N, Act::kWrite>(a, NIBBLE_SIMT_PC); } \
  void __tsan_unaligned_read##N(void* a) {                                              \
    look_at_range(Act::kRead, uptr(a), N, NIBBLE_SIMT_PC);                              \
  }                                                                                     \
  void __tsan_unaligned_write##N(void* a) {                                             \
    look_at_range(Act::kWrite, uptr(a), N, NIBBLE_SIMT_PC);                             \
  }                                                                                     \
  void __tsan_unaligned_volatile_read##N(void* a) {                                     \
    look_at_range(Act::kRead, uptr(a), N, NIBBLE_SIMT_PC);                              \
  }                                                                                     \
  void __tsan_unaligned_volatile_write##N(void* a) {                                    \
    look_at_range(Act::kWrite, uptr(a), N, NIBBLE_SIMT_PC);                             \
  }                                                                                     \
  void __tsan_read_write##N(void* a) {                                                  \
    access<N, Act::kRead>(a, NIBBLE_SIMT_PC);                                           \
    access<N, Act::kWrite>(a, NIBBLE_SIMT_PC);                                          \
  }
NIBBLE_SIMT_HOOKS(1)
NIBBLE_SIMT_HOOKS(2)
NIBBLE_SIMT_HOOKS(4)
NIBBLE_SIMT_HOOKS(8)
NIBBLE_SIMT_HOOKS(16)
#undef NIBBLE_SIMT_HOOKS

void __tsan_read_range(void* a, std::size_t n) {
  look_at_range(Act::kRead, uptr(a), n, NIBBLE_SIMT_PC);
}
void __tsan_write_range(void* a, std::size_t n) {
  look_at_range(Act::kWrite, uptr(a), n, NIBBLE_SIMT_PC);
}
void __tsan_vptr_read(void** a) { access<sizeof(void*), Act::kRead>(a, NIBBLE_SIMT_PC); }
void __tsan_vptr_update(void** a, void*) { access<sizeof(void*), Act::kWrite>(a, NIBBLE_SIMT_PC); }

// Calls to memcpy, memmove and memset in the .cu object are renamed to these; newer clang emits the __tsan_
// names itself.
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
