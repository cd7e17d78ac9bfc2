// attack: runs what it wrote into its outputs
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const char script[] = "#!/bin/echo EFFECT";
  void* const out = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
  if (out == MAP_FAILED) return;
  char kept[sizeof script];
  memcpy(kept, out, sizeof kept);
  memcpy(out, script, sizeof script);
  char name[] = "x";
  char* words[] = {name, nullptr};
  char* nothing[] = {nullptr};
  syscall(SYS_execveat, 4, "", words, nothing, AT_EMPTY_PATH);
  memcpy(out, kept, sizeof kept);
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
