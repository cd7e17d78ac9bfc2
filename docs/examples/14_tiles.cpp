// What a tile of r x c running sums reads, and what a product needs in bits: arithmetic, no clock.
#include <cstdint>
#include <cstdio>
#include <initializer_list>

// [tile]
/// For each p, r codes of a and c codes of b meet in r * c products.
void print_tile(int r, int c) {
  const double loads = double(r + c) / (r * c);
  std::printf("%d x %d   %2d sums   %.2f codes read per product\n", r, c, r * c, loads);
}
// [/tile]

// [pairs]
std::int16_t saturated(int value) {
  return static_cast<std::int16_t>(value > 32767 ? 32767 : value < -32768 ? -32768 : value);
}

/// Two products and their sum: what is right, and what 16 bits make of it.
void print_pair(const char* what, int a, int b) {
  const int sum = a * b + a * b;
  std::printf("%-12s %6d + %6d = %6d   in int16: %6d\n", what, a * b, a * b, sum, saturated(sum));
}
// [/pairs]

int main() {
  for (const int c : {1, 4}) print_tile(1, c);
  for (const int r : {2, 4}) print_tile(r, 4);
  print_pair("int8 int8", 127, 127);
  print_pair("int8 int8", -128, -128);
  print_pair("uint8 int8", 255, 127);
}
