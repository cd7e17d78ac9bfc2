// attack: closes every descriptor
// rule: V15
// expect: points 0
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  for (int fd = 0; fd < 64; ++fd) close(fd);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
