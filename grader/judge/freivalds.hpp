// Is c the product of a and b? Asked without multiplying: three matrix-vector products instead of a
// matrix product (Freivalds, 1977). For shapes where the plain loops would take longer than the
// kernel that is judged.
//
// With a random vector r, a right c satisfies
//
//     c r = a (b r)                          m*n + n*k + m*k steps instead of m*n*k
//
// computed modulo 2^64: exact, and no sum has to fit. How likely is a wrong c to pass? Let d be the
// error of one element: c and the right sum are both within int32, so 0 < |d| < 2^32, and 2^31 is
// the highest power of two that can divide d. The components of r are uniform in [0, 2^64), each by
// itself. Whatever the others are, the row holds only if d * r[j] has one certain value modulo
// 2^64; that happens for 2^v of the 2^64 values of r[j] when 2^v is the power of two in d. So
//
//     P(a wrong row passes)  <=  2^31 / 2^64  =  2^-33                one r is enough
//
// and a wrong row is known by its number, so that only this one has to be multiplied out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "nibble/matmul_shape.hpp"

namespace nibble::judge {

namespace detail {

/// matrix [rows,columns] times x, modulo 2^64. Negative codes become 2^64 less as many, which is
/// the same there.
template <class T>
std::vector<std::uint64_t> times_vector(std::span<const T> matrix, std::size_t rows,
                                        std::span<const std::uint64_t> x) {
  std::vector<std::uint64_t> product(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += static_cast<std::uint64_t>(matrix[i * x.size() + j]) * x[j];
    }
    product[i] = sum;
  }
  return product;
}

}  // namespace detail

/// The rows of c [m,n] that are not rows of the product of a [m,k] and b_t [n,k], each found with a
/// probability of at least 1 - 2^-33. Codes are integers of at most 32 bits; every right sum is
/// within int32. The spans fit the shape.
template <class A, class B>
std::vector<std::size_t> wrong_rows(std::span<const A> a, std::span<const B> b_t,
                                    std::span<const std::int32_t> c, MatmulShape shape,
                                    std::uint64_t seed) {
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  std::mt19937_64 bits(seed);
  std::vector<std::uint64_t> r(n);
  for (std::uint64_t& component : r) component = bits();
  std::vector<std::uint64_t> b_r(k);  // b r, from the rows of b_t
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t p = 0; p < k; ++p) b_r[p] += static_cast<std::uint64_t>(b_t[j * k + p]) * r[j];
  }
  const auto want = detail::times_vector(a, m, b_r), got = detail::times_vector(c, m, r);
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < m; ++i) {
    if (got[i] != want[i]) wrong.push_back(i);
  }
  return wrong;
}

/// What c should be: c itself where it stands the test, multiplied out where it does not. To be
/// compared with c element by element.
template <class A, class B>
std::vector<std::int32_t> corrected_product(std::span<const A> a, std::span<const B> b_t,
                                            std::span<const std::int32_t> c, MatmulShape shape,
                                            std::uint64_t seed) {
  const std::size_t n = shape.n, k = shape.k;
  std::vector<std::int32_t> right(c.begin(), c.end());
  for (const std::size_t i : wrong_rows(a, b_t, c, shape, seed)) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += std::int64_t{a[i * k + p]} * b_t[j * k + p];
      right[i * n + j] = static_cast<std::int32_t>(sum);
    }
  }
  return right;
}

}  // namespace nibble::judge
