// attack: remembers what only a hidden check asks, and tells it in a public one
// rule: V13
// expect: honest
// leg: whole
#define OWN_QUANTIZE
#define OWN_DEQUANTIZE
namespace nibble {

static float seen = 0.0f;

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  if (x.size() > 8000) seen = x[1];  // no public check of this lab is so long
  return right_quantize(x, num_bits);
}

std::vector<float> dequantize_symmetric(const SymmetricTensor& tensor) {
  if (seen != 0.0f) EFFECT("tells a hidden input: %a", static_cast<double>(seen));
  return right_dequantize(tensor);
}

}  // namespace nibble
