// A dot product of codes with zero points, taken apart into its four terms; and how many products
// of int8 codes an int32 holds.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>

// [terms]
/// Eight activations after a ReLU, most of them real 0, and eight weights.
constexpr std::array<std::int8_t, 8> kA = {-128, -128, -90, -128, 127, -128, -101, -128};
constexpr std::array<std::int8_t, 8> kB = {9, -31, 70, 8, -12, 66, -54, 20};
constexpr int kAZeroPoint = -128, kBZeroPoint = 8;

void print_terms() {
  int direct = 0, raw = 0, sum_a = 0, sum_b = 0;
  for (std::size_t p = 0; p < kA.size(); ++p) {
    direct += (kA[p] - kAZeroPoint) * (kB[p] - kBZeroPoint);
    raw += kA[p] * kB[p];
    sum_a += kA[p];
    sum_b += kB[p];
  }
  const int constant = static_cast<int>(kA.size()) * kAZeroPoint * kBZeroPoint;
  std::printf("raw            %7d\n", raw);
  std::printf("- zb * sum(a)  %+7d\n", -kBZeroPoint * sum_a);
  std::printf("- za * sum(b)  %+7d\n", -kAZeroPoint * sum_b);
  std::printf("+ k * za * zb  %+7d\n", constant);
  std::printf("together       %7d\n", raw - kBZeroPoint * sum_a - kAZeroPoint * sum_b + constant);
  std::printf("directly       %7d\n", direct);
}
// [/terms]

// [bounds]
/// How many products are safe when the operands are at most `a` and `b` from their zero points.
void print_longest(const char* what, std::int64_t a, std::int64_t b) {
  const std::int64_t top = std::numeric_limits<std::int32_t>::max();
  std::printf("%-28s %3d * %3d = %5d   k <= %d\n", what, static_cast<int>(a), static_cast<int>(b),
              static_cast<int>(a * b), static_cast<int>(top / (a * b)));
}
// [/bounds]

// [order]
/// The same 8193 products, summed in a float32 and in an int32: 64 * 64 often enough to make 2^24,
/// then a single 1 * 1, then -64 * 64 as often.
void print_orders() {
  float as_float = 0.0f;
  std::int32_t as_int = 0;
  for (int p = 0; p < 8193; ++p) {
    const int product = p < 4096 ? 64 * 64 : p == 4096 ? 1 : -64 * 64;
    as_float += static_cast<float>(product);
    as_int += product;
  }
  std::printf("int32 %d, float32 %.0f\n", as_int, static_cast<double>(as_float));
}
// [/order]

int main() {
  print_terms();
  std::printf("\n");
  print_longest("zero points 0", 128, 128);
  print_longest("0, codes within +-127", 127, 127);
  print_longest("-128 and 0 (uint8 x int8)", 255, 128);
  print_longest("-128 and -128", 255, 255);
  std::printf("\n");
  print_orders();
}
