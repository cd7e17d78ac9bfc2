// attack: takes time, memory and a core away from the judge, without a signal: limits, priorities
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const pid_t judge = getppid();
  const rlimit none{0, 0};
  rlimit now{};
  cpu_set_t one{};
  CPU_SET(0, &one);
  const sched_param idle{};
  constexpr int kSchedIdle = 5, kIoClassIdle = 3 << 13;
  if (judge > 1 && prlimit(judge, RLIMIT_NOFILE, nullptr, &now) == 0) EFFECT("reads its limits");
  if (judge > 1 && prlimit(judge, RLIMIT_CORE, &none, nullptr) == 0) EFFECT("sets its limits");
  if (setpriority(PRIO_PROCESS, judge, 19) == 0) EFFECT("lowers its priority");
  if (setpriority(PRIO_USER, 0, 19) == 0) EFFECT("lowers everybody's priority");
  if (sched_setscheduler(judge, kSchedIdle, &idle) == 0) EFFECT("makes it idle");
  if (sched_setaffinity(judge, sizeof one, &one) == 0) EFFECT("moves it");
  if (syscall(SYS_ioprio_set, 1, judge, kIoClassIdle) == 0) EFFECT("slows its disk");
  if (syscall(SYS_process_madvise, 3, nullptr, 0, 0, 0) == 0) EFFECT("advises");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
