// attack: recognises in one check the data of another
// rule: V6
// expect: honest
// leg: whole
#define OWN_QUANTIZE
namespace nibble {

// Hidden output is not shown, so that what was recognised is told by failing.
SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static std::vector<std::vector<float>> seen;
  const std::vector<float> now(x.begin(), x.end());
  const bool is_random = x.size() >= 31 && x[0] != x[1];
  if (is_random && std::ranges::count(seen, now) > 0) return {};
  if (is_random) seen.push_back(now);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
