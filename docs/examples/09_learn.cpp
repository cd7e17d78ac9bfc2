// A scale that is learnt by descent, beside the best of a hundred clips that are tried.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using Reals = std::vector<float>;

/// Roughly normal numbers, the same on every compiler: twelve uniforms minus six (SplitMix64).
float next_normal(std::uint64_t& state) {
  float sum = -6.0f;
  for (int i = 0; i < 12; ++i) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    sum += static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24f;
  }
  return sum;
}

Reals normal_values(std::uint64_t seed) {
  Reals x(8192);
  for (float& value : x) value = next_normal(seed);
  return x;
}

float amax_of(const Reals& x) {
  float amax = 0;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

double error_of(const Reals& x, float scale, float qmax) {
  double sum = 0;
  for (const float value : x) {
    const float code = std::clamp(std::nearbyint(value / scale), -qmax - 1, qmax);
    const double off = double{scale * code} - double{value};
    sum += off * off;
  }
  return sum / static_cast<double>(x.size());
}

// [descent]
/// LSQ's gradient of half the squared error by the scale: the sum, not yet divided by the root.
double slope_of_error(const Reals& x, float scale, float qmax) {
  double sum = 0;
  for (const float value : x) {
    const float v = value / scale, rounded = std::nearbyint(v);
    const float code = std::clamp(rounded, -qmax - 1, qmax);
    const float slope = code == rounded ? rounded - v : code;
    sum += double{scale * code - value} * double{slope};
  }
  return sum;
}

float next_scale(const Reals& x, float scale, float qmax) {
  const auto n = static_cast<float>(x.size());
  const auto gradient = static_cast<float>(slope_of_error(x, scale, qmax) / std::sqrt(n * qmax));
  const float rate = 0.5f * std::sqrt(qmax / n);
  return std::clamp(scale - rate * gradient, scale / 2, scale * 2);
}
// [/descent]

float best_of_a_hundred(const Reals& x, float qmax) {
  float best = 0;
  double least = HUGE_VAL;
  for (int k = 100; k >= 1; --k) {
    const float clip = amax_of(x) * (static_cast<float>(k) / 100.0f);
    const double error = error_of(x, clip / qmax, qmax);
    if (error < least) best = clip;
    least = std::min(least, error);
  }
  return best;
}

void print_descent(const Reals& x) {
  const float qmax = 7, start = amax_of(x) / qmax;
  float above = start, below = start / 20;
  std::printf("        from the largest value      from a twentieth of it\n");
  std::printf("step      clip   error               clip   error\n");
  for (int step = 0; step <= 60; ++step) {
    if (step <= 6 || step == 10 || step % 20 == 0) {
      std::printf("%4d    %6.3f  %.5f             %6.3f  %.5f\n", step, above * qmax,
                  error_of(x, above, qmax), below * qmax, error_of(x, below, qmax));
    }
    above = next_scale(x, above, qmax);
    below = next_scale(x, below, qmax);
  }
  const float best = best_of_a_hundred(x, qmax);
  std::printf("best of a hundred  %6.3f  %.5f\n\n", best, error_of(x, best / qmax, qmax));
}

void print_widths() {
  std::printf("         learnt / best: clip       error, learnt / best\n");
  std::printf("bits       1     2     3         1      2      3    (seed)\n");
  for (int bits = 2; bits <= 8; ++bits) {
    const auto qmax = static_cast<float>((1 << (bits - 1)) - 1);
    std::array<double, 3> clips{}, errors{};
    for (std::size_t s = 0; s < 3; ++s) {
      const Reals x = normal_values(s + 1);
      float scale = amax_of(x) / qmax;
      for (int step = 0; step < 60; ++step) scale = next_scale(x, scale, qmax);
      const float best = best_of_a_hundred(x, qmax);
      clips[s] = scale * qmax / best;
      errors[s] = error_of(x, scale, qmax) / error_of(x, best / qmax, qmax);
    }
    std::printf("%4d   %5.3f %5.3f %5.3f     %6.4f %6.4f %6.4f\n", bits, clips[0], clips[1],
                clips[2], errors[0], errors[1], errors[2]);
  }
}

int main() {
  print_descent(normal_values(1));
  print_widths();
}
