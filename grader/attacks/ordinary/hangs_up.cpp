// attack: shuts the socket down and lives on
// rule: V15
// expect: points 0
// expect: first N-PROTOCOL
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  shutdown(5, SHUT_RDWR);
  close(5);
  sleep(100);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
