// Lab 25: what is right, and what people write instead.
#pragma once

#include "cuda_tensor_core.hpp"

#include "judge/product_exercise.hpp"
#include "judge/same_function.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_25_cuda_tensor_core {

using Shapes = std::vector<MatmulShape>;

template <auto F>
inline constexpr int kStep = same_function<F, &matmul_wmma> ? 1 : 32;

template <auto F>
int allowed_k(int k) {
  return (k + kStep<F> - 1) / kStep<F> * kStep<F>;
}

/// Random codes up to the k that is allowed, not zeros.
template <auto F>
std::vector<Product> products(const Shapes& some, Seed seeds) {
  Shapes shapes = some;
  for (MatmulShape& s : shapes) s.k = allowed_k<F>(s.k);
  std::vector<Product> cases = random_products(shapes, seeds);
  for (Product& c : cases) c.step = kStep<F>;
  return cases;
}

/// Of 16 rows and 32 places along k, the upper right block stands at the place of the lower left
/// one, and the other way round: 8 rows down for 16 codes along. Zeros below the matrix.
inline Codes with_blocks_turned(const Codes& x, std::size_t k) {
  return each_of(x, [&](std::int8_t code, std::size_t at) {
    const bool is_down = at / k % 16 >= 8, is_along = at % k % 32 >= 16;
    if (is_down == is_along) return code;
    const std::size_t from = is_down ? at - 8 * k + 16 : at + 8 * k - 16;
    return from < x.size() ? x[from] : std::int8_t{0};
  });
}

/// What a tile of 16 x 16 codes is on its side: zeros beyond both edges.
inline Codes with_tiles_turned(const Codes& x, std::size_t k) {
  return each_of(x, [&](std::int8_t, std::size_t at) {
    const std::size_t row = at / k, p = at % k;
    const std::size_t from_row = row / 16 * 16 + p % 16, from = p / 16 * 16 + row % 16;
    return from < k && from_row * k + from < x.size() ? x[from_row * k + from] : std::int8_t{0};
  });
}

/// What a lane with other sums than its own writes: rows go by t, and columns by g.
inline Sums with_lanes_turned(const Product& c, const Sums& right) {
  const std::size_t m = std::size_t(c.shape.m), n = std::size_t(c.shape.n);
  return each_of(right, [&](std::int32_t, std::size_t at) {
    const std::size_t r = at / n % 16, s = at % n % 8, g = r / 8 * 4 + s / 2, t = r % 8 / 2;
    const std::size_t i = at / n / 16 * 16 + g + r % 2 * 8, j = at % n / 8 * 8 + 2 * t + s % 2;
    return i < m && j < n ? right[i * n + j] : 0;
  });
}

/// Pieces of 16 codes that lie in other places of a row than where they are looked for; who is
/// without a swizzle reads what the other has put there.
inline void suspect_swizzles(Expect& expect, const Product& c) {
  const std::size_t k = std::size_t(c.shape.k);
  for (const std::size_t pieces : {2, 4}) {
    for (const std::size_t rows : {1, 2, 4}) {
      const auto swizzled = [&](const Codes& x) {
        return each_of(x, [&](std::int8_t, std::size_t at) {
          const std::size_t p = at % k, other = at / k / rows % pieces * 16;
          const std::size_t from = p / (16 * pieces) * (16 * pieces) + (p % (16 * pieces) ^ other);
          return from < k ? x[at / k * k + from] : std::int8_t{0};
        });
      };
      const auto suspect = [&](const Codes& a, const Codes& b_t) {
        Product read = c;
        read.a = a;
        read.b_t = b_t;
        expect.suspect("N-LAYOUT", "c", by_definition(read),
                       "pieces of a row are read where they would lie without the swizzle");
      };
      suspect(swizzled(c.a), c.b_t);
      suspect(c.a, swizzled(c.b_t));
    }
  }
}

/// What goes wrong with every product, and what with the words of tensor cores: `from` says where
/// a row's code of each place along k was taken from, in a or in both.
template <auto F>
void suspect_the_usual(Expect& expect, const Product& c, const Sums& right) {
  const std::size_t k = std::size_t(c.shape.k);
  const auto moved = [k](const Codes& x, const auto& from) {
    return each_of(x, [&](std::int8_t, std::size_t at) {
      return x[std::min(at / k * k + from(at % k), x.size() - 1)];
    });
  };
  const auto suspect = [&](std::string_view words, const auto& from) {
    Product read = c;
    read.a = moved(c.a, from);
    expect.suspect("N-LAYOUT", "c", by_definition(read), words);
    read.b_t = moved(c.b_t, from);
    expect.suspect("N-LAYOUT", "c", by_definition(read), words);
    read.a = c.a;
    expect.suspect("N-LAYOUT", "c", by_definition(read), words);
  };
  if (k % 32 == 0 && is_worth_suspecting(c)) {
    suspect("the second word of a row is the first once more",
            [](std::size_t p) { return p / 32 * 32 + p % 16; });
    suspect("the halves along k are exchanged", [](std::size_t p) { return p ^ 16; });
    suspect("a lane's second word is the next one, not that 16 codes further on",
            [](std::size_t p) { return p / 32 * 32 + p % 16 / 4 * 4 + p % 4 + p % 32 / 16 * 4; });
    Product turned = c;
    turned.a = with_blocks_turned(c.a, k);
    expect.suspect("N-LAYOUT", "c", by_definition(turned),
                   "a[1] and a[2] are exchanged: a[1] is 8 rows down, a[2] 16 codes along k");
    turned.a = c.a;
    turned.b_t = with_blocks_turned(c.b_t, k);
    expect.suspect("N-LAYOUT", "c", by_definition(turned),
                   "blocks of b are in the order of a's: b[1] is 16 codes along k");
    suspect("a lane's words are neighbours, and have to lie 16 codes apart",
            [](std::size_t p) { return p / 32 * 32 + p % 16 / 4 * 8 + p % 32 / 16 * 4 + p % 4; });
    suspect("words begin t codes from the left, not 4 t",
            [](std::size_t p) { return p / 16 * 16 + p % 16 / 4 + p % 4; });
  }
  if (k > 32767) {
    expect.suspect("N-TAIL", "c", Sums(right.size()),
                   "k is kept in 16 bits, and is below 0 there: nothing is added");
  }
  if (k > 0 && is_worth_suspecting(c)) {
    Product turned = c;
    turned.b_t = with_tiles_turned(c.b_t, k);
    expect.suspect("N-LAYOUT", "c", by_definition(turned),
                   "rows of b_t are taken for rows of b: they are its columns");
    expect.suspect("N-LAYOUT", "c", with_lanes_turned(c, right),
                   "sums are written by t down and g along: g is their row, t their columns");
    if (same_function<F, &matmul_mma_tiled>) suspect_swizzles(expect, c);
  }
  suspect_sums(expect, c, "c");
}

template <auto F>
inline const auto multiplying = product_exercise<F>(
    [](const Product& c) { return std::tuple(c.a, c.b_t, out(c.outputs()), c.shape); },
    suspect_the_usual<F>, products<F>);

inline const auto& by_fragments = multiplying<&matmul_wmma>;
inline const auto& by_warps = multiplying<&matmul_mma>;
inline const auto& tiled = multiplying<&matmul_mma_tiled>;

}  // namespace nibble::judge::lab_25_cuda_tensor_core
