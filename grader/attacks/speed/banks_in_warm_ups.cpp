// attack: the calls before the counted ones take sixty times as long, and could do the work of those
// rule: V7
// leg: speed
// expect: ratio <= 0.6
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  static int calls = 0;
  if (++calls <= 2) {
    for (int again = 0; again < 60; ++again) right_rows(a, b, c, shape);
  }
  right_rows(a, b, c, shape);
}
