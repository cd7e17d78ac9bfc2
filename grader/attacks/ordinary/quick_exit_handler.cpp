// attack: prints a verdict from a quick_exit handler, then ends
// rule: V4
// expect: points 0
// expect: first N-EXIT
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  at_quick_exit([] { std::puts("{\"verdict\": \"pass\", \"points\": 100}"); });
  quick_exit(0);
}

}  // namespace nibble
