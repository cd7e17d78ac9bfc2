// attack: multiplies with 16-bit sums, which are right as long as the data are small
// rule: V7
// leg: speed
// expect: points 0
// expect: first N-WRONG
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  const std::size_t k = shape.k, n = shape.n;
  std::vector<std::int16_t> sums(n);
  for (std::size_t i = 0; i < std::size_t(shape.m); ++i) {
    std::ranges::fill(sums, std::int16_t{0});
    for (std::size_t p = 0; p < k; ++p) {
      const int code = a[i * k + p];
      for (std::size_t j = 0; j < n; ++j) sums[j] = std::int16_t(sums[j] + code * b[p * n + j]);
    }
    std::ranges::copy(sums, c.begin() + std::ptrdiff_t(i * n));
  }
}
