// box-init: the last trusted program before the untrusted one. It takes everything away that the
// other does not need, says so, and becomes it. The order matters: limits, privileges, Landlock,
// descriptors, seccomp, the word, exec.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>

#include "sandbox/filter.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/opening.hpp"

namespace {

using nibble::sandbox::Filter;
using nibble::sandbox::Landlock;

constexpr rlim_t kUnlimited = RLIM_INFINITY;
constexpr int kRunnersSocket = 5;

struct Options {
  rlim_t cpu_seconds = kUnlimited, address_space = kUnlimited, file_size = kUnlimited;
  rlim_t descriptors = kUnlimited, processes = kUnlimited, more_processes = kUnlimited;
  int opening = -1;  ///< where the word is said
  int program = -1;  ///< the executable, as a descriptor
  char** words = nullptr;
  Filter filter = Filter::kNone;
  bool landlock = false;
};

int opening = STDERR_FILENO;

/// The box is broken, and so is no submission.
[[noreturn]] void fail(const char* what, int error) {
  dprintf(opening, "box-init: %s: %s", what, strerror(error));
  _exit(EXIT_FAILURE);
}

void require(int error, const char* what) {
  if (error != 0) fail(what, error);
}

rlim_t* limit_called(Options& options, std::string_view name) {
  if (name == "--cpu") return &options.cpu_seconds;
  if (name == "--address-space") return &options.address_space;
  if (name == "--file-size") return &options.file_size;
  if (name == "--descriptors") return &options.descriptors;
  if (name == "--processes") return &options.processes;
  if (name == "--more-processes") return &options.more_processes;
  return nullptr;
}

Options parse(int argc, char** argv, Landlock& rules) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--landlock") {
      require(rules.create(), "Landlock is not in this kernel");
      options.landlock = true;
      continue;
    }
    if (i + 1 == argc) fail(argv[i], EINVAL);
    char* const value = argv[++i];
    if (name == "--") {
      options.words = argv + i;
      return options;
    }
    if (rlim_t* const limit = limit_called(options, name)) {
      *limit = strtoull(value, nullptr, 10);
    } else if (name == "--read") {
      require(rules.allow_reading(value), value);
    } else if (name == "--write") {
      require(rules.allow_writing(value), value);
    } else if (name == "--device") {
      require(rules.allow_device(value), value);
    } else if (name == "--opening") {
      opening = options.opening = atoi(value);
    } else if (name == "--program") {
      options.program = atoi(value);
    } else if (name != "--filter" || !nibble::sandbox::filter_from(value, options.filter)) {
      fail(argv[i - 1], EINVAL);
    }
  }
  return options;
}

/// All descriptors but those below the opening, the opening and the program, which exec closes.
void close_others(const Options& options) {
  const int last = options.program > options.opening ? options.program : options.opening;
  if (syscall(SYS_close_range, last + 1, ~0U, 0) != 0) {
    for (int fd = last + 1; fd < 1024; ++fd) close(fd);
  }
  for (const int fd : {options.opening, options.program}) {
    if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) fail("descriptor", errno);
  }
}

void limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  if (soft == kUnlimited) return;
  const rlimit both{soft, hard};
  if (setrlimit(resource, &both) != 0) fail("setrlimit", errno);
}

void limit(__rlimit_resource resource, rlim_t value) { limit(resource, value, value); }

/// How many processes and threads this user has now, as far as /proc shows them.
rlim_t processes_of_this_user() {
  DIR* const all = opendir("/proc");
  if (all == nullptr) return 0;
  rlim_t count = 0;
  while (const dirent* const entry = readdir(all)) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    char tasks[300];
    snprintf(tasks, sizeof tasks, "/proc/%s/task", entry->d_name);
    struct stat folder {};
    // The links of a folder are 2 and one for each folder in it: here one for each thread.
    if (stat(tasks, &folder) == 0 && folder.st_uid == getuid()) count += folder.st_nlink - 2;
  }
  closedir(all);
  return count;
}

