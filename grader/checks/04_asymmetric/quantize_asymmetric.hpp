// Lab 04, quantize_asymmetric: what is right, and what people write instead.
#pragma once

#include "asymmetric.hpp"

#include "checks/04_asymmetric/asymmetric_parameters.hpp"
#include "checks/04_asymmetric/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_04_asymmetric {

using Asymmetric = Exercise<&quantize_asymmetric>;
inline const Asymmetric asymmetric{{"x", "num_bits", "policy"}, {"q", "scale", "zero_point"}};

/// The same inputs, for the function that quantizes as well.
inline std::vector<Asymmetric::Input> to_quantize(Seed seed_of, std::size_t longest) {
  std::vector<Asymmetric::Input> inputs;
  for (auto& [name, in] : every_width_and_length(seed_of, longest)) inputs.push_back({name, in});
  return inputs;
}

}  // namespace nibble::judge::lab_04_asymmetric
