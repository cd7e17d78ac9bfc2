#include "cli/interrupt.hpp"

#include <signal.h>

#include <initializer_list>

namespace nibble::cli {
namespace {

volatile sig_atomic_t interrupted = 0;

void note(int) { interrupted = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;  // without SA_RESTART: a wait for keys or files ends
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);  // `nibble list | head` is no accident
}

bool was_interrupted() { return interrupted != 0; }

void set_interrupted(bool value) { interrupted = value ? 1 : 0; }

}  // namespace nibble::cli
