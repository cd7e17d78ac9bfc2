// Lab 17, multiply_tiles: what is right, and what people write instead.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/model_and_processor.hpp"
#include "checks/17_cpu_amx/wrong_tiles.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {

inline const auto multiplying = kernel_exercise<&multiply_tiles>(
    [](const OnEngine<Product>& c) {
      return std::tuple(c.engine, c.a, packed_b(c), out(c.outputs()), c.shape);
    },
    by_definition,
    [](Expect& expect, const Product& c, const std::tuple<TileCounts, Sums>& got,
       const Sums& right) {
      const Sums& sums = std::get<Sums>(got);
      if (expect.asks_for_suspects(sums, right)) {
        suspect_tiles(expect, c, right);
      }
      expect.equal("c", sums, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

}  // namespace nibble::judge::lab_17_cpu_amx
