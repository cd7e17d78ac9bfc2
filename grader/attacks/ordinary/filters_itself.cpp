// attack: puts a filter on its own system calls
// rule: V4
// expect: honest
#include <linux/filter.h>
#include <linux/seccomp.h>
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  sock_filter all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  sock_fprog program{1, all};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
