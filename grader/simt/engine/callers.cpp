#include "callers.hpp"

#include "fiber.hpp"
#include "hot.hpp"

#ifdef __GLIBC__
extern "C" void* __libc_stack_end;  // not weak: mold leaves such a one null
#endif

namespace nibble::simt {

// A frame as both x86-64 and aarch64 lay it out.
//
//     frame ->  | the caller's frame | return address |
struct Frame {
  const Frame* caller;
  const void* returns_to;
};

namespace {

/// Of the running thread; of host code, from here to where the process began, if that is known.
struct Stack {
  uptr begin, size;

  bool holds(const Frame* frame) const {
    return uptr(frame) - begin < size && uptr(frame) % sizeof(void*) == 0;
  }
};

Stack stack_above(const Frame* frame) {
  if (current != nullptr) return {hot.stack, kStackBytes - sizeof(Frame)};
#ifdef __GLIBC__
  const uptr begin = uptr(frame), end = uptr(__libc_stack_end) - sizeof(Frame);
  return {begin, begin < end ? end - begin : 0};
#else
  return {0, 0};
#endif
}

}  // namespace

std::array<std::uint64_t, kCallers> callers_of(const void* pc) {
  std::array<std::uint64_t, kCallers> callers{};
  const auto* frame = static_cast<const Frame*>(__builtin_frame_address(0));
  const Stack stack = stack_above(frame);
  bool reached_pc = false;
  for (std::size_t found = 0; found < callers.size() && stack.holds(frame); frame = frame->caller) {
    if (reached_pc) {
      callers[found++] = place_of(frame->returns_to);
    } else {
      reached_pc = frame->returns_to == pc;
    }
    if (frame->caller <= frame) break;
  }
  return callers;
}

}  // namespace nibble::simt
