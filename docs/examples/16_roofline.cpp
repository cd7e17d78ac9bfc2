// How long one product takes at least, from two numbers about a machine and three about
// the product.
#include <algorithm>
#include <array>
#include <cstdio>

// [machine]
/// What one core of the machine in the text was measured to do.
constexpr double kBytesPerSecond = 45e9;         // reading memory, nothing else
constexpr double kOperationsPerSecond = 1088e9;  // vpdpbusd, 512 bits, nothing else

/// A weight matrix [n,k], read once, times m rows of activations. Seconds.
double at_least(double m, double n, double k, double bytes_per_weight) {
  const double moving = n * k * bytes_per_weight / kBytesPerSecond;
  const double computing = 2 * m * n * k / kOperationsPerSecond;
  return std::max(moving, computing);
}
// [/machine]

struct Format {
  const char* name;
  double bytes_per_weight;
};

int main() {
  // [table]
  const std::array<Format, 4> formats = {{{"int8, a scale per row", 1},
                                          {"int4, groups of 32", 0.5 + 4.0 / 32},
                                          {"int4, groups of 128", 0.5 + 4.0 / 128},
                                          {"int4, a scale per row", 0.5}}};
  std::printf("8192 x 8192           bytes a weight   ms: m = 1   m = 8  m = 64 m = 512\n");
  for (const Format& format : formats) {
    std::printf("%-22s %13.3f", format.name, format.bytes_per_weight);
    for (const double m : {1, 8, 64, 512}) {
      std::printf(" %7.2f", 1e3 * at_least(m, 8192, 8192, format.bytes_per_weight));
    }
    std::printf("\n");
  }
  // [/table]
  std::printf("memory and arithmetic take equally long at m = %.1f (int8), %.1f (int4)\n",
              kOperationsPerSecond / kBytesPerSecond / 2,
              kOperationsPerSecond / kBytesPerSecond / 4);
}
