// Lab 05, dequantize_per_channel: what is right, and what people write instead.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/quantize_per_channel.hpp"
#include "checks/05_per_channel/scale_of_element.hpp"
#include "checks/05_per_channel/slices_and_groups.hpp"
#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_05_per_channel {

inline const FromChannels from_channels{
    {"q", "scales", "zero_points", "shape", "axis"},
    {"real"},
    suspect_reals<FromChannels>,
    {.sizes = [](const auto& in) { return as_shape(in.a.shape); }}};

inline std::vector<FromChannels::Input> every_tensor(Seed seed_of) {
  return tensors<FromChannels>(every_axis(8, seed_of), seed_of);
}

}  // namespace nibble::judge::lab_05_per_channel
