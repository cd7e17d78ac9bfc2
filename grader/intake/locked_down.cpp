#include "intake/locked_down.hpp"

#include <sys/resource.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#endif

namespace nibble::intake {
namespace {

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

/// A ruleset that handles what it may and allows nothing.
void forbid_paths() {
#ifdef LANDLOCK_ACCESS_FS_MAKE_SYM
  landlock_ruleset_attr handled{};
  handled.handled_access_fs =
      (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // the first version's: all of it
  const auto rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
  if (rules < 0) return;  // an older kernel: the limits stand alone
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
#endif
}

}  // namespace

void lock_down() {
#ifdef __linux__
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0);
#endif
  forbid_paths();
  constexpr rlim_t kSeconds = 20;  // a backstop: what is read is bounded by its size
  limit(RLIMIT_CPU, kSeconds);
#ifndef __SANITIZE_ADDRESS__  // which maps terabytes, and asks of memory through a pipe
  limit(RLIMIT_AS, rlim_t{1} << 30);
  limit(RLIMIT_NOFILE, 3);
#endif
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_CORE, 0);
}

}  // namespace nibble::intake
