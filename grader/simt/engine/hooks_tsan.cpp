// The calls that -fsanitize=thread makes the compiler put in front of every load and store. TSan's
// own library is not linked: these are what is called. Each ends in one call at most, which takes
// its place (CMakeLists.txt leaves out their frames).
#include <cstddef>

#include "access.hpp"
#include "launch_state.hpp"
#include "nibble/simt/types.hpp"
#include "race.hpp"

using nibble::simt::access;
using nibble::simt::Act;
using nibble::simt::look_at_range;
using nibble::simt::uptr;

namespace {

/// The launch may end in between: the next one begins anew.
template <unsigned kSize>
[[gnu::always_inline]] inline void load_volatile(void* a, const void* pc) {
  nibble::simt::loading_volatile = true;
  access<kSize, Act::kRead>(a, pc);
  nibble::simt::loading_volatile = false;
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
  void __tsan_volatile_read##N(void* a) { load_volatile<N>(a, NIBBLE_SIMT_PC); }        \
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
/// Host code counts what shares a pointer.
int __tsan_atomic32_fetch_add(volatile int* a, int by, int) {
  return __atomic_fetch_add(a, by, __ATOMIC_SEQ_CST);
}
void __tsan_vptr_read(void** a) { access<sizeof(void*), Act::kRead>(a, NIBBLE_SIMT_PC); }
void __tsan_vptr_update(void** a, void*) { access<sizeof(void*), Act::kWrite>(a, NIBBLE_SIMT_PC); }

}  // extern "C"
