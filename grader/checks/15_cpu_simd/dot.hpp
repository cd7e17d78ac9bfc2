// Lab 15, dot: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include <string_view>

#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_15_cpu_simd {

/// The magnitude of a, and its sign put on b: for vpmaddubsw, whose first factor has no sign.
inline void suspect_signs(Expect& expect, const Product& c) {
  std::int32_t sum = 0, of_wrapped = 0;
  for (std::size_t p = 0; p < c.a.size(); ++p) {
    const int a = c.a[p], b = c.b_t[p];
    sum += std::abs(a) * static_cast<std::int8_t>(a < 0 ? -b : a == 0 ? 0 : b);
  }
  bool fits = true;
  for (std::size_t p = 0; p < c.a.size(); p += 2) {
    const bool has_neighbour = p + 1 < c.a.size();
    const int two = c.a[p] * c.b_t[p] + (has_neighbour ? c.a[p + 1] * c.b_t[p + 1] : 0);
    fits = fits && two < 1 << 15;
    of_wrapped += static_cast<std::int16_t>(two);
  }
  if (!fits) {
    expect.suspect("N-OVERFLOW", "the sum", Sums{of_wrapped},
                   "two products are added in 16 bits, and twice 2^14 does not fit");
  }
  expect.suspect("N-OVERFLOW", "the sum",
                 Sums{static_cast<std::int16_t>(by_definition(c)[0])},  // 0, too
                 "the sum is kept in 16 bits");
  expect.suspect("N-SIGN", "the sum", Sums{sum},
                 "as if the sign of a were put on b: -(-128) is -128 again in a byte");
}

/// a + 128 is multiplied, and what that adds is put on once more.
inline void suspect_correction(Expect& expect, const Product& c, std::string_view what) {
  if (!is_worth_suspecting(c)) return;
  const std::size_t k = c.shape.k;
  expect.suspect(
      "N-SIGN", what,
      each_sum(c.shape,
               [&](auto i, auto j, auto p) { return (c.a[i * k + p] + 256) * c.b_t[j * k + p]; }),
      "128 times the sum of b is added, and should be taken off");
}

// One sum is a product of one row and one column.
inline const auto dotting =
    isa_exercise<&dot>([](const OnIsa<Product>& c) { return std::tuple(c.isa, c.a, c.b_t); },
                       [](const Product& c) { return by_definition(c)[0]; },
                       [](Expect& expect, const Product& c, std::int32_t got, std::int32_t right) {
                         if (expect.asks_for_suspects(got, right)) {
                           suspect_signs(expect, c);
                           suspect_correction(expect, c, "the sum");
                           suspect_sums(expect, c, "the sum");
                         }
                         expect.equal("the sum", got, right);
                       });

inline std::vector<Product> random_dots(const std::vector<int>& lengths, Seed seed_of) {
  return each_of(lengths, [&](int k, std::uint64_t at) {
    return random_product({1, 1, k}, seed_of(2 * at));
  });
}

}  // namespace nibble::judge::lab_15_cpu_simd
