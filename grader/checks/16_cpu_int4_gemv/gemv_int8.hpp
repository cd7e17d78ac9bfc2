// Lab 16, gemv_int8: what is right, and what people write instead.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string>
#include <string_view>

#include "checks/16_cpu_int4_gemv/unpack_int4.hpp"
#include "checks/16_cpu_int4_gemv/values.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

struct Int8Rows {
  Codes a;
  float a_scale;
  Codes w;
  Reals w_scales;
  static constexpr std::array names{"a", "a_scale", "w", "w_scales"};

  MatmulShape shape() const { return {1, int(w_scales.size()), int(a.size())}; }
};

/// The first rows, and of each the first codes.
inline std::vector<Named<Int8Rows>> smaller(const Named<Int8Rows>& c) {
  std::vector<Named<Int8Rows>> all;
  for (const auto [m, n, k] : smaller_shapes(c.shape())) {
    all.push_back(
        {std::to_string(n) + "x" + std::to_string(k),
         {first(c.a, k), c.a_scale, corner(c.w, std::ssize(c.a), n, k), first(c.w_scales, n)}});
  }
  return all;
}

/// The contract's formula for the first `end` codes of a row, with the sums of 64 bits.
template <class Term>
Reals int8_products(const Int8Rows& c, std::size_t end, const Term& term) {
  const std::size_t n = c.w_scales.size(), k = c.a.size();
  Reals products;
  for (std::size_t j = 0; j < n; ++j) {
    std::int64_t acc = 0;
    for (std::size_t p = 0; p < end; ++p) acc += term(c.a[p], c.w[j * k + p]);
    products.push_back(static_cast<float>(acc) * (c.a_scale * c.w_scales[j]));
  }
  return products;
}

inline Reals int8_products(const Int8Rows& c) {
  return int8_products(c, c.a.size(), std::multiplies<>());
}

inline void suspect_int8(Expect& expect, const Int8Rows& c) {
  const std::size_t k = c.a.size();
  const auto suspect = [&](std::string_view words, const auto& term) {
    expect.suspect("N-SIGN", "c", int8_products(c, k, term), words);
  };
  constexpr const char* kExcess =
      "128 is added to a code, and not taken off the sum as it should be";
  constexpr const char* kUnsigned = "codes below 0 are read as 256 more";
  suspect(kExcess, [](int a, int w) { return a * (w + 128); });
  suspect(kExcess, [](int a, int w) { return (a + 128) * w; });
  suspect(kUnsigned, [](int a, int w) { return a * (w & 255); });
  suspect(kUnsigned, [](int a, int w) { return (a & 255) * w; });
  Int8Rows bare{c.a, 1, c.w, Reals(c.w_scales.size(), 1)};
  Reals one_by_one = int8_products(bare);
  for (std::size_t j = 0; j < one_by_one.size(); ++j) {
    one_by_one[j] = one_by_one[j] * c.a_scale * c.w_scales[j];
  }
  expect.suspect("N-SCALE", "c", one_by_one, "the product of the two scales comes first");
  for (const std::size_t width : {16, 32, 64}) {
    const std::size_t whole = k / width * width;
    expect.suspect("N-TAIL", "c", int8_products(c, whole, std::multiplies<>()),
                   "the last of a sum's products are not added, " + std::to_string(k - whole) +
                       " of " + std::to_string(k));
  }
}

