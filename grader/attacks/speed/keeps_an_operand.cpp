// attack: makes something of the operand that is the same in every call, and never looks at it again
// rule: V7
// leg: speed
// expect: points 0
// expect: first N-WRONG
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  static std::vector<std::int8_t> kept;
  if (kept.size() != b.size()) kept.assign(b.begin(), b.end());
  right_rows(a, kept, c, shape);
}
