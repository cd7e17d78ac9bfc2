// Lab 33, migrate_scales: the checks.
#include "checks/33_smoothquant_awq/migrate_scales.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {
namespace {

TEST(migrate_scales, DividesAndMultiplies) {
  migrating.gives({{"One", {TwoLayers{{3, 6, 9}, {3}, {1, 2}}, {3}}, {{1, 2, 3}, {1}, {3, 6}}},
                   {"Two",
                    {TwoLayers{{8, 4, 2, 6}, {4, 10}, {1, 3}}, {4, 2}},
                    {{2, 1, 1, 3}, {1, 5}, {4, 6}},
                    "channel m is row m of the first matrix, and column m of the second"},
                   {"Three",
                    {TwoLayers{{8, 4, 2}, {4, 10, -1}, {1, 3, 5, -1, 0, 2}}, {4, 0.5, 1}},
                    {{2, 8, 2}, {1, 20, -1}, {4, 1.5, 5, -4, 0, 2}}}},
                  kSameLayers);
}

Doubles outputs_of(const TwoLayers& layers, const Doubles& x) {
  const std::size_t middle = layers.bias.size(), inputs = x.size();
  Doubles between = layers.bias, y(layers.second.size() / middle);
  for (std::size_t at = 0; at < layers.first.size(); ++at) {
    between[at / inputs] += layers.first[at] * x[at % inputs];
  }
  for (std::size_t at = 0; at < layers.second.size(); ++at) {
    y[at / middle] += layers.second[at] * std::max(between[at % middle], 0.0);
  }
  return y;
}

TEST(migrate_scales, KeepsTheFunction) {
  migrating.on_each(migrations(seed, kSizes), [](Expect& expect, const Migrating::Arguments& in) {
    const TwoLayers want = migrated(in.a, in.b), got = migrating(in);
    look_at_layers(expect, got, want);
    if (expect.failure()) return;
    const Doubles x = normals(want.first.size() / want.bias.size(), seed(99));
    expect_reals(expect, "y", outputs_of(got, x), outputs_of(in.a, x));
  });
  tames_nets({2, 2000, 10}, this_run().seed, kMigrated);
}

TEST(migrate_scales, RefusesWhatIsNoScale) {
  const TwoLayers two{{8, 4, 2, 6}, {4, 10}, {1, 3}};
  migrating.refuses({{"Fine", {two, {1, 2}}, {{8, 4, 1, 3}, {4, 5}, {1, 6}}}},
                    {{"", {two, {1, 0}}},
                     {"", {two, {-1, 1}}},
                     {"N-NAN", {two, {1, double{kNan}}}},
                     {"N-NAN", {two, {1, double{kInfinity}}}},
                     {"N-SIZE", {two, {1, 2, 4}}},
                     {"N-SIZE", {TwoLayers{{8, 4, 2}, {4, 10}, {1, 3}}, {1, 2}}},
                     {"N-SIZE", {TwoLayers{{8, 4}, {4, 10}, {1, 3, 1}}, {1, 2}}},
                     {"N-NAN", {TwoLayers{{8, 4}, {4, double{kNan}}, {1, 3}}, {1, 2}}}},
                    kSameLayers);
}

}  // namespace
}  // namespace nibble::judge::lab_33_smoothquant_awq
