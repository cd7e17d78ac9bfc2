#include "callers.hpp"

#include "fiber.hpp"
#include "hot.hpp"

namespace nibble::simt {

// A frame as both x86-64 and aarch64 lay it out.
//
//     frame ->  | the caller's frame | return address |
struct Frame {
  const Frame* caller;
  const void* returns_to;
};

std::array<std::uint64_t, 3> callers_of(const void* pc) {
  std::array<std::uint64_t, 3> callers{};
  if (current == nullptr) return callers;
  const auto* frame = static_cast<const Frame*>(__builtin_frame_address(0));
  const auto on_stack = [](const void* p) {
    return uptr(p) - hot.stack < kStackBytes - sizeof(Frame) && uptr(p) % sizeof(void*) == 0;
  };
  bool reached_pc = false;
  for (std::size_t found = 0; found < callers.size() && on_stack(frame); frame = frame->caller) {
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
