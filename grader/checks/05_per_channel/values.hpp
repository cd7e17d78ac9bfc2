// Lab 05: what more than one of its exercises needs.
#pragma once

#include "per_channel.hpp"

#include "judge/exercise.hpp"

namespace nibble {

inline std::string show(Symmetry symmetry) {
  return symmetry == Symmetry::kSymmetric ? "kSymmetric" : "kAsymmetric";
}

}  // namespace nibble

namespace nibble::judge::lab_05_per_channel {

using Sizes = std::vector<std::int32_t>;

inline const std::vector<int> kWidths{2, 3, 4, 5, 6, 7, 8};
inline constexpr std::array kSymmetries{Symmetry::kSymmetric, Symmetry::kAsymmetric};

using Channels = Exercise<&quantize_per_channel>;  // x, shape, axis, num_bits, symmetry
using FromChannels = Exercise<&dequantize_per_channel>;
using Groups = Exercise<&quantize_per_group>;  // x, row_length, group_size, num_bits
using FromGroups = Exercise<&dequantize_per_group>;

}  // namespace nibble::judge::lab_05_per_channel
