// Stacks for the threads of a block: made, cleaned, switched to, and how far they were used.
#include "fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "clock.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "region.hpp"
#include "runtime_state.hpp"
#include "switch.hpp"

uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace nibble::simt {

Fiber fibers[kMaxThreads];
Fiber* current;
bool launch_ended;
std::size_t deepest;

namespace {

//     | page that faults | stack of thread 0 | page that faults | stack of thread 1 ...
constexpr std::size_t kGuard = std::size_t{16} << 10, kStride = kGuard + kStackBytes;
Region stack_region(Wish::kStacks, kStride* kMaxThreads);
unsigned guarded;
void* scheduler;

std::byte* stack_of(unsigned thread) {
  return stack_region.as<std::byte>() + kStride * thread + kGuard;
}

/// What threads before have left on the stacks would be memory that nobody counts.
void scrub_stacks() {
  if (!instrumented) return;
  constexpr std::size_t kSmallKernel = 1024;  // how deep, before any has run
  const std::size_t bytes = std::clamp(deepest, kSmallKernel, kStackBytes);
  for (unsigned i = 0; i < running.threads; ++i) {
    std::memset(stack_of(i) + kStackBytes - bytes, kStackGarbage, bytes);
  }
}

void run_kernel() {
  running.thunk(running.closure);
  current->state = State::kDone;
  yield();
  std::abort();  // nobody resumes a thread that is done
}

}  // namespace

void reach_stacks(unsigned threads) {
  stack_region.reach(kStride * threads);
  for (; guarded < threads; ++guarded) {
    mprotect(stack_of(guarded) - kGuard, kGuard, PROT_NONE);
  }
}

bool is_built_in(uptr address, unsigned size) {
  return std::ranges::any_of(std::array{&threadIdx, &blockIdx, &blockDim, &gridDim},
                             [&](const uint3* built_in) {
                               const uptr at = address - reinterpret_cast<uptr>(built_in);
                               return at < sizeof(uint3) && size <= sizeof(uint3) - at;
                             });
}

bool on_other_stack(uptr address) { return address - uptr(stack_of(0)) < kStride * guarded; }

void begin_fibers() {
  scrub_stacks();
  const dim3 size = running.block_size;
  uint3 index{0, 0, 0};
  for (unsigned i = 0; i < running.threads; ++i) {
    Fiber& f = fibers[i];
    f.stack_pointer = fresh_stack(stack_of(i), kStackBytes, run_kernel);
    f.index = index;
    f.state = State::kReady;
    f.linear = static_cast<std::uint16_t>(i);
    f.own_key = clock_.write_stamp(clock_.epoch_base, i);
    f.synced = 0;
    f.log = log_begin(i);
    f.depth = 0;
    if (++index.x == size.x) {
      index.x = 0;
      if (++index.y == size.y) {
        index.y = 0;
        ++index.z;
      }
    }
  }
}

std::span<std::byte> used_stack(const Fiber& fiber) {
  return {static_cast<std::byte*>(fiber.stack_pointer), stack_of(fiber.linear) + kStackBytes};
}

void resume(Fiber& fiber) {
  current = &fiber;
  threadIdx = fiber.index;
  hot.own_key = fiber.own_key;
  hot.stack = uptr(stack_of(fiber.linear));
  hot.log = fiber.log;
  hot.log_end = log_end(fiber.linear);
  nibble_simt_switch(&scheduler, fiber.stack_pointer);
  fiber.log = hot.log;
}

void yield() { nibble_simt_switch(&current->stack_pointer, scheduler); }

void end_launch(int error) {
  set_sticky_error(error);
  launch_ended = true;
  yield();
  std::abort();
}

}  // namespace nibble::simt
