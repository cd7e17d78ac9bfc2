// Lab 33, equalize_layers: what is right, and what people write instead.
#pragma once

#include "smoothquant_awq.hpp"

#include "checks/33_smoothquant_awq/migrate_scales.hpp"
#include "checks/33_smoothquant_awq/net_with_outliers.hpp"
#include "checks/33_smoothquant_awq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

using Equalizing = Exercise<&equalize_layers>;

/// scale(in front, behind, channel) of each.
template <class Scale>
TwoLayers equalized_by(const TwoLayers& layers, const Scale& scale) {
  const std::size_t middle = layers.bias.size();
  if (middle == 0 || layers.first.size() % middle != 0) throw std::invalid_argument("no channel");
  Doubles scales;
  for (std::size_t m = 0; m < middle; ++m) {
    const double in_front = largest(row_of(layers.first, layers.first.size() / middle, m)),
                 behind = largest_of(layers.second, middle, m);
    scales.push_back(in_front == 0 || behind == 0 ? 1 : scale(in_front, behind, m));
  }
  return migrated(layers, scales);
}
inline TwoLayers equalized(const TwoLayers& layers) {
  return equalized_by(layers,
                      [](double front, double behind, auto) { return std::sqrt(front / behind); });
}

inline const auto kEqualLayers = [](Expect& expect, const Equalizing::Arguments& in,
                                    const TwoLayers& got, const TwoLayers& want) {
  const auto suspect = [&](const char* code, const char* words, const auto& scale) {
    expect.suspect(code, "first", equalized_by(in.a, scale).first, words);
  };
  suspect("N-INVERSE", "scales are upside down",
          [](double front, double behind, auto) { return std::sqrt(behind / front); });
  suspect("N-FORMULA", "a scale is the quotient: it is the root of it",
          [](double front, double behind, auto) { return front / behind; });
  suspect("N-FORMULA", "a scale is the root of the product: it is that of the quotient",
          [](double front, double behind, auto) { return std::sqrt(front * behind); });
  suspect("N-FORMULA", "a scale is the range in front: it is the root of front / behind",
          [](double front, double, auto) { return front; });
  suspect("N-FORMULA", "the range behind is left out",
          [](double front, double, auto) { return std::sqrt(front); });
  const double all_behind = largest(in.a.second), all_in_front = largest(in.a.first);
  suspect("N-AXIS", "the range behind is of all channels: each has its own",
          [&](double front, double, auto) { return std::sqrt(front / all_behind); });
  suspect("N-AXIS", "the range in front is of all channels: each has its own",
          [&](double, double behind, auto) { return std::sqrt(all_in_front / behind); });
  const std::size_t middle = want.bias.size();
  suspect("N-AXIS", "the range behind is of a row of the second matrix: a channel is a column",
          [&](double front, double, std::size_t m) {
            const bool is_row = m < in.a.second.size() / middle;
            return is_row ? std::sqrt(front / largest(row_of(in.a.second, middle, m))) : 1;
          });
  suspect("N-FORMULA",
          "the range in front is the first weight of a row: it is the largest |weight|",
          [&](double, double behind, std::size_t m) {
            return std::sqrt(std::fabs(in.a.first[m * in.a.first.size() / middle]) / behind);
          });
  look_at_layers(expect, got, want);
};

inline const Equalizing equalizing{{"first", "bias", "second"}, {"first", "bias", "second"}};

inline std::vector<Equalizing::Input> equalizations(Seed seed_of, const std::vector<Sizes>& sizes) {
  return each_of(sizes, [&](const Sizes& size, std::size_t at) -> Equalizing::Input {
    return {size_text(size.middle, static_cast<int>(size.inputs)),
            {some_layers(size, seed_of(at))}};
  });
}

inline const auto kLevelled = [](const LearntNet& one) { return equalizing({layers_of(one)}); };

}  // namespace nibble::judge::lab_33_smoothquant_awq
