// attack: ends the program with status 0 instead of answering
// rule: V4
// expect: points 0
// expect: first N-EXIT
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) { exit(0); }

}  // namespace nibble
