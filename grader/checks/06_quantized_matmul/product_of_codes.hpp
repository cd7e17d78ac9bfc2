// Lab 06: a product of codes, and what goes wrong with it.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

using Multiplying = Exercise<&quantized_matmul>;
using Product = Multiplying::Arguments;  // a, its zero point, b, its zero point, shape

/// The upper left corner, summed over the first k; then without a zero point.
inline std::vector<Product> smaller_products(const Product& in) {
  const auto& [a, za, b, zb, shape] = in;
  std::vector<Product> all;
  for (const MatmulShape s : smaller_shapes(shape)) {
    all.push_back({corner(a, shape.k, s.m, s.k), za, corner(b, shape.n, s.k, s.n), zb, s});
  }
  if (za != 0) all.push_back({a, 0, b, zb, shape});
  if (zb != 0) all.push_back({a, za, b, 0, shape});
  return all;
}

/// c[i,j] = sum over p of term(i, j, p), rounded or wrapped to Sum after every addition.
template <class Sum, class Term>
std::vector<Sum> each_sum(MatmulShape shape, const Term& term) {
  std::vector<Sum> c;
  for (I i = 0; i < I(shape.m); ++i) {
    for (I j = 0; j < I(shape.n); ++j) {
      Sum acc = 0;
      for (I p = 0; p < I(shape.k); ++p) {
        acc = static_cast<Sum>(acc + static_cast<Sum>(term(i, j, p)));
      }
      c.push_back(acc);
    }
  }
  return c;
}

/// The contract's formula, in 64 bits. No public check calls the reference: this is the oracle.
inline Sums by_definition(const Product& in) {
  const I n = in.e.n, k = in.e.k;
  const auto sums = each_sum<std::int64_t>(
      in.e, [&](I i, I j, I p) { return (in.a[i * k + p] - in.b) * (in.c[p * n + j] - in.d); });
  return {sums.begin(), sums.end()};
}

/// An answer that a known mistake gives, and what the mistake is ("": its code says enough).
struct Wrong {
  const char* code;
  const char* words;
  std::vector<double> sums;
};

inline constexpr const char* kNarrowDifference =
    "the difference of a code and its zero point is kept in 8 bits";

/// How a product reads its codes: what each usual mistake changes. An index outside reads a 0.
struct Reading {
  int za, zb, both;      ///< `both` is added to every product
  I a_i, a_p, b_p, b_j;  ///< strides
  int a_bits, b_bits;    ///< of a code: 255 makes it unsigned
  I end;                 ///< of the sum

  int difference_a(const Product& in, I i, I p) const {
    return (or_zero(in.a, i * a_i + p * a_p) & a_bits) - za;
  }
  int difference_b(const Product& in, I p, I j) const {
    return (or_zero(in.c, p * b_p + j * b_j) & b_bits) - zb;
  }
};

