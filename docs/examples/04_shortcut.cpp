// The shortcut of many textbooks: the zero point is clamped, and the range is left as it is.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>

// [shortcut]
/// x through 256 codes and back. The zero point is clamped; lo and hi were not asked.
float there_and_back(float x, float lo, float hi) {
  const float scale = (hi - lo) / 255;
  const float wanted = -std::round(lo / scale);
  const float zero_point = std::clamp(wanted, 0.0f, 255.0f);
  const float q = std::clamp(std::round(x / scale) + zero_point, 0.0f, 255.0f);
  return scale * (q - zero_point);
}
// [/shortcut]

int main() {
  std::printf("          x   with the shortcut\n");
  for (const float x : {10.0f, 10.5f, 11.0f, 11.5f}) {
    std::printf("%11.2f %19.4f\n", x, there_and_back(x, 10.0f, 11.5f));
  }
  std::printf("\nand with 0 among the data\n");
  for (const float x : {-2.0f, 0.0f, 4.0f, 11.5f}) {
    std::printf("%11.2f %19.4f\n", x, there_and_back(x, -2.0f, 11.5f));
  }
}
