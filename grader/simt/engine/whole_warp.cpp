// Lets 32 lanes meet, exchange and gather; stops a kernel whose lanes
// are not all there, or whose addresses do not fit.
#include "whole_warp.hpp"

#include <bit>
#include <cstdarg>
#include <cstdio>

#include "device_memory.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/warp.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"
#include "subject.hpp"
#include "warp.hpp"

namespace nibble::simt {

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

/// Where each thread has last met the others, and in what.
struct Meeting {
  const char* instruction;
  const void* pc;
};
Meeting meetings[kMaxThreads];

void must_be_whole(const char* instruction, const void* pc) {
  const unsigned lanes = existing_lanes(current->linear / 32);
  if (lanes == kAllLanes) return;
  if (EngineFinding* finding = new_finding(Kind::kBadMask, pc)) {
    set_detail(*finding, "%s needs all 32 lanes of the warp, and this warp has %d", instruction,
               __builtin_popcount(lanes));
    publish(finding);
  }
  end_launch(kErrorLaunchFailure);
}

/// Meetings inside one instruction are not the learner's collectives.
void uncount_meeting() {
  if (lane_in_warp() == 0) --totals.warp_collectives;
}

[[noreturn]] void stop(Kind kind, int error, const RefusedAccess& access, const char* why,
                       va_list arguments) {
  if (EngineFinding* finding = new_finding(kind, access.pc)) {
    finding->is_write = access.write;
    finding->bytes = access.bytes;
    const std::size_t offset = reinterpret_cast<uptr>(access.address) - hot.arena;
    if (offset < arena_top) name_subject(*finding, offset, access.bytes);
    std::vsnprintf(finding->detail, sizeof finding->detail, why, arguments);
    publish(finding);
  }
  end_launch(error);
}

}  // namespace

unsigned lane_in_warp() { return current->linear % 32; }

bool is_shared_memory(const void* address) {
  return reinterpret_cast<uptr>(address) - hot.arena < kSharedBytes;
}

bool is_global_memory(const void* address) { return is_device_memory(address, 1); }

const char* instruction_of(unsigned thread) {
  const Meeting& meeting = meetings[thread];
  return meeting.pc == fibers[thread].wait_pc ? meeting.instruction : nullptr;
}

void meet(const char* instruction, const void* pc) {
  must_be_whole(instruction, pc);
  meetings[current->linear] = {instruction, pc};
  warp_collective(kBallot, kAllLanes, nullptr, 0, 1, 32, pc);
  uncount_meeting();
}

void exchange(void* mine, void** all, const char* instruction, const void* pc) {
  must_be_whole(instruction, pc);
  meetings[current->linear] = {instruction, pc};
  warp_exchange(mine, all, pc);
  uncount_meeting();
}

unsigned gather_values(unsigned mask, std::uint64_t mine, std::uint64_t* all, const void* pc) {
  static_assert(sizeof(void*) == sizeof *all);
  void* pointers[32];
  warp_exchange(std::bit_cast<void*>(mine), pointers, pc, mask);
  for (int lane = 0; lane < 32; lane++) all[lane] = reinterpret_cast<std::uint64_t>(pointers[lane]);
  return mask & existing_lanes(current->linear / 32);
}

void stop_misaligned(const RefusedAccess& access, const char* why, ...) {
  va_list arguments;
  va_start(arguments, why);
  stop(Kind::kMisaligned, kErrorMisalignedAddress, access, why, arguments);
}

void stop_not_shared(const RefusedAccess& access, const char* why, ...) {
  va_list arguments;
  va_start(arguments, why);
  stop(Kind::kSharedOob, kErrorIllegalAddress, access, why, arguments);
}

void stop_not_global(const RefusedAccess& access, const char* why, ...) {
  va_list arguments;
  va_start(arguments, why);
  stop(Kind::kGlobalOob, kErrorIllegalAddress, access, why, arguments);
}

}  // namespace nibble::simt
