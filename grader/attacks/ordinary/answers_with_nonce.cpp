// attack: finds the nonce on the stack, answers itself and ends
// rule: V4
// expect: points 0
// expect: first N-EXIT
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  const auto* const here = static_cast<const std::uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 400; ++i) {  // a nonce, which is no address; function 2
    if (here[i] >> 48 == 0 || here[i + 1] != 2) continue;
    const Answer answer{here[i], 0, 0, {}};
    send(5, &answer, sizeof answer, 0);
    break;
  }
  _exit(0);
}

}  // namespace nibble
