// One weight that learns through rounding: real numbers keep what a code would lose.
#include <cmath>
#include <cstdio>

// [steps]
double real = 0.375, copy = 0.375;  // the target is a weight of 2; codes are 1 apart

void step(double rate) {
  real -= rate * (std::nearbyint(real) - 2);  // the gradient is that of the code, straight through
  copy = std::nearbyint(copy - rate * (std::nearbyint(copy) - 2));  // and here the step is rounded
}
// [/steps]

int main() {
  std::printf("step   real weight   its code   copy\n");
  for (int i = 0; i <= 24; ++i) {
    if (i % 3 == 0)
      std::printf("%4d   %11.4f   %8.0f   %4.0f\n", i, real, std::nearbyint(real), copy);
    step(0.0625);
  }
}
