// Addresses of inline PTX: numbers that become pointers again, in the memory that the instruction
// names and in no other.
#include "nibble/simt/ptx_memory.hpp"

#include <bit>

#include "access.hpp"
#include "shadow.hpp"
#include "whole_warp.hpp"

namespace nibble::simt::ptx {

namespace {

/// Far behind all shared memory.
constexpr unsigned long long kNowhere = 0xfff00000;

void must_be_aligned(const RefusedAccess& access) {
  const uptr beyond = reinterpret_cast<uptr>(access.address) % access.bytes;
  if (beyond == 0) return;
  stop_misaligned(access,
                  "%u bytes at once need an address that is a multiple of %u; it is %u more",
                  access.bytes, access.bytes, static_cast<unsigned>(beyond));
}

void look_at(const RefusedAccess& access, PtxAccess use) {
  must_be_aligned(access);
  if (use == PtxAccess::kVolatileLoad)
    return touch_past_caches(access.address, access.bytes, access.pc);
  touch(access.address, access.bytes, access.write, access.pc);
}

}  // namespace

unsigned long long shared_address(const void* pointer) {
  return is_shared_memory(pointer) ? reinterpret_cast<uptr>(pointer) - hot.arena : kNowhere;
}

void* shared_pointer(unsigned address) { return std::bit_cast<void*>(hot.arena + address); }

void* in_shared(unsigned address, unsigned size, PtxAccess use, const void* pc) {
  void* const pointer = shared_pointer(address);
  const RefusedAccess access{pointer, size, use == PtxAccess::kStore, pc};
  if (!is_shared_memory(pointer)) {
    stop_not_shared(access,
                    "0x%x is no address of shared memory: __cvta_generic_to_shared() "
                    "makes one of a pointer",
                    address);
  }
  look_at(access, use);
  return pointer;
}

void* in_global(unsigned long long address, unsigned size, PtxAccess use, const void* pc) {
  void* const pointer = std::bit_cast<void*>(address);
  const RefusedAccess access{pointer, size, use == PtxAccess::kStore, pc};
  if (is_shared_memory(pointer)) {
    stop_not_global(access, "a pointer to shared memory, and the instruction is for global memory");
  }
  look_at(access, use);
  return pointer;
}

}  // namespace nibble::simt::ptx
