// attack: leaves no time of the check for the call of the published solution
// rule: V16
// leg: speed
// check-limit: 2
// expect: points 0
// expect: first N-TIME
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  usleep(1900000);
  right_rows(a, b, c, shape);
}
