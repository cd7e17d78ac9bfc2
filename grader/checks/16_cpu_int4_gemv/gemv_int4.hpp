// Lab 16, gemv_int4: what is right, and what people write instead.
#pragma once

#include "cpu_int4_gemv.hpp"

#include "checks/16_cpu_int4_gemv/int4_products.hpp"
#include "checks/16_cpu_int4_gemv/pack_int4.hpp"
#include "checks/16_cpu_int4_gemv/packed_reading.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

inline const auto kArgumentsOfGemv = [](const OnIsa<Named<Batch>>& c) {
  return std::tuple(c.isa, c.a, c.a_scales[0], packed_by_definition(c.weights), out(c.n()),
                    c.weights.shape);
};
inline const auto multiplying = isa_exercise<&gemv_int4>(
    kArgumentsOfGemv, [](const Batch& c) { return products(c); },
    look_at_products<&gemv_int4>(kArgumentsOfGemv));

/// A list of zeros, but for some.
inline Codes sparse(std::size_t count, const std::vector<std::pair<std::size_t, int>>& some) {
  Codes codes(count, 0);
  for (const auto& [at, value] : some) codes[at] = static_cast<std::int8_t>(value);
  return codes;
}

inline const Named<Batch> kNoResults{"NoOutputs", {Codes(32, 1), {1}, {{0, 32, 32}, {}, {}}}};

/// Rows for m rows of activations; with(a, scale, packed, c, shape) are the arguments.
template <class Exercise, class With>
auto bad_products(const Exercise&, int m, const With& with) {
  typename Exercise::Refusals rows;
  for (const Bad& bad : bad_calls({{.what = "a code of a too few", .more_codes = -1},
                                   {.what = "a row of a too many", .more_codes = 64},
                                   {.what = "a result too few", .more_results = -1},
                                   {.what = "two results too many", .more_results = 2}})) {
    const Codes a(std::size_t(m) * bad.k() + std::size_t(bad.more_codes), 1);
    const Out c = out(std::size_t(m) * bad.n() + std::size_t(bad.more_results));
    rows.push_back(
        {bad.code(), bad.text(), with(a, bad.scale, Bytes(bad.packed(), 0x88), c, bad.shape)});
  }
  return rows;
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
