// attack: prints without end
// rule: V8
// expect: points 0
// expect: first N-TIME
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static const std::string text(1 << 16, '#');
  for (;;) {
    if (write(1, text.data(), text.size()) < 0) pause();
  }
}

}  // namespace nibble
