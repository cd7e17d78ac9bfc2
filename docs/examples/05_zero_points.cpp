// Rows that lie around 0, and rows that lie on one side of it: what a zero point for each is worth.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

/// Roughly normal numbers, the same on every compiler: twelve uniforms minus six (SplitMix64).
double next_normal(std::uint64_t& state) {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    sum += static_cast<double>((z ^ (z >> 31)) >> 40) * 0x1p-24;
  }
  return sum;
}

// [noise]
struct Range {
  double lo = 0.0, hi = 0.0;  // 0 is in it from the start
};

/// Mean squared error of 8-bit codes of x that reach over the range: around 0, or from end to end.
double noise(std::span<const double> x, Range range, bool symmetric) {
  if (symmetric) range.hi = std::max(range.hi, -range.lo);
  const double scale = symmetric ? range.hi / 127.0 : (range.hi - range.lo) / 255.0;
  const double zero_point = symmetric ? 0.0 : -128.0 - std::nearbyint(range.lo / scale);
  double squares = 0.0;
  for (const double value : x) {
    const double q = std::clamp(std::nearbyint(value / scale) + zero_point, -128.0, 127.0);
    const double error = scale * (q - zero_point) - value;
    squares += error * error;
  }
  return squares / static_cast<double>(x.size());
}
// [/noise]

Range range_of(std::span<const double> x) {
  Range range;
  for (const double value : x) {
    range = {std::min(range.lo, value), std::max(range.hi, value)};
  }
  return range;
}

int main() {
  constexpr std::size_t kLength = 4096;
  constexpr std::array kNames{"around 0", "behind a ReLU", "from 7 to 15"};
  std::uint64_t state = 1;
  std::array<std::vector<double>, 3> rows;
  for (std::size_t i = 0; i < kLength; ++i) {
    rows[0].push_back(0.1 * next_normal(state));
    rows[1].push_back(std::max(0.0, next_normal(state)));
    rows[2].push_back(11.0 + next_normal(state));
  }
  Range whole;
  for (const auto& row : rows) {
    const Range range = range_of(row);
    whole = {std::min(whole.lo, range.lo), std::max(whole.hi, range.hi)};
  }
  std::printf("%-15s %23s %23s\n", "mse of the row", "one range for all", "a range each");
  std::printf("%-15s %11s %11s %11s %11s\n", "", "symmetric", "asymmetric", "symmetric",
              "asymmetric");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Range own = range_of(rows[r]);
    std::printf("%-15s %11.2e %11.2e %11.2e %11.2e\n", kNames[r], noise(rows[r], whole, true),
                noise(rows[r], whole, false), noise(rows[r], own, true),
                noise(rows[r], own, false));
  }
}
