// The variance of two numbers, one apart, by two formulas that are the same on paper. It is 1/4.
#include <cmath>
#include <cstdio>

// [formulas]
double mean_first(double a, double b) {
  const double mean = (a + b) / 2;
  return ((a - mean) * (a - mean) + (b - mean) * (b - mean)) / 2;
}

double mean_last(double a, double b) {
  const double mean = (a + b) / 2;
  return (a * a + b * b) / 2 - mean * mean;
}
// [/formulas]

int main() {
  std::printf("   a   mean first   mean last\n");
  for (int power = 20; power <= 32; power += 2) {
    const double a = std::ldexp(1.0, power);
    std::printf("2^%d   %10.4f   %9.4f\n", power, mean_first(a, a + 1), mean_last(a, a + 1));
  }
}
