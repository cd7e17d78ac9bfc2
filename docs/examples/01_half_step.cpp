// How far rounding moves a value: never more than half a step, and 0.29 of one on average.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

// [measure]
struct Moved {
  double largest;  ///< in steps
  double rms;      ///< in steps
};

/// Rounds `count` values, spread evenly over `width` steps, and says how far they were moved.
Moved measure(int count, double width) {
  Moved moved{0.0, 0.0};
  for (int i = 0; i < count; ++i) {
    const double steps = width * (i + 0.5) / count;  // x / scale
    const double distance = std::fabs(std::rint(steps) - steps);
    moved.largest = std::fmax(moved.largest, distance);
    moved.rms += distance * distance / count;
  }
  moved.rms = std::sqrt(moved.rms);
  return moved;
}
// [/measure]

int main() {
  std::printf("steps   largest      rms\n");
  for (const double width : {15.0, 255.0, 65535.0}) {
    const Moved moved = measure(1'000'000, width);
    std::printf("%5.0f   %7.4f  %7.4f\n", width, moved.largest, moved.rms);
  }
  std::printf("1/2 and 1/sqrt(12) are %.4f and %.4f\n", 0.5, 1.0 / std::sqrt(12.0));
}
