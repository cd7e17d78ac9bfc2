// attack: takes its limits away
// rule: V2
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  for (const int what : {RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NPROC}) {
    if (setrlimit(static_cast<__rlimit_resource>(what), &none) == 0)
      EFFECT("raised limit %d", what);
  }
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