/// Sums that lose something, and the right scales.
inline void suspect_int8_sums(Expect& expect, const Int8Rows& c) {
  const std::size_t n = c.w_scales.size(), k = c.a.size();
  const auto suspect = [&](const char* code, std::string_view words, const auto& sum) {
    Reals products;
    for (std::size_t j = 0; j < n; ++j) {
      products.push_back(static_cast<float>(sum(j)) * (c.a_scale * c.w_scales[j]));
    }
    expect.suspect(code, "c", products, words);
  };
  const auto product = [&](std::size_t j, std::size_t p) {
    return p < k ? c.a[p] * c.w[j * k + p] : 0;
  };
  const auto sum_of = [&](std::size_t step, const auto& each) {
    std::int64_t sum = 0;
    for (std::size_t p = 0; p < k; p += step) sum += each(p);
    return sum;
  };
  suspect("N-OVERFLOW", "the sum is kept in 16 bits", [&](std::size_t j) {
    return static_cast<std::int16_t>(sum_of(1, [&](std::size_t p) { return product(j, p); }));
  });
  const auto pair = [&](std::size_t j, std::size_t p, int excess) {
    const auto of = [&](std::size_t at) {
      return product(j, at) + (at < k ? excess * c.a[at] : 0);
    };
    return std::clamp(of(p) + of(p + 1), -32768, 32767);
  };
  for (const int excess : {0, 128}) {
    suspect("N-OVERFLOW", "the sum of two products stops at the ends of int16", [&](std::size_t j) {
      const std::int64_t sum_a = std::accumulate(c.a.begin(), c.a.end(), std::int64_t{0});
      return sum_of(2, [&](std::size_t p) { return pair(j, p, excess); }) - excess * sum_a;
    });
  }
  suspect("N-OVERFLOW", "four products are added in 16 bits, which two of them may fill",
          [&](std::size_t j) {
            return sum_of(4, [&](std::size_t p) {
              return static_cast<std::int16_t>(pair(j, p, 0) + pair(j, p + 2, 0));
            });
          });
  suspect("N-OVERFLOW", "four products are added in 16 bits, which two of them may fill",
          [&](std::size_t j) {  // as of magnitudes, with signs put on w: -(-128) is -128 again
            const auto signed_pair = [&](std::size_t p) {
              const auto of = [&](std::size_t at) {
                if (at >= k) return 0;
                const int a = c.a[at], w = c.w[j * k + at];
                return std::abs(a) * static_cast<std::int8_t>(a < 0 ? -w : a == 0 ? 0 : w);
              };
              return std::clamp(of(p) + of(p + 1), -32768, 32767);
            };
            return sum_of(4, [&](std::size_t p) {
              return static_cast<std::int16_t>(signed_pair(p) + signed_pair(p + 2));
            });
          });
  suspect(
      "N-LAYOUT", "row j of w is read from w[j] on, and begins at w[j * k]",
      [&](std::size_t j) { return sum_of(1, [&](std::size_t p) { return c.a[p] * c.w[j + p]; }); });
}

inline void suspect_int8_scales(Expect& expect, const Int8Rows& c) {
  const auto suspect = [&](std::string_view words, const auto& change) {
    Int8Rows wrong = c;
    change(wrong);
    expect.suspect("N-SCALE", "c", int8_products(wrong), words);
  };
  suspect("w_scales[j] is missing",
          [](Int8Rows& wrong) { std::ranges::fill(wrong.w_scales, 1.0f); });
  suspect("a_scale is missing", [](Int8Rows& wrong) { wrong.a_scale = 1; });
  suspect("all rows of w have the scale of row 0", [&](Int8Rows& wrong) {
    if (!c.w_scales.empty()) std::ranges::fill(wrong.w_scales, c.w_scales[0]);
  });
  expect.suspect("N-LAYOUT", "c", Reals(c.w_scales.size(), 1.0f), "all of c is 1");
}

inline const auto kArgumentsOfInt8 = [](const OnIsa<Named<Int8Rows>>& c) {
  return std::tuple(c.isa, c.a, c.a_scale, c.w, c.w_scales, out(c.w_scales.size()));
};
inline const auto multiplying_int8 = isa_exercise<&gemv_int8>(
    kArgumentsOfInt8, [](const Int8Rows& c) { return int8_products(c); },
    [](Expect& expect, const OnIsa<Named<Int8Rows>>& c, const Reals& got, const Reals& right) {
      expect_written<&gemv_int8>(expect, "c", got, right, kArgumentsOfInt8(c));
      const bool is_empty = right.empty() || c.a.empty();  // a right answer to that is no evidence
      if (expect.asks_for_suspects(got, right) && (got != right || !is_empty)) {
        suspect_int8(expect, c);
        suspect_int8_scales(expect, c);
        suspect_int8_sums(expect, c);
      }
      expect.equal("c", got, right);
    });

inline Named<Int8Rows> random_int8(std::size_t n, std::size_t k, Seed seed_of) {
  const Int8Rows c{code_tensor<std::int8_t>(k, seed_of(1000 * n + k), -128, 127), 0.03f,
                   code_tensor<std::int8_t>(n * k, seed_of(2000 * n + k), -128, 127),
                   uniform_tensor(n, seed_of(3000 * n + k), 0.001f, 0.02f)};
  expect_distinct(int8_products(c));
  return {std::to_string(n) + "x" + std::to_string(k), c};
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
