// Lab 30: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "mixed_precision.hpp"

#include "checks/30_mixed_precision/autocast.hpp"
#include "checks/30_mixed_precision/choose_bits.hpp"
#include "checks/30_mixed_precision/layer_sensitivity.hpp"
#include "checks/30_mixed_precision/matmul_with_outliers.hpp"
#include "checks/30_mixed_precision/split_outliers.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_30_mixed_precision {
namespace {

TEST(layer_sensitivity, EqualsTheReference) {
  sensing.agrees_with(sensing.reference, networks(hidden_seed, {{6, 2}, {9, 12, 3}, {2, 7, 7, 5}}),
                      kSameErrors);
}

TEST(choose_bits, EqualsTheReference) {
  choosing.agrees_with(choosing.reference,
                       candidates<Choosing>(hidden_seed, {2, 5, 9, 20, 3, 7, 40}),
                       look_at_choice<Choosing::Arguments>);
}

TEST(best_bits, EqualsTheReference) {
  searching.agrees_with(searching.reference, candidates<Searching>(hidden_seed, {8, 3, 6, 7, 5, 6}),
                        look_at_choice<Searching::Arguments>);
}

TEST(split_outliers, EqualsTheReference) {
  std::vector<Splitting::Input> inputs;
  for (const std::size_t n : {4, 13, 40}) {
    inputs.push_back({std::to_string(n) + " inputs",
                      {normals(5 * n, hidden_seed(n)), static_cast<std::int32_t>(n), 1.5}});
  }
  splitting.agrees_with(splitting.reference, inputs, kSameColumns);
}

TEST(matmul_with_outliers, EqualsTheReference) {
  multiplying.agrees_with(multiplying.reference,
                          products(hidden_seed, {{4, 6, 3}, {5, 21, 4}, {16, 33, 9}}),
                          kSameProduct);
  tames_nets({3, 4000, 5}, hidden_seed(99));
}

TEST(autocast, EqualsTheReference) {
  std::vector<Casting::Input> inputs;
  for (const std::size_t count : {5, 20, 60}) {
    Operations program{code_tensor<std::int32_t>(count, hidden_seed(count), 0, 2), {}, {}};
    const auto back = code_tensor<std::int32_t>(2 * count, hidden_seed(count + 1), 1, 6);
    for (std::int32_t op = 0; op < static_cast<std::int32_t>(count); ++op) {
      program.first.push_back(std::max(kInput, op - back[std::size_t(op)]));
      program.second.push_back(op % 2 == 0 ? kNothing
                                           : std::max(kInput, op - back[count + std::size_t(op)]));
    }
    inputs.push_back({std::to_string(count) + " operations", {program}});
  }
  casting.agrees_with(casting.reference, inputs);
}

}  // namespace
}  // namespace nibble::judge::lab_30_mixed_precision
