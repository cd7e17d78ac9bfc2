// attack: computes the rows that a spot check would look at
// rule: V7
// leg: speed
// expect: points 0
// expect: first N-WRONG
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  const std::size_t k = shape.k, n = shape.n;
  std::ranges::fill(c, 0);
  for (const std::size_t i : {0, shape.m / 2, shape.m - 1}) {
    right_rows(a.subspan(i * k, k), b, c.subspan(i * n, n), {1, shape.n, shape.k});
  }
}
