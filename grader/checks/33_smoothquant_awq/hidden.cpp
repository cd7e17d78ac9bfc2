// Lab 33: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "smoothquant_awq.hpp"

#include "checks/33_smoothquant_awq/awq_search.hpp"
#include "checks/33_smoothquant_awq/equalize_layers.hpp"
#include "checks/33_smoothquant_awq/hadamard_transform.hpp"
#include "checks/33_smoothquant_awq/migrate_scales.hpp"
#include "checks/33_smoothquant_awq/net_with_outliers.hpp"
#include "checks/33_smoothquant_awq/rotate_rows.hpp"
#include "checks/33_smoothquant_awq/smoothing_scales.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {
namespace {

TEST(smoothing_scales, EqualsTheReference) {
  smoothing.agrees_with(smoothing.reference, smoothings(hidden_seed, {3, 9, 20}), kSameScales);
  tames_nets({3, 4000, 5}, hidden_seed(99), kSmoothed);
}

const std::vector<Sizes> kHiddenSizes = {{3, 5, 4}, {9, 2, 6}, {4, 3, 40}, {10, 24, 11}};

TEST(migrate_scales, EqualsTheReference) {
  migrating.agrees_with(migrating.reference, migrations(hidden_seed, kHiddenSizes), kSameLayers);
  tames_nets({3, 4000, 5}, hidden_seed(99), kMigrated);
}

TEST(equalize_layers, EqualsTheReference) {
  equalizing.agrees_with(equalizing.reference, equalizations(hidden_seed, kHiddenSizes),
                         kEqualLayers);
  tames_nets({3, 4000, 5}, hidden_seed(99), kLevelled);
}

TEST(awq_search, EqualsTheReference) {
  searching.agrees_with(
      searching.reference,
      searches(hidden_seed, {{3, 11, 5, 3, 4}, {9, 24, 40, 4, 24}, {4, 15, 8, 2, 7}}),
      look_at_choice);
}

TEST(hadamard_transform, EqualsTheReference) {
  std::vector<Transforming::Input> inputs;
  for (const std::size_t n : {16, 128, 4096, 1 << 17}) {
    inputs.push_back({std::to_string(n), {normals(n, hidden_seed(n))}});
  }
  transforming.agrees_with(transforming.reference, inputs, kSameTransform);
}

TEST(rotate_rows, EqualsTheReference) {
  rotating.agrees_with(rotating.reference, rotations(hidden_seed, {2, 8, 64}), kSameRows);
}

}  // namespace
}  // namespace nibble::judge::lab_33_smoothquant_awq
