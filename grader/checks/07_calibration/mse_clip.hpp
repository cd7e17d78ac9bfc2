// Lab 07, mse_clip: what is right, and what people write instead.
#pragma once

#include "calibration.hpp"

#include "checks/07_calibration/values.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_07_calibration {

using Mse = Exercise<&mse_clip>;

struct Fit {
  std::array<float, 101> clips{};
  std::array<double, 101> errors{};
};

inline float to_even(float steps) { return std::nearbyint(steps); }

/// Every clip that is tried, and its error, to codes from `qmin` on.
inline Fit fit(const Reals& x, int qmin, int qmax, float (*round)(float) = to_even) {
  Fit all;
  for (int k = 1; k <= 100; ++k) {
    const float clip = max_abs(x) * (static_cast<float>(k) / 100.0f);
    const float scale = std::max(clip / static_cast<float>(qmax), FLT_MIN);
    all.clips[k] = clip;
    for (const float value : x) {
      const auto steps = static_cast<float>(std::clamp<double>(round(value / scale), qmin, qmax));
      const double error = static_cast<double>(scale * steps) - value;
      all.errors[k] += error * error;
    }
  }
  return all;
}

inline float best_clip(const Fit& all, bool larger = true) {
  std::size_t best = 1;
  for (std::size_t k = 2; k <= 100; ++k) {
    const double error = all.errors[k], least = all.errors[best];
    if (error < least || (larger && error == least)) best = k;
  }
  return all.clips[best];
}

inline void suspect_fits(Expect& expect, const Mse::Arguments& in, float right) {
  const auto& [x, num_bits] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  const auto looks = [&expect, &x = x](const char* code, const Fit& wrong) {
    const float clip = best_clip(wrong);
    if (clip != max_abs(x)) expect.suspect(code, "clip", clip);  // amax looks like anything
  };
  looks("N-RANGE", fit(x, -qmax, qmax));
  looks("N-RANGE", fit(x, -128, 127));
  looks("N-ROUND", fit(x, qmin, qmax, [](float steps) { return std::round(steps); }));
  const float scale = right / static_cast<float>(qmax);
  if (scale >= FLT_MIN) expect.suspect("N-SCALE", "clip", scale);
  const float highest = x.empty() ? 0 : std::max(hi_of(x), 0.0f);
  for (float value : fit(x, qmin, qmax).clips) {  // amax without the sign
    expect.suspect("N-RANGE", "clip", highest == max_abs(x) ? kNan : value / max_abs(x) * highest);
  }
}

inline const Mse mse{{"x", "num_bits"}, {"clip"}, suspect_fits};

inline std::vector<Mse::Input> tensors(Seed seed_of, std::size_t longest) {
  std::vector<Mse::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{33}, longest}) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      Reals x = normal_tensor(count, seed_of(count * 16 + static_cast<std::size_t>(num_bits)));
      x[count / 2] *= -3.0f;  // an outlier, so that there is something to cut
      inputs.push_back({std::to_string(count) + " values, " + std::to_string(num_bits) + " bits",
                        {std::move(x), num_bits}});
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_07_calibration
