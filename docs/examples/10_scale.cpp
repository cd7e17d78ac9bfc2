// What becomes of small gradients in half, and how a scale finds its height.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <random>
#include <vector>

/// Magnitudes that are spread over many powers of two, around 2^-20, as gradients are.
std::vector<double> gradients(int count) {
  std::mt19937 bits(1);
  std::vector<double> g;
  for (int i = 0; i < count; ++i) {
    double sum = -6.0;
    for (int j = 0; j < 12; ++j) sum += bits() * 0x1p-32;
    g.push_back(std::exp2(4 * sum - 20));
  }
  return g;
}

// [shares]
/// How many of the scaled gradients a half takes for 0, and how many it cannot reach. Up to 2^-25
/// all is 0; from 65520 on all is infinite.
void print_shares(const std::vector<double>& g, int exponent) {
  int lost = 0, over = 0;
  for (const double value : g) {
    const double scaled = std::ldexp(value, exponent);
    lost += scaled <= 0x1p-25 ? 1 : 0;
    over += scaled >= 65520.0 ? 1 : 0;
  }
  const double count = static_cast<double>(g.size());
  std::printf("2^%-6d %10.2f %% %14.2f %%\n", exponent, 100 * lost / count, 100 * over / count);
}
// [/shares]

/// The largest gradient shrinks by half every 100 steps; the scale follows it.
void print_scale(int growth_interval) {
  double scale = 0x1p16;
  int good_steps = 0, skipped = 0;
  for (int step = 1; step <= 400; ++step) {
    const double largest = std::exp2(2 - step / 100.0);
    const double before = scale;
    if (scale * largest >= 65520.0) {
      scale /= 2;
      good_steps = 0;
      ++skipped;
    } else if (++good_steps == growth_interval) {
      scale *= 2;
      good_steps = 0;
    }
    if (scale != before) std::printf("%5d   2^%d\n", step, std::ilogb(scale));
  }
  std::printf("%d of 400 steps skipped\n", skipped);
}

int main() {
  std::puts("scale      become 0     become infinite");
  const std::vector<double> g = gradients(1 << 18);
  for (const int exponent : {0, 8, 16, 24, 32}) print_shares(g, exponent);
  std::puts("\n step   scale");
  print_scale(50);
}
