// Lab 17: on the model, and on the processor. Every point is earned on the model of the tiles;
// where the processor has tiles of its own, they have to give the same values.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/pack.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// A case, and whose tiles it is run on.
template <class Case>
struct OnEngine : Case {
  TileEngine engine = TileEngine::kModel;
};

/// Looks at c on the model, and on the processor's tiles where it has some. A system may deny
/// those to this one process: being refused there is no failure.
template <class Exercise, class Case>
void look_on_every_engine(const Exercise& exercise, const Case& c, Expect& expect) {
  const OnEngine<Case> model{c}, hardware{c, TileEngine::kHardware};
  exercise.look(expect, model, exercise(model));
  if (!cpu_has(Isa::kAmxInt8)) return;
  try {
    exercise.look(expect, hardware, exercise(hardware));
  } catch (const CallFailed& failed) {
    if (failed.failure.code != "N-REFUSED") throw;
  }
}

template <class Exercise, class Case>
void is_right_on_every_engine(const Exercise& exercise, const std::vector<Case>& cases) {
  each_case(cases,
            [&](const Case& c, Expect& expect) { look_on_every_engine(exercise, c, expect); });
}

/// `good` on engines that no kernel may run on here.
template <class Exercise, class Case>
typename Exercise::Refusals denied_engines(const Exercise& exercise, const Case& good) {
  std::vector<std::pair<std::string, TileEngine>> denied = {{"kDenied", TileEngine::kDenied},
                                                            {"number 9", TileEngine(9)}};
  if (!cpu_has(Isa::kAmxInt8)) denied.emplace_back("kHardware", TileEngine::kHardware);
  typename Exercise::Refusals rows;
  for (const auto& [name, engine] : denied) {
    rows.push_back(
        {"N-ISA", name + ", which grants no tiles here", exercise.arguments({good, engine})});
  }
  return rows;
}

inline Codes packed_b(const Product& c) { return b_by_definition({c.shape.n, c.shape.k, c.b_t}); }

}  // namespace nibble::judge::lab_17_cpu_amx
