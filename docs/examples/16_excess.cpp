// Why nibbles may be unsigned: what +8 adds to a sum does not depend on the weights.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

// [excess]
constexpr std::array<int, 8> kActivations = {90, -128, 3, 127, -55, 14, 0, -9};
constexpr std::array<int, 8> kWeights = {-8, 7, 1, -3, 0, 5, -6, 2};

void print_sums() {
  int right = 0, excess = 0, sum_a = 0;
  for (std::size_t p = 0; p < kWeights.size(); ++p) {
    right += kActivations[p] * kWeights[p];
    excess += kActivations[p] * (kWeights[p] + 8);
    sum_a += kActivations[p];
  }
  std::printf("a * w           %6d\n", right);
  std::printf("a * (w + 8)     %6d\n", excess);
  std::printf("  - 8 * sum(a)  %6d\n", excess - 8 * sum_a);
}
// [/excess]

// [pairs]
/// The largest sum of two products of unsigned weights up to `w` and int8 activations, and how many
/// such pairs an int16 holds.
void print_pairs(const char* what, int w) {
  const int pair = 2 * w * 128;
  std::printf("%-22s 2 * %3d * 128 = %5d   %d pairs fit in int16\n", what, w, pair, 32768 / pair);
}
// [/pairs]

int main() {
  print_sums();
  print_pairs("8-bit weights + 128", 255);
  print_pairs("4-bit weights + 8", 15);
}
