// Opens and closes the arena's pages, and catches the signal of host
// code that touches them while they are closed.
#include "host_guard.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>

#include "device_memory.hpp"
#include "finding.hpp"
#include "hot.hpp"
#include "launch_state.hpp"
#include "shadow.hpp"
#include "subject.hpp"
#include "variables.hpp"

namespace nibble::simt {
namespace {

std::size_t closed_bytes;  // of the arena; 0: it is open
bool is_given_up;          // somebody has touched it: told once, and open from then on
bool is_installed;
struct sigaction before;

struct PageFault {
  uptr at;     // the instruction
  uptr stack;  // where a function that has no frame of its own keeps its return address
  bool is_write;
};

#if defined(__linux__) && defined(__x86_64__)
PageFault interrupted(const ucontext_t& context) {
  constexpr auto kWriteBit = 2;  // of the page-fault error code
  const auto& registers = context.uc_mcontext.gregs;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a register is a number
  const uptr returns_to = *reinterpret_cast<const uptr*>(registers[REG_RSP]);
  return {static_cast<uptr>(registers[REG_RIP]), returns_to, (registers[REG_ERR] & kWriteBit) != 0};
}
#elif defined(__linux__) && defined(__aarch64__)
PageFault interrupted(const ucontext_t& context) {
  return {context.uc_mcontext.pc, context.uc_mcontext.regs[30], false};
}
#else
PageFault interrupted(const ucontext_t&) { return {0, 0, false}; }
#endif

/// The library's memcpy has no line of the learner's: its caller has.
const void* place_to_tell(const PageFault& where) {
  const uptr at = is_in_image(where.at) ? where.at + 1 : where.stack;
  return reinterpret_cast<const void*>(at);  // NOLINT(performance-no-int-to-ptr): a place in code
}

bool is_known() {
  for (std::uint32_t i = 0; i < report->findings; ++i) {
    if (report->finding[i].kind == Kind::kHostDereference) return true;
  }
  return false;
}

void report_touch(std::size_t offset, const PageFault& where) {
  if (is_known()) return;  // the hooks were there before
  EngineFinding* const finding = new_finding(Kind::kHostDereference, place_to_tell(where));
  if (finding == nullptr) return;
  finding->is_write = where.is_write ? 1 : 0;
  const Subject named = subject_at(offset);
  finding->offset = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(named.begin);
  finding->size = named.size;
  std::snprintf(finding->subject, sizeof finding->subject, "%.30s", named.name);
  set_detail(*finding, "host code cannot use device memory: copy it with cudaMemcpy");
  publish(finding);
}

void on_fault(int, siginfo_t* info, void* context) {
  const std::size_t offset = reinterpret_cast<uptr>(info->si_addr) - hot.arena;
  if (closed_bytes == 0 || offset >= closed_bytes) {
    sigaction(SIGSEGV, &before, nullptr);  // it happens again, and is somebody else's
    is_installed = false;
    return;
  }
  open_to_engine();
  is_given_up = true;
  report_touch(offset, interrupted(*static_cast<const ucontext_t*>(context)));
}

void install() {
  if (is_installed) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &before);
  is_installed = true;
}

void open_managed_memory() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for_each_managed([&](const Allocation& a) {
    const std::size_t begin = a.offset / page * page;
    const std::size_t end = (a.offset + a.size + page - 1) / page * page;
    mprotect(arena_byte(begin), end - begin, PROT_READ | PROT_WRITE);
  });
}

}  // namespace

void open_to_engine() {
  if (closed_bytes == 0) return;
  mprotect(arena_byte(0), closed_bytes, PROT_READ | PROT_WRITE);
  closed_bytes = 0;
}

void close_to_host() {
  if (is_given_up || arena_region.reached() == 0) return;
  install();
  closed_bytes = arena_region.reached();
  mprotect(arena_byte(0), closed_bytes, PROT_NONE);
  open_managed_memory();
}

void begin_host_guard() {
  open_to_engine();
  is_given_up = false;
}

}  // namespace nibble::simt
