// Lab 14, multiply_zero_points: what is right, and what people write instead.
#pragma once

#include "cpu_int8_gemm.hpp"

#include "checks/14_cpu_int8_gemm/layout_of_b.hpp"
#include "checks/14_cpu_int8_gemm/usual_mistakes.hpp"
#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

struct ShiftedProduct : Product {
  ZeroPoints zero_points{0, 0};
};

inline std::string show(const ShiftedProduct& c) {
  return show(static_cast<const Product&>(c)) + ", zero points " + std::to_string(c.zero_points.a) +
         " and " + std::to_string(c.zero_points.b);
}

inline std::vector<ShiftedProduct> smaller(const ShiftedProduct& c) {
  return each_of(smaller(static_cast<const Product&>(c)), [&](const Product& of) {
    return ShiftedProduct{of, c.zero_points};
  });
}

inline Sums column_sums(const Product& c) {
  Sums sums(c.shape.n);
  for (std::size_t at = 0; at < c.b_t.size(); ++at) sums[at / c.shape.k] += c.b_t[at];
  return sums;
}

/// The contract's formula, in 64 bits.
inline Sums shifted_sums(const ShiftedProduct& c) {
  const std::size_t k = c.shape.k;
  const auto sums = each_sum(c.shape, [&](auto i, auto j, auto p) {
    return (c.a[i * k + p] - c.zero_points.a) * (c.b_t[j * k + p] - c.zero_points.b);
  });
  return {sums.begin(), sums.end()};
}

/// Which signs are wrong: bit 0 that of a's zero point times sums of columns, bit 1 that of b's
/// times sums of rows, bit 2 that of both. Where one zero point has another sign, two terms have.
inline constexpr std::array<const char*, 7> kWrongSigns{
    "zero_points.a * column_sums[j] is added, and should be subtracted",
    "zero_points.b times the sum of a row is added, and should be subtracted",
    "both zero points are added, and should be subtracted",
    "k * zero_points.a * zero_points.b is subtracted, and should be added",
    "zero_points.a is added, and should be subtracted",
    "zero_points.b is added, and should be subtracted",
    "all terms with zero points have the wrong sign"};

/// What comes out when one of the four terms is missing, has the wrong sign or the wrong partner.
inline void suspect_terms(Expect& expect, const ShiftedProduct& c) {
  const std::size_t n = c.shape.n, k = c.shape.k;
  const int za = c.zero_points.a, zb = c.zero_points.b;
  const auto terms = [&](const char* code, std::string_view words, int factor_a, int factor_b,
                         int factor_both) {
    expect.suspect(code, "c",
                   each_sum(c.shape,
                            [&](auto i, auto j, auto p) {
                              const int a = c.a[i * k + p], b = c.b_t[j * k + p];
                              return a * b - factor_b * a - factor_a * b + factor_both;
                            }),
                   words);
  };
  terms("N-ZERO", "neither zero point is subtracted", 0, 0, 0);
  terms("N-ZERO", "k * zero_points.a * zero_points.b is not added", za, zb, 0);
  terms("N-ZERO", "zero_points.a is not subtracted", 0, zb, 0);
  terms("N-ZERO", "zero_points.b is not subtracted", za, 0, 0);
  terms("N-ZERO", "zero_points.a * column_sums[j] is not subtracted", 0, zb, za * zb);
  terms("N-ZERO", "zero_points.b times the sum of a row is not subtracted", za, 0, za * zb);
  for (int signs = 1; signs < 8; ++signs) {
    const auto sign = [&](int bit) { return (signs >> bit & 1) != 0 ? -1 : 1; };
    terms("N-ZP-SIGN", kWrongSigns[signs - 1], sign(0) * za, sign(1) * zb, sign(2) * za * zb);
  }
  terms("N-AXIS", "each matrix has the zero point of the other", zb, za, za * zb);
  const Sums right = shifted_sums(c);
  const auto off_by = [&](const char* code, const auto& error, const char* words = "") {
    std::vector<std::int64_t> sums(right.begin(), right.end());
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += error(at / n, at % n);
    expect.suspect(code, "c", sums, words);
  };
  const Sums columns = column_sums(c);
  const auto row_sum = [&](std::size_t i) {
    return std::accumulate(c.a.data() + i * k, c.a.data() + (i + 1) * k, std::int32_t{0});
  };
  const int padding = static_cast<int>(round_up(c.shape.k, 32)) - c.shape.k;
  off_by("N-ZERO", [&](auto, auto) { return za * zb; });  // once, not k times
  off_by(
      "N-ZERO", [&](auto, auto) { return (1 - c.shape.k) * za * zb; },
      "zero_points.a * zero_points.b is added once, and should be added k times");
  off_by(
      "N-TAIL", [&](auto, auto) { return padding * za * zb; },
      "as if zero_points.a * zero_points.b were taken k rounded up to 32 times, and not k");
  off_by(
      "N-AXIS", [&](auto i, auto j) { return za * (columns[j] - columns[i % n]); },
      "column_sums[i] is taken where column_sums[j] belongs");
  off_by(
      "N-OVERFLOW",
      [&](auto i, auto) { return zb * (row_sum(i) - static_cast<std::int8_t>(row_sum(i))); },
      "the sum of a row of a is kept in 8 bits");
}

/// Wrong products of the codes, with the right terms of the zero points.
template <class Sum>
std::vector<std::int64_t> corrected(const ShiftedProduct& c, const std::vector<Sum>& sums) {
  const Sums with = shifted_sums(c), without = by_definition(c);
  std::vector<std::int64_t> all(sums.begin(), sums.end());
  for (std::size_t at = 0; at < all.size(); ++at) all[at] += with[at] - without[at];
  return all;
}

inline const auto subtracting = kernel_exercise<&multiply_zero_points>(
    [](const ShiftedProduct& c) {
      return std::tuple(c.a, pack_by_definition(c.b_t, c.shape), column_sums(c), out(c.outputs()),
                        c.zero_points, c.shape);
    },
    shifted_sums,
    [](Expect& expect, const ShiftedProduct& c, const Sums& got, const Sums& right) {
      if (expect.asks_for_suspects(got, right) && is_worth_suspecting(c)) {
        suspect_terms(expect, c);
        suspect_sums(expect, c, "c", [&](const auto& sums) { return corrected(c, sums); });
      }
      expect.equal("c", got, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

/// Zero points are odd: an even one hides a lost bit.
inline std::vector<ShiftedProduct> shifted_products(const std::vector<MatmulShape>& shapes,
                                                    Seed seed_of) {
  return each_of(random_products(shapes, seed_of), [](const Product& of, std::size_t at) {
    return ShiftedProduct{of, at % 2 == 1 ? ZeroPoints{-7, 3} : ZeroPoints{101, -128}};
  });
}

}  // namespace nibble::judge::lab_14_cpu_int8_gemm
