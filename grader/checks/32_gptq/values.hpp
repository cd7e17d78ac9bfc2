// Lab 32: what more than one of its exercises needs.
#pragma once

#include "gptq.hpp"

#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_32_gptq {

inline Shape square(std::int32_t inputs) { return Shape(2, static_cast<std::size_t>(inputs)); }

/// Inputs of which each resembles the one before it, as those of a layer do.
inline Doubles correlated(std::size_t samples, std::size_t n, std::uint64_t seed) {
  Doubles x = normals(samples * n, seed);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % n > 0) x[i] = 0.9 * x[i - 1] + 0.435 * x[i];
  }
  return x;
}

}  // namespace nibble::judge::lab_32_gptq
