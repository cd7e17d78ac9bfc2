// Addresses of inline PTX: numbers that become pointers again, in the memory that the instruction
// names and in no other.
#include "nibble/simt/ptx.hpp"

#include "access.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"
#include "whole_warp.hpp"

// NOLINTBEGIN(performance-no-int-to-ptr): an address is a number in PTX
namespace nibble::simt::ptx {

namespace {

/// Far behind all shared memory.
constexpr unsigned long long kNowhere = 0xfff00000;

void must_be_aligned(const RefusedAccess& access) {
  if (reinterpret_cast<uptr>(access.address) % access.bytes == 0) return;
  stop_misaligned(access, "%u bytes at once need an address that is a multiple of %u", access.bytes,
                  access.bytes);
}

void look_at(const RefusedAccess& access, PtxAccess use) {
  must_be_aligned(access);
  if (use == PtxAccess::kVolatileLoad)
    return touch_past_caches(access.address, access.bytes, access.pc);
  touch(access.address, access.bytes, access.write, access.pc);
}

void refuse_named_barrier(unsigned barrier, const void* pc) {
  if (EngineFinding* finding = new_finding(Kind::kBarrierDivergence, pc)) {
    set_detail(*finding, "barrier %u does not run here: barrier 0 does, for all threads", barrier);
    publish(finding);
  }
  end_launch(kErrorLaunchFailure);
}

}  // namespace

unsigned long long shared_address(const void* pointer) {
  return is_shared_memory(pointer) ? reinterpret_cast<uptr>(pointer) - hot.arena : kNowhere;
}

void* shared_pointer(unsigned address) { return reinterpret_cast<void*>(hot.arena + address); }

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
  void* const pointer = reinterpret_cast<void*>(address);
  const RefusedAccess access{pointer, size, use == PtxAccess::kStore, pc};
  if (is_shared_memory(pointer)) {
    stop_not_global(access, "a pointer to shared memory, and the instruction is for global memory");
  }
  look_at(access, use);
  return pointer;
}

void block_barrier_of(unsigned barrier, const void* pc) {
  if (barrier != 0) refuse_named_barrier(barrier, pc);
  block_barrier(pc);
}

}  // namespace nibble::simt::ptx
// NOLINTEND(performance-no-int-to-ptr)
