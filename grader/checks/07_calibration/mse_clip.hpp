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

inline double squared(double sum, double off, bool /*is_cut*/) { return sum + off * off; }

/// How the clips are compared. What people do differently is one of these with another value.
struct Trial {
  int qmin, qmax;
  float (*round)(float) = to_even;
  double (*add)(double sum, double off, bool is_cut) = squared;
  float amax = -1;  ///< below 0: that of x
};

/// Every clip that is tried, and its error.
inline Fit fit(const Reals& x, const Trial& how) {
  Fit all;
  const float amax = how.amax < 0 ? max_abs(x) : how.amax;
  for (int k = 1; k <= 100; ++k) {
    const float clip = amax * (static_cast<float>(k) / 100.0f);
    const float scale = std::max(clip / static_cast<float>(how.qmax), FLT_MIN);
    all.clips[k] = clip;
    for (const float value : x) {
      const auto steps =
          static_cast<float>(std::clamp<double>(how.round(value / scale), how.qmin, how.qmax));
      const double off = static_cast<double>(scale * steps) - value;
      all.errors[k] = how.add(all.errors[k], off, std::fabs(value) > clip);
    }
  }
  return all;
}

/// scale[k] is no float32.
inline Fit fit_in_double(const Reals& x, int qmin, int qmax) {
  Fit all;
  for (int k = 1; k <= 100; ++k) {
    all.clips[k] = max_abs(x) * (static_cast<float>(k) / 100.0f);
    const double scale = std::max<double>(all.clips[k] / double(qmax), FLT_MIN);
    for (const float value : x) {
      const double steps = std::clamp<double>(std::nearbyint(value / scale), qmin, qmax);
      all.errors[k] = squared(all.errors[k], double{float(scale * steps)} - value, false);
    }
  }
  return all;
}

/// Of each `step`-th clip up to that of k = `last`.
inline float best_clip(const Fit& all, bool larger = true, std::size_t last = 100,
                       std::size_t step = 1) {
  std::size_t best = step;
  for (std::size_t k = 2 * step; k <= last; k += step) {
    const double error = all.errors[k], least = all.errors[best];
    if (error < least || (larger && error == least)) best = k;
  }
  return all.clips[best];
}

/// Magnitudes of errors, and errors of what is kept, choose the same clip of an outlier.
inline constexpr const char* kCheapCut =
    "what is cut costs too little: the square of each error counts";

/// Other errors than the sum of squares.
inline void suspect_errors(Expect& expect, const Reals& x, int qmin, int qmax) {
  const auto looks = [&](const char* words, double (*add)(double, double, bool)) {
    expect.suspect("N-FORMULA", "clip", best_clip(fit(x, {qmin, qmax, to_even, add})), words);
  };
  looks(kCheapCut, [](double sum, double off, bool) { return sum + std::fabs(off); });
  looks("the largest error is compared: the sum of all squares is",
        [](double most, double off, bool) { return std::max(most, off * off); });
  looks(kCheapCut,
        [](double sum, double off, bool is_cut) { return is_cut ? sum : sum + off * off; });
  looks("squares are summed in float32: the sum is a double", [](double sum, double off, bool) {
    const float narrow = static_cast<float>(off);
    return double{static_cast<float>(sum) + narrow * narrow};
  });
}

inline void suspect_fits(Expect& expect, const Mse::Arguments& in, float right) {
  const auto& [x, num_bits] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  const auto looks = [&](const char* code, const char* words, float clip) {
    expect.suspect(code, "clip", clip, words);
  };
  looks("N-FORMULA", "scale[k] is a double: it is a float32",
        best_clip(fit_in_double(x, qmin, qmax)));
  looks("N-RANGE", "codes end at -qmax: -qmax - 1 is a code, too",
        best_clip(fit(x, {-qmax, qmax})));
  looks("N-RANGE", "codes have 8 bits: they have num_bits", best_clip(fit(x, {-128, 127})));
  looks("N-ROUND", "ties go away from zero: they go to the even neighbour",
        best_clip(fit(x, {qmin, qmax, [](float steps) { return std::round(steps); }})));
  looks("N-SCALE", "the scale is returned: the clip is qmax times as large",
        right / static_cast<float>(qmax));
  const float highest = x.empty() ? 0 : std::max(hi_of(x), 0.0f);
  looks("N-RANGE", "amax is the greatest value: it is the largest magnitude",
        best_clip(fit(x, {qmin, qmax, to_even, squared, highest})));
  const Fit usual = fit(x, {qmin, qmax});
  looks("N-FORMULA", "amax is returned: a smaller clip may have a smaller error", max_abs(x));
  looks("N-FORMULA", "of equal errors the smaller clip wins: the larger does",
        best_clip(usual, /*larger=*/false));
  looks("N-FORMULA", "amax itself is not tried: clip[100] is", best_clip(usual, true, 99));
  looks("N-FORMULA", "every tenth clip is tried: a hundred are", best_clip(usual, true, 100, 10));
  suspect_errors(expect, x, qmin, qmax);
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
