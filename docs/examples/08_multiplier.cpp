// A real factor as an integer and a shift, and what the two stand for again.
#include <cmath>
#include <cstdio>
#include <string>

/// The first bits behind the point of a number in [1/2, 1).
std::string first_bits(double mantissa) {
  std::string bits;
  for (int at = 1; at <= 12; ++at) {
    bits += std::fmod(std::floor(std::ldexp(mantissa, at)), 2.0) == 0.0 ? '0' : '1';
  }
  return bits;
}

// [apart]
void print_factor(const char* name, double factor) {
  int shift = 0;
  const double mantissa = std::frexp(factor, &shift);
  const double multiplier = std::nearbyint(mantissa * 0x1p31);
  const double again = std::ldexp(multiplier, shift - 31);
  std::printf("%-8s  0.%s.. * 2^%-3d  %10.0f  %5d  %8.1e\n", name, first_bits(mantissa).c_str(),
              shift, multiplier, shift, again / factor - 1);
}
// [/apart]

int main() {
  std::printf("factor    mantissa * 2^exponent    multiplier  shift    off by\n");
  print_factor("20", 20.0);
  print_factor("1", 1.0);
  print_factor("0.75", 0.75);
  print_factor("1/3", 1.0 / 3);
  print_factor("0.003", 0.003);
  print_factor("1e-6", 1e-6);
}
