#include "runner/crash_note.hpp"

#include <signal.h>

#include <array>
#include <cstdint>

#include "protocol/arena.hpp"
#include "protocol/message.hpp"

namespace nibble::runner {
namespace {

using protocol::CrashNote;

const std::byte* inputs_begin = nullptr;
std::byte* outputs_begin = nullptr;

struct FaultedAccess {
  std::uint32_t was_write;
  std::uintptr_t stack_pointer;
};

#if defined(__linux__) && defined(__x86_64__)
FaultedAccess access_of(const ucontext_t& context) {
  constexpr auto kWriteBit = 2;  // of the page-fault error code
  return {(context.uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0 ? 1u : 0u,
          static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP])};
}
#else
FaultedAccess access_of(const ucontext_t&) { return {2, 0}; }
#endif

bool lies_in(std::uintptr_t address, const std::byte* arena) {
  const auto begin = reinterpret_cast<std::uintptr_t>(arena);
  return begin <= address && address < begin + protocol::kArenaBytes;
}

void leave_note(int signal, siginfo_t* info, void* context) {
  auto* const note = reinterpret_cast<CrashNote*>(outputs_begin + protocol::kNoteOffset);
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const FaultedAccess access = access_of(*static_cast<const ucontext_t*>(context));
  note->signal = static_cast<std::uint32_t>(signal);
  note->was_write = access.was_write;
  note->place = CrashNote::kElsewhere;
  if (lies_in(address, inputs_begin)) {
    note->place = CrashNote::kInput;
    note->offset = address - reinterpret_cast<std::uintptr_t>(inputs_begin);
  } else if (lies_in(address, outputs_begin)) {
    note->place = CrashNote::kOutput;
    note->offset = address - reinterpret_cast<std::uintptr_t>(outputs_begin);
  } else if (signal == SIGSEGV && access.stack_pointer - address + 65536 < 131072) {
    note->place = CrashNote::kStack;  // within 64 KiB of the stack pointer: it ran out of stack
  }
  note->magic = CrashNote::kMagic;
  raise(signal);  // SA_RESETHAND: the default action, with the signal's own number
}

}  // namespace

void note_crashes(const std::byte* inputs, std::byte* outputs) {
  inputs_begin = inputs;
  outputs_begin = outputs;
  alignas(16) static std::array<std::byte, 65536> stack;  // a stack overflow leaves no other
  stack_t alternate{};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  sigaltstack(&alternate, nullptr);

  struct sigaction action {};
  action.sa_sigaction = leave_note;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace nibble::runner
