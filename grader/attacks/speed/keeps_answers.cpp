// attack: keeps the answer of the first call, by the address of its question
// rule: V7
// leg: speed
// expect: points 0
// expect: first N-STALE
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  static std::vector<std::int32_t> kept;
  static const void* question = nullptr;
  if (question != a.data()) {
    right_rows(a, b, c, shape);
    kept.assign(c.begin(), c.end());
    question = a.data();
  }
  std::ranges::copy(kept, c.begin());
}
