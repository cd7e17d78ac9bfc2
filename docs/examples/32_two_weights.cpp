// Two weights whose inputs go together: rounding each for itself, and rounding one for the other.
#include <cmath>
#include <cstdio>
#include <initializer_list>

// [two]
/// The mean square of what y = x0 * w0 + x1 * w1 is off by, when both inputs have mean square 1 and
/// their product has the mean `together`.
double error(double off0, double off1, double together) {
  return off0 * off0 + 2 * together * off0 * off1 + off1 * off1;
}

/// What the second weight should be, when the first is off by off0 for good.
double made_up(double w1, double off0, double together) { return w1 - together * off0; }
// [/two]

int main() {
  const double w0 = 1.4, w1 = 2.4;
  std::printf("together   both rounded   error    one for the other   error\n");
  for (const double together : {0.0, 0.5, 0.9}) {
    const double q0 = std::nearbyint(w0), q1 = std::nearbyint(w1);
    const double better = std::nearbyint(made_up(w1, q0 - w0, together));
    std::printf("%8.1f   %6.0f %5.0f %8.3f   %11.0f %5.0f %9.3f\n", together, q0, q1,
                error(q0 - w0, q1 - w1, together), q0, better,
                error(q0 - w0, better - w1, together));
  }
}
