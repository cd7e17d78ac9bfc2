// A product of two matrices of integers as a case of a check, however its exercise stores the
// operands: what is right, what is smaller, and the cases that every lab of products tries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "judge/matmul_cases.hpp"
#include "judge/run.hpp"
#include "judge/show.hpp"
#include "judge/tensors.hpp"
#include "nibble/matmul_shape.hpp"

namespace nibble::judge {

/// The operands of a product, both along k.
struct Product {
  std::string name;
  MatmulShape shape;
  Codes a, b_t;             ///< [m,k], [n,k]
  int step = 1;             ///< k is a multiple of it, and stays one
  int spare = 0;            ///< of rows that are padded: how much more than they need be
  std::uint64_t noise = 0;  ///< the seed of what is behind them; 0: zeros

  std::size_t outputs() const { return std::size_t(shape.m) * std::size_t(shape.n); }
};

inline std::string show_size(const Product& c) { return "m x n x k = " + size_text(c.shape); }
inline std::string show(const Product& c) {
  return show_size(c) +
         (c.spare > 0 ? ", rows " + std::to_string(c.spare) + " longer than they need be" : "") +
         (c.noise != 0 ? " (noise behind k)" : "") + ", a = " + show_values(c.a) +
         ", b_t = " + show_values(c.b_t);
}

inline std::vector<Product> smaller(const Product& c) {
  std::vector<Product> all;
  for (const MatmulShape to : smaller_shapes(c.shape, c.step)) {
    all.push_back({size_text(to), to, corner(c.a, c.shape.k, to.m, to.k),
                   corner(c.b_t, c.shape.k, to.n, to.k), c.step, c.spare, c.noise});
  }
  return all;
}

/// c[i,j] = sum over p < k of a[i,p] * b_t[j,p], of rows that are `pitch` codes apart, and with
/// codes that are read as Code. Wrong sums may wrap around; the right ones never do.
template <class Code = std::int8_t>
Sums sums_of(const Codes& a, const Codes& b_t, MatmulShape shape, int pitch) {
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  Sums sums(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::int8_t* const row = a.data() + i * pitch;
      const std::int8_t* const column = b_t.data() + j * pitch;
      std::uint32_t sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += std::uint32_t(Code(row[p]) * Code(column[p]));
      sums[i * n + j] = std::int32_t(sum);
    }
  }
  return sums;
}

inline Sums by_definition(const Product& c) { return sums_of(c.a, c.b_t, c.shape, c.shape.k); }

/// Rows of k codes as they lie in `memory`, `pitch` codes apart.
inline Codes padded(const Codes& rows, int k, int pitch, Codes memory) {
  for (std::size_t at = 0; at < rows.size(); ++at) memory.at(at / k * pitch + at % k) = rows[at];
  return memory;
}

/// Codes [rows,columns], transposed: b_t [n,k] as b [k,n], or the other way round.
inline Codes turned(const Codes& x, int rows, int columns) {
  Codes all(x.size());
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      all[std::size_t(column) * rows + row] = x[std::size_t(row) * columns + column];
    }
  }
  return all;
}

// --- Cases ---------------------------------------------------------------------------------------

inline Product random_product(MatmulShape s, std::uint64_t seed) {
  const auto codes = [&](int rows, std::uint64_t salt) {
    return code_tensor<std::int8_t>(std::size_t(rows) * s.k, seed + salt, -128, 127);
  };
  return {size_text(s), s, codes(s.m, 0), codes(s.n, 1)};
}

inline std::vector<Product> random_products(const std::vector<MatmulShape>& shapes,
                                            std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<Product> cases;
  for (const MatmulShape s : shapes) {
    const std::uint64_t salt = (std::uint64_t(s.m) << 40) + (std::uint64_t(s.n) << 20) + s.k;
    cases.push_back(random_product(s, seeds(salt)));
  }
  return cases;
}

inline Product constant_product(std::string name, MatmulShape s, int a, int b) {
  return {std::move(name), s, Codes(std::size_t(s.m) * s.k, std::int8_t(a)),
          Codes(std::size_t(s.n) * s.k, std::int8_t(b))};
}

/// Without k, and without rows or columns. And a sum that is not 0: nobody earns this with zeros.
inline std::vector<Product> empty_products(int k) {
  return {constant_product("NoK", {2, 3, 0}, 1, 1), constant_product("NoRows", {0, 3, k}, 1, 1),
          constant_product("NoColumns", {2, 0, k}, 1, 1),
          constant_product("NotEmpty", {1, 2, k}, 1, 1)};
}

/// The ends of the codes against each other: pairs of products leave int16 up and down.
inline std::vector<Product> extreme_products(MatmulShape s) {
  return {constant_product("LowestByLowest", s, -128, -128),
          constant_product("LowestByHighest", s, -128, 127),
          constant_product("HighestByLowest", s, 127, -128),
          constant_product("HighestByHighest", s, 127, 127)};
}

/// A pair of (-128)^2 and three of 127^2 leave int16. 2001 * 127^2 is odd and above 2^24: no
/// float32 holds it. The longest k there is ends 2^14 short of 2^31.
inline std::vector<Product> long_products(int m, int n) {
  std::vector<Product> cases;
  const auto add = [&](const char* what, int k, int a, int b) {
    const std::string name = what + std::to_string(m) + "x" + std::to_string(n);
    cases.push_back(constant_product(name, {m, n, k}, a, b));
  };
  add("PastPairs", 2, -128, -128);
  add("PastInt16", 3, 127, 127);
  add("PastFloat32", 2001, 127, 127);
  add("LongestNegative", 131071, 127, -128);
  add("Longest", 131071, -128, -128);
  return cases;
}

/// How many elements a call hands over: `what` is wrong with them.
struct WrongSizes {
  const char *code, *what;
  std::size_t a, b, c;
  MatmulShape shape;
};

/// What no product takes. b_size(shape): of a right b. Lists are too long, not too short: who
/// forgets to look still reads what is there.
template <class SizeOfB>
std::vector<WrongSizes> wrong_sizes(MatmulShape s, const SizeOfB& b_size, std::size_t more_b = 1) {
  const MatmulShape longer{1, 1, 131072};
  const std::size_t a = std::size_t(s.m) * s.k, b = b_size(s), c = std::size_t(s.m) * s.n;
  return {{"N-SIZE", "an a that is too long", a + 1, b, c, s},
          {"N-SIZE", "a b that is too long", a, b + more_b, c, s},
          {"N-SIZE", "a c that is too long", a, b, c + 1, s},
          {"N-SIZE", "m = -1", 0, 0, 0, {-1, 0, 0}},
          {"N-SIZE", "n = -1", 0, 0, 0, {0, -1, 0}},
          {"N-SIZE", "k = -1", 0, 0, 0, {0, 0, -1}},
          {"N-OVERFLOW", "k = 131072: int8 codes exist whose sum is not an int32", 131072,
           b_size(longer), 1, longer}};
}

/// c[i,j] = (i - 3) * (2 j + 1), at place `at` of k: shows to which row and column a sum went.
inline Product table_of_products(int m, int n, int k = 1, int at = 0) {
  Product c = constant_product("TableOfProducts", {m, n, k}, 0, 9);
  for (int i = 0; i < m; ++i) c.a[std::size_t(i) * k + at] = std::int8_t(i - 3);
  for (int j = 0; j < n; ++j) c.b_t[std::size_t(j) * k + at] = std::int8_t(2 * j + 1);
  return c;
}

}  // namespace nibble::judge
