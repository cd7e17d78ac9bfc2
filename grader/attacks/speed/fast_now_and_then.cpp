// attack: two calls of three take four times as long, and could do what makes the third one fast
// rule: V7
// leg: speed
// expect: ratio <= 0.6
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  static int calls = 0;
  if (++calls % 3 != 0) {
    for (int again = 0; again < 3; ++again) right_rows(a, b, c, shape);
  }
  right_rows(a, b, c, shape);
}
