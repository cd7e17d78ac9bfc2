// Lab 17, multiply_tile: what is right, and what people write instead.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/model_and_processor.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// Beside what goes wrong in any product: operands that change places, which tiles of other sizes
/// refuse, and quads that are not whole.
inline void suspect_tile(Expect& expect, const Product& c) {
  const auto [m, n, k] = c.shape;
  const std::size_t depth = k, quads = (depth + 3) / 4,
                    of_whole = depth < 4 ? depth : depth / 4 * 4;
  const auto sums = [&](const char* code, const char* words, const auto& term) {
    expect.suspect(code, "c", each_sum(c.shape, term), words);
  };
  const auto right = [&](auto i, auto j, auto p) {
    return c.a[i * depth + p] * c.b_t[j * depth + p];
  };
  sums("N-LAYOUT", "all sums are 0", [](auto...) { return 0; });
  sums("N-LAYOUT", "products are added twice",
       [&](auto i, auto j, auto p) { return 2 * right(i, j, p); });
  sums("N-TAIL", "codes behind the last whole quad are not multiplied",
       [&](auto i, auto j, auto p) { return p < of_whole ? right(i, j, p) : 0; });
  if (m == n && std::size_t(m) == quads) {
    const auto at = [&](const Codes& codes, std::size_t row, std::size_t p) {
      return p < depth ? codes[row * depth + p] : 0;
    };
    expect.suspect("N-LAYOUT", "c",
                   each_sum({m, n, 4 * int(quads)},
                            [&](auto i, auto j, auto p) {
                              const std::size_t quad = p / 4, code = p % 4;
                              return at(c.b_t, quad, 4 * i + code) * at(c.a, quad, 4 * j + code);
                            }),
                   "the tile of b comes before that of a in a product: a is its first operand");
  }
  suspect_sums(expect, c, "c");
}

inline const auto multiplying_tile = kernel_exercise<&multiply_tile>(
    [](const OnEngine<Product>& c) {
      Codes tile = packed_b(c);
      tile.resize(1024);
      return std::tuple(c.engine, c.a, tile, out(c.outputs()), c.shape);
    },
    by_definition, equals("c", suspect_tile));

/// A small product, which is not square.
inline Product fitting_product() { return random_products({{3, 5, 8}}, seed)[0]; }

/// A row of sizes: a and b have so many codes, c so many sums.
template <class Exercise>
typename Exercise::Refused bad_size(const Exercise&, const char* what, std::size_t a, std::size_t b,
                                    std::size_t c, MatmulShape shape) {
  return {"N-SIZE", what, {TileEngine::kModel, Codes(a, 1), Codes(b, 1), out(c), shape}};
}

}  // namespace nibble::judge::lab_17_cpu_amx
