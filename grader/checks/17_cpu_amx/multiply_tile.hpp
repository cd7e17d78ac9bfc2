// Lab 17, multiply_tile: what is right, and what people write instead.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/model_and_processor.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_17_cpu_amx {

inline const auto multiplying_tile = kernel_exercise<&multiply_tile>(
    [](const OnEngine<Product>& c) {
      Codes tile = packed_b(c);
      tile.resize(1024);
      return std::tuple(c.engine, c.a, tile, out(c.outputs()), c.shape);
    },
    by_definition,
    equals("c", [](Expect& expect, const Product& c) { suspect_sums(expect, c, "c"); }));

/// A small product, which is not square.
inline Product fitting_product() { return random_products({{3, 5, 8}}, seed)[0]; }

/// A row of sizes: a and b have so many codes, c so many sums.
template <class Exercise>
typename Exercise::Refused bad_size(const Exercise&, const char* what, std::size_t a, std::size_t b,
                                    std::size_t c, MatmulShape shape) {
  return {"N-SIZE", what, {TileEngine::kModel, Codes(a, 1), Codes(b, 1), out(c), shape}};
}

}  // namespace nibble::judge::lab_17_cpu_amx
