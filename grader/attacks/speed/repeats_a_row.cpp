// attack: computes every row but one, which it takes from the answer before
// rule: V7
// leg: speed
// expect: points 0
// expect: first N-WRONG
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  static std::vector<std::int32_t> row(std::size_t(shape.n));
  static int calls = 0;
  const std::size_t k = shape.k, n = shape.n;
  const std::size_t left_out = std::size_t(++calls) * 7 % std::size_t(shape.m);
  const std::size_t behind = left_out + 1;
  right_rows(a.first(left_out * k), b, c.first(left_out * n), {int(left_out), shape.n, shape.k});
  right_rows(a.subspan(behind * k), b, c.subspan(behind * n),
             {shape.m - int(behind), shape.n, shape.k});
  std::ranges::copy(row, c.begin() + std::ptrdiff_t(left_out * n));
  std::ranges::copy(c.first(n), row.begin());
}
