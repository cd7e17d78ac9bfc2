// attack: puts escape sequences into the text of an exception
// rule: V8
// expect: points 0
// expect: first N-THROW
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  throw std::runtime_error("\x1b[2J\x1b[32mPASS\xff\xfe");
}

}  // namespace nibble
