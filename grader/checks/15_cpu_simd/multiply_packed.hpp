// Lab 15, multiply_packed: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include "checks/15_cpu_simd/dot.hpp"
#include "checks/15_cpu_simd/pack_b.hpp"
#include "checks/15_cpu_simd/values.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/speed.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_15_cpu_simd {

inline Codes packed_b(Isa isa, const Product& c) {
  return packed_by_definition({isa, code_rows(c.shape.n, c.shape.k, c.b_t)});
}

/// 128 times a sum of another panel is taken off.
inline void suspect_panels(Expect& expect, const OnIsa<Product>& c, const Sums& right) {
  const std::size_t n = c.shape.n, k = c.shape.k;
  Sums columns(n);
  for (std::size_t at = 0; at < n * k; ++at) columns[at / k] += c.b_t[at];
  for (const std::size_t width : {16, 64}) {
    std::vector<std::int64_t> sums(right.begin(), right.end());
    for (std::size_t at = 0; at < sums.size(); ++at) {
      sums[at] += 128 * (std::int64_t{columns[at % n]} - columns[at % n % width]);
    }
    expect.suspect("N-LAYOUT", "c", sums, "each panel takes the sums of the first: it has its own");
  }
}

/// How many rows of c come first, and then once more, over and over; none do: 0.
inline std::size_t rows_once_more(MatmulShape s, const Sums& got, const Sums& right) {
  const std::size_t n = s.n;
  for (std::size_t rows = 1; rows < std::size_t(s.m); ++rows) {
    std::size_t at = 0;
    while (at < got.size() && got[at] == right[at / n % rows * n + at % n]) ++at;
    if (at == got.size()) return rows;
  }
  return 0;
}

inline void suspect_rows(Expect& expect, const Product& c, const Sums& got, const Sums& right) {
  const std::size_t n = c.shape.n, k = c.shape.k;
  if (rows_once_more(c.shape, got, right) > 0) {
    expect.suspect("N-LAYOUT", "c", got, "each group of rows is the first of them once more");
  }
  if (!is_worth_suspecting(c)) return;
  const auto row_at = [&](const auto& begin) {
    const auto code = [&](std::size_t at) { return at < c.a.size() ? c.a[at] : 0; };
    expect.suspect("N-LAYOUT", "c",
                   each_sum(c.shape, [&](auto i, auto j,
                                         auto p) { return code(begin(i) + p) * c.b_t[j * k + p]; }),
                   "rows of a are k codes long, and are read as others");
  };
  row_at([=](std::size_t i) { return i * n; });
  row_at([=](std::size_t i) { return i * n % (k + 1); });  // what does not leave a, of short rows
}

inline const auto multiplying = isa_exercise<&multiply_packed>(
    [](const OnIsa<Product>& c) {
      return std::tuple(c.isa, c.a, packed_b(c.isa, c), out(c.outputs()), c.shape);
    },
    by_definition,
    [](Expect& expect, const OnIsa<Product>& c, const Sums& got, const Sums& right) {
      if (expect.asks_for_suspects(got, right)) {
        suspect_correction(expect, c, "c");
        suspect_panels(expect, c, right);
        suspect_rows(expect, c, got, right);
        suspect_sums(expect, c, "c");
      }
      expect.equal("c", got, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

// Every number of rows up to two groups of six and one more; columns one less than, as many as and
// one more than 8, 16, 32, 48 and 64; every rest of a quad, and of a vector of 64 codes.
inline std::vector<MatmulShape> tails() {
  std::vector<MatmulShape> shapes;
  for (int m = 1; m <= 13; ++m) shapes.push_back({m, 3, 5});
  for (const int n : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 79, 127, 129}) {
    shapes.push_back({2, n, 6});
  }
  for (const int k : {1, 2, 3, 4, 7, 15, 16, 17, 31, 33, 63, 64, 65, 127}) {
    shapes.push_back({3, 5, k});
    shapes.push_back({7, 17, k});
  }
  return shapes;
}

/// What is refused whatever becomes of the sums; with(isa, a, packed, c, shape) are the arguments.
template <class Exercise, class With>
typename Exercise::Refusals bad_products(const Exercise&, Isa isa, const With& with) {
  typename Exercise::Refusals rows;
  const auto b_size = [&](MatmulShape s) { return packed_size(isa, s); };
  for (const auto& [code, what, a, b, c, shape] : wrong_sizes({2, 3, 5}, b_size, /*more_b=*/64)) {
    rows.push_back({code, what, with(isa, Codes(a), Codes(b), out(c), shape)});
  }
  return rows;
}

/// Inputs of a timed product on the fastest kernel that is here.
struct TimedProduct {
  Isa isa = fastest_isa();
  MatmulShape shape{384, 384, 512};
  std::size_t packed_count = packed_size(isa, shape);
  std::size_t c_count = area(shape.m, shape.n);

  Codes a(FreshData& fresh) const {
    return fresh.codes<std::int8_t>(area(shape.m, shape.k), -128, 127);
  }
  Codes packed(FreshData& fresh) const {
    return packed_b(isa,
                    {"", shape, {}, fresh.codes<std::int8_t>(area(shape.n, shape.k), -128, 127)});
  }
  SpeedGoal goal(double zero_at, double full_at) const {
    return {.zero_at = zero_at,
            .full_at = full_at,
            .operations = 2.0 * shape.m * shape.n * shape.k,
            .bytes = double(area(shape.m, shape.k) + packed_count + 4 * c_count),
            .isa = isa};
  }
};

}  // namespace nibble::judge::lab_15_cpu_simd
