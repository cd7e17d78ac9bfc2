// One value of 100 among 65,536 ordinary ones: what it does to all the others depends on how many
// elements share a scale.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

constexpr std::size_t kSide = 256;

// [data]
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
// [/data]

double variance(std::span<const float> x) {
  double sum = 0.0, squares = 0.0;
  for (const float value : x) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto n = static_cast<double>(x.size());
  return squares / n - sum / n * (sum / n);
}

// [noise]
/// Mean squared error of 8-bit codes when `shared` consecutive elements have one step size.
double noise(std::span<const float> x, std::size_t shared) {
  double squares = 0.0;
  for (std::size_t first = 0; first < x.size(); first += shared) {
    float biggest = 0.0f;
    for (const float value : x.subspan(first, shared))
      biggest = std::fmax(biggest, std::fabs(value));
    const float step = biggest / 127.0f;
    for (const float value : x.subspan(first, shared)) {
      const double error = std::nearbyint(value / step) * step - value;
      squares += error * error;
    }
  }
  return squares / static_cast<double>(x.size());
}
// [/noise]

int main() {
  std::uint64_t state = 1;
  std::vector<float> x(kSide * kSide);
  for (float& value : x) value = next_normal(state);
  std::vector<float> with_outlier = x;
  with_outlier[kSide * 100 + 7] = 100.0f;

  std::printf("mse / variance, 8 bits          no outlier   one outlier of 100\n");
  const auto row = [&](const char* name, std::size_t shared) {
    std::printf("%-30s  %8.4f %%   %8.4f %%\n", name, 100 * noise(x, shared) / variance(x),
                100 * noise(with_outlier, shared) / variance(with_outlier));
  };
  row("one scale for all", x.size());
  row("one scale per row of 256", kSide);
  row("one scale per group of 32", 32);
}
