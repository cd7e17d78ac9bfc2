// A scale for a tensor, and one for each 32 values: what blocks are worth, what their scale costs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <vector>

struct Format {
  const char* name;
  int fraction_bits, least, top;  // 2^top: the largest power of two
  float largest;
};
constexpr Format kE4m3{"E4M3", 3, -6, 8, 448}, kE5m2{"E5M2", 2, -14, 15, 57344};

float rounded(float x, const Format& f) {
  const float step = std::ldexp(1.0f, std::max(std::ilogb(x), f.least) - f.fraction_bits);
  return std::clamp(x - std::remainder(x, step), -f.largest, f.largest);
}

/// Rows of 1,024 values, roughly normal; the standard deviations of rows lie 2^-spread to 2^spread
/// apart.
std::vector<float> rows(int count, double spread) {
  std::mt19937 bits(1);
  std::vector<float> x;
  for (int i = 0; i < count; ++i) {
    const double stddev = std::exp2(spread * (bits() * 0x1p-31 - 1));
    for (int j = 0; j < 1024; ++j) {
      double sum = -6.0;
      for (int k = 0; k < 12; ++k) sum += bits() * 0x1p-32;
      x.push_back(static_cast<float>(stddev * sum));
    }
  }
  return x;
}

float amax_of(std::span<const float> x) {
  float amax = 0.0f;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

// [exponents]
/// e of 2^e <= amax < 2^(e + 1): the exponent of the float, less its bias.
int exponent_in(float amax) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &amax, sizeof bits);
  return static_cast<int>(bits >> 23) - 127;
}

/// What a logarithm says, where it is asked in float32.
int exponent_by_logarithm(float amax) { return static_cast<int>(std::floor(std::log2(amax))); }
// [/exponents]

using Scale = std::function<float(float amax, const Format&)>;

float whole_scale(float amax, const Format& f) { return amax / f.largest; }
float mx_scale(float amax, const Format& f) { return std::ldexp(1.0f, exponent_in(amax) - f.top); }
float mx_raised(float amax, const Format& f) {  // where the largest would saturate, twice the scale
  const float scale = mx_scale(amax, f);
  return amax / scale > f.largest ? 2 * scale : scale;
}

/// The mean over rows of each row's noise, relative: a quiet row is as good as a loud one. How many
/// values saturate, and how far off the worst of these is.
void print_noise(const char* name, const std::vector<float>& x, std::size_t block, const Format& f,
                 const Scale& scale_of) {
  double noise = 0.0, worst = 0.0;
  int saturated = 0;
  float scale = 0.0f;
  for (std::size_t row = 0; row < x.size(); row += 1024) {
    double error = 0.0, signal = 0.0;
    for (std::size_t i = row; i < row + 1024; ++i) {
      if (i % block == 0) scale = scale_of(amax_of(std::span(x).subspan(i, block)), f);
      const double off = std::fabs(scale * rounded(x[i] / scale, f) - x[i]);
      if (std::fabs(x[i] / scale) > f.largest * 1.0001f) {  // the scale itself is rounded
        ++saturated;
        worst = std::max(worst, off / std::fabs(x[i]));
      }
      error += off * off;
      signal += double{x[i]} * x[i];
    }
    noise += error / signal;
  }
  const double count = static_cast<double>(x.size());
  std::printf("%-28s%6.1f dB%9.2f %%%9.1f %%\n", name, -10 * std::log10(noise * 1024 / count),
              100 * saturated / count, 100 * worst);
}

int main() {
  for (const double spread : {0.0, 12.0}) {
    const std::vector<float> x = rows(64, spread);
    std::printf("%-30s  noise   saturate     worst\n",
                spread == 0.0 ? "rows alike" : "rows of 2^-12 to 2^12");
    print_noise("E4M3, a scale for all", x, x.size(), kE4m3, whole_scale);
    print_noise("E4M3, blocks of 32", x, 32, kE4m3, mx_scale);
    print_noise("E4M3, blocks, raised to fit", x, 32, kE4m3, mx_raised);
    print_noise("E5M2, blocks of 32", x, 32, kE5m2, mx_scale);
    std::puts("");
  }

  int wrong = 0, first = 0;
  for (int k = -126; k <= 127; ++k) {
    const float below = std::nextafter(std::ldexp(1.0f, k), 0.0f);
    if (exponent_by_logarithm(below) == exponent_in(below)) continue;
    if (k > 0 && first == 0) first = k;
    ++wrong;
  }
  std::printf("the float below 2^k: of 254, a logarithm misses %d, from 2^%d on all above 1\n",
              wrong, first);
}
