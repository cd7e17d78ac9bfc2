// attack: ends by _exit, which runs no handler
// rule: V4
// expect: points 0
// expect: first N-EXIT
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) { _exit(0); }

}  // namespace nibble
