// Lab 16, gemm_int4: what is right, and what people write instead.
#pragma once

#include "cpu_int4_gemv.hpp"

#include "checks/16_cpu_int4_gemv/int4_products.hpp"
#include "checks/16_cpu_int4_gemv/pack_int4.hpp"
#include "checks/16_cpu_int4_gemv/packed_reading.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

inline const auto kArgumentsOfGemm = [](const OnIsa<Named<Batch>>& c) {
  return std::tuple(c.isa, c.a, c.a_scales, packed_by_definition(c.weights), out(c.m() * c.n()),
                    c.weights.shape);
};
inline const auto multiplying_batches = isa_exercise<&gemm_int4>(
    kArgumentsOfGemm, [](const Batch& c) { return products(c); },
    look_at_products<&gemm_int4>(kArgumentsOfGemm));

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
