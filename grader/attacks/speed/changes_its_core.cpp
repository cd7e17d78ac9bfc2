// attack: leaves the core that both sides share, and asks for a better place in the queue
// rule: V7
// leg: speed
// expect: ratio <= 1.25
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &all);
  sched_setaffinity(0, sizeof all, &all);
  const sched_param first{1};
  sched_setscheduler(0, SCHED_FIFO, &first);
  setpriority(PRIO_PROCESS, 0, -20);
  sched_yield();
  right_rows(a, b, c, shape);
}
