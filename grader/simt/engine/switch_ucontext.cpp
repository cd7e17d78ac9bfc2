// The slow way, for processors without a switch of their own.
#if (!defined(__x86_64__) && !defined(__aarch64__)) || defined(NIBBLE_SIMT_UCONTEXT)
#include <ucontext.h>

#include <new>

#include "switch.hpp"

namespace nibble::simt {
namespace {

ucontext_t* running_context;
ucontext_t first_context;

}  // namespace

extern "C" void nibble_simt_switch(void** save, void* load) {
  if (running_context == nullptr) running_context = &first_context;
  ucontext_t* const from = running_context;
  *save = from;
  running_context = static_cast<ucontext_t*>(load);
  swapcontext(from, running_context);
}

void* fresh_stack(void* bottom, std::size_t bytes, void (*entry)()) {
  auto* const context = new (bottom) ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = static_cast<char*>(bottom) + sizeof *context;
  context->uc_stack.ss_size = bytes - sizeof *context;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}

}  // namespace nibble::simt
#endif
