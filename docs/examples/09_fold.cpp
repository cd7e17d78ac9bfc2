// A layer as it is trained and as it is deployed: how many codes differ when the trained form
// multiplies real numbers, and when it does the arithmetic of the integers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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

struct Scales {
  float x, weight, y;
};

float code(float real, float scale) {
  return std::clamp(std::nearbyint(real / scale), -128.0f, 127.0f);
}

// [forms]
/// What runs in the end: codes, an integer sum, one factor.
float integers(const Reals& x, const Reals& weight, Scales s) {
  std::int32_t sum = 0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    sum += static_cast<std::int32_t>(code(x[p], s.x)) *
           static_cast<std::int32_t>(code(weight[p], s.weight));
  }
  return code(static_cast<float>(sum) * ((s.x * s.weight) / s.y), 1);
}

/// What most frameworks train: each number is rounded to the grid and stays a real number.
float real_numbers(const Reals& x, const Reals& weight, Scales s) {
  float sum = 0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    sum += (s.x * code(x[p], s.x)) * (s.weight * code(weight[p], s.weight));
  }
  return code(sum, s.y);
}

/// The same in units of steps, with the scales where the integers have them.
float whole_numbers(const Reals& x, const Reals& weight, Scales s) {
  double sum = 0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    sum += double{code(x[p], s.x)} * double{code(weight[p], s.weight)};
  }
  return code(static_cast<float>(sum) * ((s.x * s.weight) / s.y), 1);
}
// [/forms]

/// How many of `outputs` sums get another code than the integers have: {real, whole numbers}.
std::array<int, 2> differing(std::size_t inputs, int outputs, bool decimal) {
  std::uint64_t state = inputs;
  std::array<int, 2> counts{};
  const float y = 0.025f * std::sqrt(static_cast<float>(inputs));
  for (int i = 0; i < outputs; ++i) {
    Reals x(inputs), weight(inputs);
    for (float& value : x) value = next_normal(state);
    for (float& value : weight) value = next_normal(state);
    const float some = 1 + 0.1f * next_normal(state);
    const Scales s = decimal ? Scales{0.1f, 0.1f, y} : Scales{0.1f * some, 0.1f / some, y * some};
    const float wanted = integers(x, weight, s);
    counts[0] += real_numbers(x, weight, s) != wanted ? 1 : 0;
    counts[1] += whole_numbers(x, weight, s) != wanted ? 1 : 0;
  }
  return counts;
}

int main() {
  std::printf("                    real numbers: other codes     whole numbers: other codes\n");
  std::printf("inputs   outputs    any scales   decimal scales    any scales   decimal scales\n");
  for (const std::size_t inputs : {std::size_t{16}, std::size_t{256}, std::size_t{4096}}) {
    const int outputs = static_cast<int>((1 << 22) / inputs);
    const auto any = differing(inputs, outputs, false), decimal = differing(inputs, outputs, true);
    std::printf("%6zu  %8d  %12d  %14d  %12d  %14d\n", inputs, outputs, any[0], decimal[0], any[1],
                decimal[1]);
  }
}