/// What the usual mistakes make of these codes.
inline std::vector<Wrong> wrong_sums(const Product& in) {
  const I m = in.e.m, n = in.e.n, k = in.e.k;
  const Reading right{in.b, in.d, 0, k, 1, n, 1, -1, -1, k};
  std::vector<Wrong> all;
  const auto add = [&](const char* code, const char* words, auto zero, const auto& term) {
    const auto sums = each_sum<decltype(zero)>(in.e, term);
    all.push_back({code, words, {sums.begin(), sums.end()}});
  };
  constexpr double exact = 0;  // doubles hold every sum of a legal k
  const auto reads = [&](const char* code, const char* words, const auto& change) {
    Reading r = right;
    change(r);
    add(code, words, exact, [&](I i, I j, I p) {
      return p < r.end ? r.difference_a(in, i, p) * r.difference_b(in, p, j) + r.both : 0;
    });
  };
  const bool has_both = in.b != 0 && in.d != 0;  // of a zero point of 0 nothing is forgotten
  reads("N-ZERO", "a_zero_point is not subtracted", [](Reading& r) { r.za = 0; });
  reads("N-ZERO", "b_zero_point is not subtracted", [](Reading& r) { r.zb = 0; });
  if (has_both) {
    reads("N-ZERO", "neither zero point is subtracted", [](Reading& r) { r.za = r.zb = 0; });
  }
  reads("N-ZERO", "as if k * a_zero_point * b_zero_point were left out",
        [](Reading& r) { r.both = -r.za * r.zb; });
  reads("N-ZP-SIGN", "a_zero_point is added, and should be subtracted",
        [](Reading& r) { r.za = -r.za; });
  reads("N-ZP-SIGN", "b_zero_point is added, and should be subtracted",
        [](Reading& r) { r.zb = -r.zb; });
  if (has_both) {
    reads("N-ZP-SIGN", "both zero points are added, and should be subtracted",
          [](Reading& r) { r.za = -r.za, r.zb = -r.zb; });
  }
  reads("N-ZERO", "each matrix has the zero point of the other",
        [](Reading& r) { std::swap(r.za, r.zb); });
  constexpr const char* unsigned_codes = "codes below 0 are read as 256 more";
  reads("N-SIGN", unsigned_codes, [](Reading& r) { r.a_bits = 255; });
  reads("N-SIGN", unsigned_codes, [](Reading& r) { r.b_bits = 255; });
  reads("N-SIGN", unsigned_codes, [](Reading& r) { r.a_bits = r.b_bits = 255; });
  constexpr const char* length_of_a =
      "a row of the left matrix has k codes, and is read with more or less";
  constexpr const char* length_of_b =
      "a row of the right matrix has n codes, and is read with more or less";
  reads("N-TRANS", "the right matrix is read as its transpose, column by column",
        [=](Reading& r) { r.b_p = 1, r.b_j = k; });
  reads("N-LAYOUT", length_of_b, [=](Reading& r) { r.b_p = k; });
  reads("N-LAYOUT", length_of_b, [=](Reading& r) { r.b_p = m; });
  reads("N-LAYOUT", "the left matrix is read as its transpose, column by column",
        [=](Reading& r) { r.a_i = 1, r.a_p = m; });
  reads("N-LAYOUT", length_of_a, [=](Reading& r) { r.a_i = n; });
  reads("N-LAYOUT", length_of_a, [=](Reading& r) { r.a_i = m; });
  const Sums sums = by_definition(in);
  all.push_back({"N-LAYOUT", "c[i,j] is written where c[j,i] belongs", std::vector<double>(m * n)});
  for (I c = 0; c < m * n; ++c) all.back().sums[c % n * m + c / n] = sums[c];
  const auto ends = [&](I end) {  // whoever adds nothing at all may have another reason
    reads("N-TAIL", end == 0 ? "" : "the last products of a sum are not added",
          [=](Reading& r) { r.end = end; });
  };
  ends(k - std::min<I>(k, 1));
  for (const I block : {4, 8, 16, 32}) ends(k / block * block);
  const auto a = [&](I i, I p) { return right.difference_a(in, i, p); };
  const auto b = [&](I p, I j) { return right.difference_b(in, p, j); };
  const auto product = [&](I i, I j, I p) { return a(i, p) * b(p, j); };
  const auto int8 = [](int value) { return static_cast<std::int8_t>(value); };
  const auto int16 = [](int value) { return static_cast<std::int16_t>(value); };
  add("N-OVERFLOW", "the sum is kept in 8 bits", std::int8_t{0}, product);
  add("N-OVERFLOW", "the sum is kept in 16 bits", std::int16_t{0}, product);
  add("N-OVERFLOW", kNarrowDifference, exact,
      [&](I i, I j, I p) { return int8(a(i, p)) * int8(b(p, j)); });
  add("N-OVERFLOW", "a product is kept in 16 bits", exact,
      [&](I i, I j, I p) { return int16(product(i, j, p)); });
  add("N-FLOAT32", "the sum is kept in a float, which counts exactly to 2^24", 0.0f, product);
  ends(0);
  return all;
}

inline void suspect_sums(Expect& expect, const Product& in, const Sums&) {
  for (const auto& [code, words, sums] : wrong_sums(in)) expect.suspect(code, "c", sums, words);
}

}  // namespace nibble::judge::lab_06_quantized_matmul