void set_limits(const Options& options) {
  umask(options.filter == Filter::kTools ? 022 : 077);  // what is linked will run as another user
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_MSGQUEUE, 0);
  limit(RLIMIT_SIGPENDING, 256);
  limit(RLIMIT_CPU, options.cpu_seconds, options.cpu_seconds + 1);  // a signal that says why, first
  if (options.address_space != 0) limit(RLIMIT_AS, options.address_space);
  limit(RLIMIT_FSIZE, options.file_size);
  limit(RLIMIT_NOFILE, options.descriptors);
  // Counted by user: in a user namespace those of the box alone, elsewhere all that are there now.
  limit(RLIMIT_NPROC, options.processes);
  if (options.more_processes != kUnlimited) {
    limit(RLIMIT_NPROC, processes_of_this_user() + options.more_processes);
  }
}

/// What was started by root stays root by name, for files, and may nothing else that root may.
void drop_privileges() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs", errno);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  if (syscall(SYS_capset, &header, none) != 0) fail("capset", errno);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("death signal", errno);
}

/// Lays the words of the program where nobody can guess: the filter lets pass what is executed with
/// them. A descriptor would not tell the program from another that is put in its place,
/// a library's say.
char** hidden_words(const Options& options) {
  constexpr std::size_t kPage = 4096, kFew = 256;
  constexpr std::uint64_t kUsersPages = 0x3FFF'FFFF'F000, kPlacesInAPage = 0x7F0;
  static char name[] = "runner";
  static char* alone[] = {name, nullptr};
  char** const words = options.words != nullptr ? options.words : alone;
  if (options.filter == Filter::kTools) return words;  // may execute what it likes
  std::size_t count = 0;
  while (words[count] != nullptr) ++count;
  if (count >= kFew) fail(words[0], E2BIG);
  std::uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) fail("getrandom", errno);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing lies there yet
  void* const wanted = reinterpret_cast<void*>(random & kUsersPages);
  void* const page =
      mmap(wanted, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) fail("mmap", errno);
  char** const place =
      reinterpret_cast<char**>(static_cast<char*>(page) + ((random >> 48) & kPlacesInAPage));
  memcpy(place, words, (count + 1) * sizeof *words);
  return place;
}

[[noreturn]] void become_program(const Options& options, char** words) {
  char* nothing[] = {nullptr};
  char** const variables = options.words != nullptr ? environ : nothing;
  if (options.filter == Filter::kTools) {
    execvp(words[0], words);
  } else {
    syscall(SYS_execveat, options.program, "", words, variables, AT_EMPTY_PATH);
  }
  fail(words[0], errno);
}

}  // namespace

int main(int argc, char** argv) {
  Landlock rules;
  Options options = parse(argc, argv, rules);
  if (options.program < 0 && options.words == nullptr) fail("no program", EINVAL);
  if (options.program < 0 && options.filter != Filter::kTools) {
    // By descriptor: after the filter nothing can be executed by its name.
    const int program = open(options.words[0], O_RDONLY);
    if (program < 0) fail(options.words[0], errno);
    options.program = fcntl(program, F_DUPFD, options.opening + 1);
  }
  if (options.landlock && options.program >= 0) {
    require(rules.allow_executing(options.program), "Landlock rule");
  }
  // Where the grader works is nobody's business.
  if (options.words == nullptr && chdir("/") != 0) fail("chdir", errno);
  set_limits(options);
  drop_privileges();
  if (options.landlock) require(rules.enforce(), "Landlock");
  close_others(options);
  char** const words = hidden_words(options);
  const nibble::sandbox::FilterNeeds needs{options.program, reinterpret_cast<std::uintptr_t>(words),
                                           kRunnersSocket};
  require(nibble::sandbox::install(options.filter, needs), "seccomp");
  [[maybe_unused]] const ssize_t said = write(options.opening, &nibble::sandbox::kReady, 1);
  become_program(options, words);
}
