// The lists of system calls, of which a program's filter is made:
// allowed to a runner, or denied to a tool.
#include "sandbox/filter.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace nibble::sandbox {
namespace {

constexpr int kWithPaths[] = {SCMP_SYS(open),     SCMP_SYS(openat),     SCMP_SYS(stat),
                              SCMP_SYS(lstat),    SCMP_SYS(newfstatat), SCMP_SYS(statx),
                              SCMP_SYS(access),   SCMP_SYS(faccessat),  SCMP_SYS(faccessat2),
                              SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64),
                              SCMP_SYS(getcwd)};

constexpr int kHarmless[] = {
    // descriptors it already has
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64),
    SCMP_SYS(pwrite64), SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(fstat),
    SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(select), SCMP_SYS(pselect6),
    // its own memory
    SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk),
    SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(membarrier),
    // its own thread and signals
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list),
    SCMP_SYS(set_tid_address), SCMP_SYS(rseq), SCMP_SYS(arch_prctl), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu), SCMP_SYS(restart_syscall), SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    // clocks, random numbers, who am I
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage),
    SCMP_SYS(getrandom), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getppid), SCMP_SYS(getuid),
    SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(sysinfo)};

constexpr int kNotForTools[] = {
    // other processes; a group of its own would outlive the group that is ended
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(kill), SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(setsid), SCMP_SYS(setpgid),
    // namespaces, mounts
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(chroot), SCMP_SYS(pivot_root), SCMP_SYS(mount),
    SCMP_SYS(umount2), SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(mount_setattr),
    SCMP_SYS(fsopen), SCMP_SYS(fspick), SCMP_SYS(fsmount), SCMP_SYS(fsconfig),
    SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
    // what outlives a process or is shared between users
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(mq_open), SCMP_SYS(shmget),
    SCMP_SYS(semget), SCMP_SYS(msgget), SCMP_SYS(flock), SCMP_SYS(socket),
    // kernel surface
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(personality), SCMP_SYS(quotactl), SCMP_SYS(acct),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(reboot), SCMP_SYS(syslog), SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex),
    SCMP_SYS(clock_adjtime), SCMP_SYS(fanotify_init), SCMP_SYS(vhangup)};

/// Adds rules to a filter and remembers the first that failed.
class Rules {
 public:
  explicit Rules(std::uint32_t otherwise) : context_(seccomp_init(otherwise)) {}
  ~Rules() { seccomp_release(context_); }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  template <typename... Comparisons>
  void add(std::uint32_t action, int call, Comparisons... arguments) {
    if (error_ == 0 && context_ != nullptr) {
      error_ = -seccomp_rule_add(context_, action, call, sizeof...(arguments), arguments...);
    }
  }

  int load() {
    if (context_ == nullptr) return ENOMEM;
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2);                     // a binary tree
    seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);  // 32-bit calls
    return error_ != 0 ? error_ : -seccomp_load(context_);
  }

 private:
  scmp_filter_ctx context_;
  int error_ = 0;
};

constexpr scmp_datum_t datum(auto value) { return static_cast<scmp_datum_t>(value); }

// What a rule asks of one argument of a call, by its number.
constexpr scmp_arg_cmp equals(unsigned argument, auto value) {
  return {argument, SCMP_CMP_EQ, datum(value), 0};
}
constexpr scmp_arg_cmp differs(unsigned argument, auto value) {
  return {argument, SCMP_CMP_NE, datum(value), 0};
}
constexpr scmp_arg_cmp masked(unsigned argument, auto mask, auto value) {
  return {argument, SCMP_CMP_MASKED_EQ, datum(mask), datum(value)};
}

int install_allow_list(bool paths, FilterNeeds needs) {
  Rules rules(SCMP_ACT_ERRNO(EPERM));
  for (const int call : kHarmless) rules.add(SCMP_ACT_ALLOW, call);
  if (paths) {
    for (const int call : kWithPaths) rules.add(SCMP_ACT_ALLOW, call);
  }
  // No process and no thread, as the limit on them says. clone3 hides its flags in memory: "not
  // there" makes libc take the other way.
  for (const int call : {SCMP_SYS(clone), SCMP_SYS(fork), SCMP_SYS(vfork)}) {
    rules.add(SCMP_ACT_ERRNO(EAGAIN), call);
  }
  rules.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(execveat), equals(0, needs.program_fd), equals(2, needs.words),
            equals(4, AT_EMPTY_PATH));
  // The judge's socket, and never a message with descriptors in it.
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(recvfrom), equals(0, needs.socket_fd));
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(sendto), equals(0, needs.socket_fd), equals(4, 0));
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), equals(0, 0),
            equals(2, 0));  // read its own limits, never set
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(getrlimit));
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill), equals(0, getpid()));  // abort()
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), equals(1, TCGETS));     // isatty()
  rules.add(SCMP_ACT_ALLOW, SCMP_SYS(prctl), equals(0, PR_SET_DUMPABLE), equals(1, 0));
  // Never F_SETOWN and F_SETSIG: with them the kernel sends the judge any signal, SIGKILL too.
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL}) {
    rules.add(SCMP_ACT_ALLOW, SCMP_SYS(fcntl), equals(1, command));
  }
  return rules.load();
}

/// What neither a compiler nor a GPU's driver needs.
void deny_what_nobody_needs(Rules& rules) {
  for (const int call : kNotForTools) rules.add(SCMP_ACT_ERRNO(EPERM), call);
  rules.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  for (const int flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                         CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), masked(0, flag, flag));
  }
  for (const int signal : {SIGKILL, SIGSTOP}) {  // abort() needs tgkill, and neither of these
    rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), equals(2, signal));
  }
  for (const unsigned request : {TIOCSTI, TIOCLINUX}) {  // typing into the instructor's terminal
    rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), masked(1, 0xFFFF'FFFFu, request));
  }
  for (const int command : {F_SETOWN, F_SETSIG, F_SETOWN_EX}) {
    rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), equals(1, command));
  }
}

int install_for_tools() {
  Rules rules(SCMP_ACT_ALLOW);
  deny_what_nobody_needs(rules);
  return rules.load();
}

int install_for_gpu(FilterNeeds needs) {
  Rules rules(SCMP_ACT_ALLOW);
  deny_what_nobody_needs(rules);
  for (const int call : {SCMP_SYS(fork), SCMP_SYS(vfork)}) rules.add(SCMP_ACT_ERRNO(EAGAIN), call);
  rules.add(SCMP_ACT_ERRNO(EAGAIN), SCMP_SYS(clone), masked(0, CLONE_THREAD, 0));  // threads only
  rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(execve));
  rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(execveat), differs(0, needs.program_fd));
  rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(execveat), differs(2, needs.words));
  rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), differs(0, getpid()));
  rules.add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socketpair));
  return rules.load();
}

}  // namespace

bool filter_from(std::string_view name, Filter& filter) {
  if (name == "run") filter = Filter::kRun;
  if (name == "no-paths") filter = Filter::kNoPaths;
  if (name == "tools") filter = Filter::kTools;
  if (name == "gpu") filter = Filter::kGpu;
  return name == "run" || name == "no-paths" || name == "tools" || name == "gpu";
}

int install(Filter filter, FilterNeeds needs) {
  if (filter == Filter::kNone) return 0;
  if (filter == Filter::kTools) return install_for_tools();
  if (filter == Filter::kGpu) return install_for_gpu(needs);
  return install_allow_list(filter == Filter::kRun, needs);
}

}  // namespace nibble::sandbox
