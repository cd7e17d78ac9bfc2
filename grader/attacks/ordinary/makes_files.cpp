// attack: leaves files in the folder for temporary files
// rule: V2
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  const std::string name = "/tmp/nibble-attack-left-" + std::to_string(getpid());
  if (open(name.c_str(), O_CREAT | O_WRONLY, 0666) < 0) return;
  EFFECT("made a file");
  unlink(name.c_str());
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
