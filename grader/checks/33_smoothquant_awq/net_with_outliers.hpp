// Lab 33: a net with outliers.
#pragma once

#include "smoothquant_awq.hpp"

#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

inline Reals as_floats(const Doubles& numbers) {
  return each_of(numbers, [](double v) { return static_cast<float>(v); });
}

inline TwoLayers layers_of(const LearntNet& one) {
  const Linear &first = one.net.layers[0], &second = one.net.layers[1];
  return {as_doubles(first.weight), as_doubles(first.bias), as_doubles(second.weight)};
}

/// The scores with these two layers, in W8A8; none where they have other sizes.
inline Reals scores_with(const LearntNet& one, const TwoLayers& layers) {
  Mlp net = one.net;
  Linear &first = net.layers[0], &second = net.layers[1];
  first.weight = as_floats(layers.first), first.bias = as_floats(layers.bias);
  second.weight = as_floats(layers.second);
  const bool fit = first.weight.size() == one.net.layers[0].weight.size() &&
                   first.bias.size() == first.outputs &&
                   second.weight.size() == one.net.layers[1].weight.size();
  return fit ? forward_in_int8(net, one.x) : Reals{};
}

/// With what run(net) makes of its layers, W8A8 is as good as float, within what `exam` allows.
inline void tames_nets(const Exam& exam, std::uint64_t seed,
                       const std::function<TwoLayers(const LearntNet&)>& run) {
  keeps_nets(kLessonWithOutliers, exam, seed,
             [&](const LearntNet& one) { return scores_with(one, run(one)); });
}

inline constexpr const char* kTinyIsNoZero =
    "the scale is 1 where a range is 0, and not where it is tiny";

inline TwoLayers migrated(const TwoLayers& layers, const Doubles& scales) {
  const std::size_t middle = layers.bias.size();
  if (middle == 0 || layers.first.empty() || layers.second.empty() || scales.size() != middle ||
      layers.first.size() % middle != 0 || layers.second.size() % middle != 0) {
    throw std::invalid_argument("sizes that do not fit");
  }
  const std::size_t inputs = layers.first.size() / middle;
  return {
      each_of(layers.first, [&](double v, std::size_t at) { return v / scales[at / inputs]; }),
      each_of(layers.bias, [&](double v, std::size_t m) { return v / scales[m]; }),
      each_of(layers.second, [&](double v, std::size_t at) { return v * scales[at % middle]; })};
}

}  // namespace nibble::judge::lab_33_smoothquant_awq
