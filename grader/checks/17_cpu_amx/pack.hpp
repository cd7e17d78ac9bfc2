// Lab 17: pack_a and pack_b.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/wrong_packings.hpp"
#include "judge/code_rows.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {

// Neither looks at the third size.
template <int kN>
auto packing_a_beside() {
  return kernel_exercise<&pack_a>(
      [](const Named<CodeRows>& c) {
        const MatmulShape shape{c.rows, kN, c.k};
        return std::tuple(c.codes, out(packed_a_size(shape)), shape);
      },
      a_by_definition, equals("packed", suspect_packed_a));
}
inline const auto packing_a = packing_a_beside<7>();

template <int kM>
auto packing_b_beside() {
  return kernel_exercise<&pack_b>(
      [](const Named<CodeRows>& c) {
        const MatmulShape shape{kM, c.rows, c.k};
        return std::tuple(c.codes, out(packed_b_size(shape)), shape);
      },
      b_by_definition, equals("packed", suspect_packed_b));
}
inline const auto packing_b = packing_b_beside<7>();

}  // namespace nibble::judge::lab_17_cpu_amx
