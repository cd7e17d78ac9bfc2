// Lab 15, best_isa: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include "judge/exercise.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"

namespace nibble::judge::lab_15_cpu_simd {

using Choosing = Exercise<&best_isa>;
inline const Choosing choosing{{"isas", "cap"}, {"isa"}};

/// The definition; kEveryIsa is not in this order.
inline std::optional<Isa> best_of(std::uint32_t isas, Isa cap) {
  std::optional<Isa> best;
  for (const Isa isa : kKernelIsas) {
    if ((isas & bit_of(isa)) != 0) best = isa;
    if (isa == cap) break;
  }
  return best;
}

/// Every one of these sets that has a kernel, with every cap.
inline std::vector<Choosing::Row> choices(const auto& sets, const auto& caps) {
  std::vector<Choosing::Row> rows;
  for (const std::uint32_t isas : sets) {
    std::string name;
    for (const Isa isa : kEveryIsa) {
      if ((isas & bit_of(isa)) != 0) name += (name.empty() ? "" : "+") + show(isa);
    }
    for (const Isa cap : caps) {
      if (const auto best = best_of(isas, cap)) {
        rows.push_back({name + ",to_" + show(cap),
                        {isas, cap},
                        *best,
                        "isas alone says what is there, and kKernelIsas the order"});
      }
    }
  }
  return rows;
}

}  // namespace nibble::judge::lab_15_cpu_simd
