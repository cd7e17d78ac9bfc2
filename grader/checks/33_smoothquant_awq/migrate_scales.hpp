// Lab 33, migrate_scales: what is right, and what people write instead.
#pragma once

#include "smoothquant_awq.hpp"

#include "checks/33_smoothquant_awq/net_with_outliers.hpp"
#include "checks/33_smoothquant_awq/smoothing_scales.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

using Migrating = Exercise<&migrate_scales>;

inline void look_at_layers(Expect& expect, const TwoLayers& got, const TwoLayers& want) {
  expect_reals(expect, "first", got.first, want.first,
               {want.bias.size(), want.first.size() / want.bias.size()});
  expect_reals(expect, "bias", got.bias, want.bias);
  expect_reals(expect, "second", got.second, want.second,
               {want.second.size() / want.bias.size(), want.bias.size()});
}

inline const auto kSameLayers = [](Expect& expect, const Migrating::Arguments& in,
                                   const TwoLayers& got, const TwoLayers& want) {
  const TwoLayers other = migrated(in.a, each_of(in.b, [](double s) { return 1 / s; }));
  const auto near = [&](const TwoLayers& layers) {
    return all_near(got.first, layers.first, factor_tolerance(largest(layers.first)).absolute);
  };
  expect.that(!near(other) || near(want), "what is to be divided is multiplied", "N-INVERSE");
  expect.suspect("N-BIAS", "bias", in.a.bias, "the bias is as it was: it is divided, too");
  expect.suspect("N-BIAS", "bias",
                 each_of(in.a.bias, [&](double v, std::size_t m) { return v * in.b[m]; }),
                 "the bias is multiplied: it is divided, as its channel is");
  const std::size_t middle = in.a.bias.size(), outputs = in.a.second.size() / middle;
  const auto of_second = [&](const char* code, const char* words, const auto& element) {
    expect.suspect(code, "second", each_of(in.a.second, element), words);
  };
  of_second("N-FORMULA", "the second matrix is divided: it is multiplied",
            [&](double v, std::size_t at) { return v / in.b[at % middle]; });
  of_second("N-FORMULA", "the second matrix is as it was: it is multiplied",
            [](double v) { return v; });
  of_second("N-AXIS", "channels are rows of the second matrix: they are its columns",
            [&](double v, std::size_t at) { return v * in.b[std::min(at / outputs, middle - 1)]; });
  of_second("N-AXIS", "channels are rows of the second matrix: they are its columns",
            [&](double v, std::size_t at) { return v * in.b[at / middle % middle]; });
  expect.suspect(
      "N-AXIS", "first",
      each_of(in.a.first, [&](double v, std::size_t at) { return v / in.b[at % middle]; }),
      "channels are columns of the first matrix: they are its rows");
  expect.suspect("N-FORMULA", "first", in.a.first, "the first matrix is as it was: it is divided");
  look_at_layers(expect, got, want);
};

inline const Migrating migrating{{"first", "bias", "second", "scales"},
                                 {"first", "bias", "second"}};

struct Sizes {
  std::size_t inputs, middle, outputs;
};

/// Channels of very different sizes.
inline TwoLayers some_layers(const Sizes& size, std::uint64_t seed) {
  TwoLayers layers{normals(size.middle * size.inputs, seed), normals(size.middle, seed + 1),
                   normals(size.outputs * size.middle, seed + 2)};
  for (std::size_t at = 0; at < layers.first.size(); ++at) {
    layers.first[at] *= std::ldexp(1.0, static_cast<int>(at / size.inputs * 5 % 7) - 3);
  }
  return layers;
}

inline Doubles some_scales(std::size_t count, std::uint64_t seed) {
  return each_of(normals(count, seed), [](double v) { return std::exp(v); });
}

inline std::vector<Migrating::Input> migrations(Seed seed_of, const std::vector<Sizes>& sizes) {
  return each_of(sizes, [&](const Sizes& size, std::size_t at) -> Migrating::Input {
    return {size_text(size.middle, static_cast<int>(size.inputs)),
            {some_layers(size, seed_of(at)), some_scales(size.middle, seed_of(at + 9))}};
  });
}

inline const std::vector<Sizes> kSizes = {{1, 1, 1}, {5, 3, 2}, {2, 7, 4}, {2, 3, 30}, {16, 12, 9}};

inline const auto kMigrated = [](const LearntNet& one) {
  return migrating({layers_of(one), smoothing_by_definition(smoothing_of(one))});
};

}  // namespace nibble::judge::lab_33_smoothquant_awq
