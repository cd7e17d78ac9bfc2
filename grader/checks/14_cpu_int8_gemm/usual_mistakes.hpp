// Lab 14: what the usual mistakes would give.
#pragma once

#include "cpu_int8_gemm.hpp"

#include <string_view>

#include "checks/14_cpu_int8_gemm/layout_of_b.hpp"
#include "checks/14_cpu_int8_gemm/tile_mistakes.hpp"
#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"
#include "judge/speed.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

/// Sums as they come out when the operands are read in the wrong places. An index outside of an
/// operand reads a 0 here.
template <auto F>
class WrongPlaces {
 public:
  WrongPlaces(const Product& c, Expect& expect)
      : case_(c), b_(stored<F>(c.b_t, c.shape)), expect_(expect) {}

  template <class PlaceA, class PlaceB>
  void suspect(const char* code, std::string_view words, const PlaceA& place_a,
               const PlaceB& place_b) {
    const auto at = [](const auto& codes, std::size_t place) {
      return place < codes.size() ? codes[place] : 0;
    };
    expect_.suspect(code, "c",
                    each_sum(case_.shape,
                             [&](auto i, auto j, auto p) {
                               return at(case_.a, place_a(i, p)) * at(b_, place_b(p, j));
                             }),
                    words);
  }

  void suspect_all() {
    const std::size_t m = case_.shape.m, n = case_.shape.n, k = case_.shape.k;
    const auto right_a = [&](auto i, auto p) { return i * k + p; };
    const auto right_b = [&](auto p, auto j) {
      if constexpr (kStorage<F> == Storage::kRows) return p * n + j;
      if constexpr (kStorage<F> == Storage::kTransposed) return j * k + p;
      return packed_place(case_.shape, j, p);
    };
    const auto b_as = [&](const char* code, std::string_view words, const auto& place) {
      suspect(code, words, right_a, place);
    };
    const auto a_as = [&](std::string_view words, const auto& place) {
      suspect("N-LAYOUT", words, place, right_b);
    };
    if constexpr (kStorage<F> == Storage::kPacked) {
      const std::size_t columns = round_up(case_.shape.n, 4), steps = round_up(case_.shape.k, 32);
      a_as("every second row of c is left at 0", [&](auto i, auto p) {
        return i % 2 == 0 ? right_a(i, p) : static_cast<std::size_t>(-1);
      });
      // With one column these two slips answer alike: they have the same words.
      constexpr const char* kSlabs =
          "slab s begins at 256 * s * columns, and columns is n rounded up to a multiple of 4";
      b_as("N-LAYOUT", kSlabs, [&](auto p, auto j) { return j * steps + p; });
      b_as("N-LAYOUT", "the last slab is shorter, and is read as if it were 256 deep",
           [&](auto p, auto j) { return p / 256 * 256 * columns + j * 256 + p % 256; });
      b_as("N-LAYOUT", kSlabs,
           [&](auto p, auto j) { return right_b(p, j) - p / 256 * 256 * (columns - n); });
      b_as("N-TAIL", "only the first slab is multiplied", [&](auto p, auto j) {
        return p < kSlabDepth ? right_b(p, j) : static_cast<std::size_t>(-1);
      });
      b_as("N-TRANS", "packed is read along columns, and lies along k",
           [&](auto p, auto j) { return p * columns + j; });
      a_as("rows of a are k codes long, and not rounded up",
           [&](auto i, auto p) { return i * steps + p; });
    } else {
      constexpr bool rows = kStorage<F> == Storage::kRows;
      constexpr const char* kOther = rows ? "rows of b are n codes long, and are read as others"
                                          : "rows of b_t are k codes long, and are read as others";
      b_as("N-TRANS", rows ? "b [k,n] is read as b_t [n,k]" : "b_t [n,k] is read as b [k,n]",
           [&](auto p, auto j) { return rows ? j * k + p : p * n + j; });
      b_as("N-LAYOUT", kOther, [&](auto p, auto j) { return rows ? p * k + j : j * n + p; });
      b_as("N-LAYOUT", kOther, [&](auto p, auto j) { return rows ? p * m + j : j * m + p; });
    }
    a_as("a [m,k] is read as [k,m]", [&](auto i, auto p) { return p * m + i; });
    constexpr const char* kOfA = "rows of a are k codes long, and are read as others";
    a_as(kOfA, [&](auto i, auto p) { return i * n + p; });
    a_as(kOfA, [&](auto i, auto p) { return i * m + p; });
  }

 private:
  const Product& case_;
  decltype(stored<F>(Codes{}, MatmulShape{})) b_;
  Expect& expect_;
};

template <auto F>
inline constexpr bool kHasTiles = false;
template <>
inline constexpr bool kHasTiles<&multiply_tiled> = true;
template <>
inline constexpr bool kHasTiles<&multiply_packed> = true;

template <auto F>
void suspect_products(Expect& expect, const Product& c, const Sums& right) {
  if constexpr (kHasTiles<F>) {
    WrongTiles(c, right, expect).suspect_all();
  }
  if (!is_worth_suspecting(c)) return;
  const bool uniform = distinct(c.a) + distinct(c.b_t) <= 2;  // it looks the same from everywhere
  if (!uniform) WrongPlaces<F>(c, expect).suspect_all();
  const auto in_8_bits = each_sum(c.shape, [&](auto i, auto j, auto p) {
    return static_cast<std::int8_t>(c.a[i * c.shape.k + p] * c.b_t[j * c.shape.k + p]);
  });
  expect.suspect("N-OVERFLOW", "c", in_8_bits, "a product is kept in 8 bits");
  suspect_sums(expect, c, "c");
}

template <auto F>
auto product_arguments(const Product& c) {
  return std::tuple(c.a, stored<F>(c.b_t, c.shape), out(c.outputs()), c.shape);
}

/// A few elements that nobody writes look like wrong sums.
template <auto F>
void look_at_products(Expect& expect, const Product& c, const Sums& right) {
  const auto arguments = product_arguments<F>(c);
  expect_written<F>(expect, "c", call_with<F>(arguments), right, arguments);
  suspect_products<F>(expect, c, right);
}

template <auto F>
inline const auto multiplying = product_exercise<F>(
    [](const Product& c) { return product_arguments<F>(c); }, look_at_products<F>);

}  // namespace nibble::judge::lab_14_cpu_int8_gemm
