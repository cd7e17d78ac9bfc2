// Lab 13: what both weights have in common.
#pragma once

#include "binary.hpp"

#include "checks/13_binary/pack_signs.hpp"
#include "checks/13_binary/words_and_bits.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

/// alpha(row) of each row.
template <class Alpha>
Reals of_rows(const Matrix& in, const Alpha& alpha) {
  const auto& [w, rows, cols] = in;
  belong_together(cols >= 1 && w.size() == std::size_t(rows) * std::size_t(cols));
  Reals all;
  for (int r = 0; r < rows; ++r) all.push_back(static_cast<float>(alpha(row_of(w, r, cols))));
  return all;
}

/// The sum of the magnitudes above a threshold, and how many they are.
struct Kept {
  double sum = 0.0, count = 0.0;
  double mean() const { return count > 0.0 ? sum / count : 0.0; }
};
inline Kept kept_above(std::span<const float> row, double threshold) {
  Kept kept;
  for (const double x : row) {
    if (std::fabs(x) > threshold) kept = {kept.sum + std::fabs(x), kept.count + 1.0};
  }
  return kept;
}

/// The same in float32.
inline float float_mean(std::span<const float> row, double threshold = -1.0) {
  float sum = 0.0f, count = 0.0f;
  for (const float x : row) {
    if (std::fabs(x) <= threshold) continue;
    sum += std::fabs(x);
    count += 1.0f;
  }
  return sum / count;
}

inline double sum_of(std::span<const float> row) { return kept_above(row, -1.0).sum; }
inline double mean_magnitude(std::span<const float> row) { return kept_above(row, -1.0).mean(); }

/// What has no mean, whichever function is asked for one; no data, and the size of 2^32.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_mean() {
  return {{"N-NAN", {{1, kNan, 2, 3}, 2, 2}},
          {"N-NAN", {{1, 2, kInfinity, 3}, 2, 2}},
          {"N-NAN", {{1, 2, 3, -kInfinity}, 2, 2}},
          {"N-SIZE", {{}, 2, 0}},
          {"N-SIZE", {{}, 0, 0}},
          {"N-SIZE", {{}, -1, 1}},
          {"N-SIZE", {{}, 0, -1}},
          {"N-SIZE", {{1, 2, 3}, 2, 2}},
          {"N-SIZE", {{1, 2, 3, 4, 5}, 2, 2}},
          {"N-OVERFLOW", {{}, 1 << 16, 1 << 16}}};
}

/// Some weights of each shape, of the same size in all rows, and not.
template <auto F>
std::vector<typename Exercise<F>::Input> random_weights(Seed seed_of, int longest) {
  std::vector<typename Exercise<F>::Input> inputs;
  for (const auto& [rows, cols] : shapes(longest)) {
    Reals w = normal_tensor(std::size_t(rows) * std::size_t(cols), seed_of(std::uint64_t(cols)));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= float(1 + i / std::size_t(cols) % 4);
    inputs.push_back({name_of(rows, cols), {std::move(w), rows, cols}});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_13_binary
