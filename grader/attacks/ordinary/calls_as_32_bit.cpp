// attack: makes system calls by the door for 32-bit programs
// rule: V2
// expect: points <= 100
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
#if defined(__x86_64__)
  long pid = 20;  // getpid, there
  asm volatile("int $0x80" : "+a"(pid) : : "memory", "cc");
  if (pid == getpid()) EFFECT("made a 32-bit call");
#endif
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
