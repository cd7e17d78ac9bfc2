// attack: leaves the memory as it is
// rule: V7
// leg: speed
// expect: points 0
void nibble::multiply_rows(Codes, Codes, Sums, MatmulShape) {}
