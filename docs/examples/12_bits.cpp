// What a weight costs in a block and what it loses, for nearly normal weights.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "nibble/half.hpp"

constexpr int kValues = 32;
using Values = std::array<float, kValues>;

// [rules]
/// The squared error of a block whose scale is d, with codes from qmin to qmax.
double squared_error(const Values& v, float d, float qmin, float qmax) {
  const float stored = nibble::float_from_half(nibble::half_from_float(d));
  double sum = 0.0;
  for (const float x : v) {
    const float code = d == 0.0f ? 0.0f : std::clamp(std::round(x / d), qmin, qmax);
    sum += std::pow(double(x) - double(stored * code), 2);
  }
  return sum;
}
// [/rules]

void print_sizes() {
  std::printf(
      "                bytes of 32 weights   bits a weight   share of fp32   7e9 weights\n");
  const auto row = [](const char* name, double bytes) {
    std::printf("%-14s %20.0f %15.1f %13.1f %% %9.2f GB\n", name, bytes, bytes * 8 / kValues,
                100 * bytes / (4 * kValues), 7 * bytes / kValues);
  };
  row("fp32", 4 * kValues);
  row("fp16", 2 * kValues);
  row("Q8_0", 2 + kValues);
  row("Q4_0", 2 + kValues / 2.0);
  row("codes alone", kValues / 2.0);
}

int main() {
  print_sizes();
  std::mt19937_64 bits(12);
  const auto nearly_normal = [&] {  // twelve uniforms
    double sum = -6.0;
    for (int k = 0; k < 12; ++k) sum += double(bits() >> 11) * 0x1p-53;
    return float(0.02 * sum);
  };
  double power = 0.0, extreme_on_8 = 0.0, amax_on_7 = 0.0, eight_bits = 0.0;
  for (int block = 0; block < 40'000; ++block) {
    Values v;
    for (float& x : v) x = nearly_normal();
    float extreme = 0.0f;
    for (const float x : v) {
      power += double(x) * double(x);
      if (std::fabs(x) > std::fabs(extreme)) extreme = x;
    }
    extreme_on_8 += squared_error(v, extreme / -8.0f, -8, 7);
    amax_on_7 += squared_error(v, std::fabs(extreme) / 7.0f, -7, 7);
    eight_bits += squared_error(v, std::fabs(extreme) / 127.0f, -127, 127);
  }
  const auto decibels = [&](double error) { return 10 * std::log10(power / error); };
  std::printf("\n1,280,000 nearly normal weights            error\n");
  std::printf("Q8_0                                  %5.2f dB below\n", decibels(eight_bits));
  std::printf("Q4_0, the extreme on -8               %5.2f dB below\n", decibels(extreme_on_8));
  std::printf("four bits, the amax on 7              %5.2f dB below\n", decibels(amax_on_7));
}
