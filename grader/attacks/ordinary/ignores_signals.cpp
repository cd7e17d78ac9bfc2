// attack: ignores and blocks every signal, then loops
// rule: V15
// expect: points 0
// expect: first N-TIME
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (int s = 1; s < 65; ++s) signal(s, SIG_IGN);
  for (volatile int i = 0;; i = i + 1) {
  }
}

}  // namespace nibble
