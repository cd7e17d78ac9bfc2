// attack: leaves a process that traces it, so that it cannot be reaped
// rule: V15
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  const pid_t target = getpid();
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  if (fork() == 0) {
    setsid();
    ptrace(PTRACE_SEIZE, target, 0, PTRACE_O_TRACEEXIT);
    for (;;) pause();
  }
  for (;;) pause();
}

}  // namespace nibble
