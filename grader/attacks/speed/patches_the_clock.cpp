// attack: sets the clock, has a clock of its own, and asks for coarser time
// rule: V7
// leg: speed
// expect: ratio <= 1.25
extern "C" int clock_gettime(clockid_t, timespec* time) noexcept {
  *time = {0, 0};
  return 0;
}
extern "C" clock_t clock() noexcept { return 0; }

void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  const timespec past{1, 0};
  for (const clockid_t id : {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID}) {
    clock_settime(id, &past);
  }
  timex slow{};
  slow.modes = ADJ_TICK;
  slow.tick = 9000;
  adjtimex(&slow);
  prctl(PR_SET_TIMERSLACK, 1000000000);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  right_rows(a, b, c, shape);
}
