// Lab 15, multiply_packed_fused: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include "checks/15_cpu_simd/multiply_packed.hpp"
#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"

namespace nibble::judge::lab_15_cpu_simd {

inline const auto fusing = isa_exercise<&multiply_packed_fused>(
    [](const OnIsa<FusedProduct>& c) {
      return std::tuple(c.isa, c.a, packed_b(c.isa, c), c.scale, c.bias, out(c.outputs()), c.shape);
    },
    fused_product, equals("c", [](Expect& expect, const FusedProduct& c) {
      suspect_finishes(expect, c);
      expect.suspect("N-SCALE", "c", Reals(c.outputs()), "all of c is 0");
    }));

}  // namespace nibble::judge::lab_15_cpu_simd
