// The staircase and its gradients, drawn from what the formulas give: x_hat by x, and what training
// takes for its slope by x, by the scale and by the zero point.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

// [slopes]
constexpr float kScale = 1.0f, kMin = -2.0f, kMax = 3.0f;  // codes -2 ... 3, zero point 0

struct Point {
  float x_hat, by_x, by_scale, by_zero_point;
};

Point at(float x) {
  const float v = x / kScale, code = std::nearbyint(v);
  if (code < kMin) return {kScale * kMin, 0, kMin, -kScale};
  if (code > kMax) return {kScale * kMax, 0, kMax, -kScale};
  return {kScale * code, 1, code - v, 0};
}
// [/slopes]

constexpr int kColumns = 65;

float x_of(int column) { return -4.0f + static_cast<float>(column) / 8.0f; }

// [draw]
/// A curve on lines that are `height` apart, from `high` down to `low`; its name at the left.
void draw(const char* name, float Point::*member, float high, float low, float height) {
  const int lines = static_cast<int>((high - low) / height) + 1;
  std::vector<std::string> picture(static_cast<std::size_t>(lines), std::string(kColumns, ' '));
  for (int column = 0; column < kColumns; ++column) {
    const float value = at(x_of(column)).*member;
    const auto line = static_cast<std::size_t>(std::nearbyint((high - value) / height));
    picture[line][static_cast<std::size_t>(column)] = '*';
  }
  for (int line = 0; line < lines; ++line) {
    const float value = high - height * static_cast<float>(line);
    std::string text = picture[static_cast<std::size_t>(line)];
    if (value == 0) std::replace(text.begin(), text.end(), ' ', '-');
    text.resize(text.find_last_not_of(' ') + 1);
    std::printf("%13s %5.2f|%s\n", line == 0 ? name : "", value, text.c_str());
  }
}
// [/draw]

int main() {
  draw("x_hat", &Point::x_hat, 3, -2, 1);
  std::printf("\n");
  draw("by x", &Point::by_x, 1, 0, 1);
  std::printf("\n");
  draw("by scale", &Point::by_scale, 3, -2, 0.25f);
  std::printf("\n");
  draw("by zero point", &Point::by_zero_point, 0, -1, 1);
  std::printf("\n%18s %2d", "x / scale", -4);
  for (int x = -3; x <= 4; ++x) std::printf("%8d", x);
  std::printf("\n");
}
