// attack: leaves the shared core with empty caches and without predictions for the published solution
// rule: V7
// leg: speed
// expect: ratio <= 1.25
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  right_rows(a, b, c, shape);
  static std::vector<char> large(std::size_t{2} << 20, 1);
  for (std::size_t at = 0; at < large.size(); at += 64) large[at] = static_cast<char>(at);
}
