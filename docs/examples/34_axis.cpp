// A scale for each row or for each column: what DequantizeLinear makes of a square matrix when
// nobody says which.
#include <cstdint>
#include <cstdio>
#include <initializer_list>

// [axis]
/// What the code at [row, column] is worth, as DequantizeLinear has it since opset 13.
float dequantized(std::int8_t code, const float* scales, int row, int column, int axis) {
  return scales[axis == 0 ? row : column] * static_cast<float>(code);
}
// [/axis]

int main() {
  const std::int8_t w[2][2] = {{100, 50}, {100, 50}};  // [outputs, inputs]
  const float scales[2] = {0.01f, 0.5f};               // of an output each
  for (const int axis : {0, 1}) {
    std::printf("axis %d", axis);
    for (int row = 0; row < 2; ++row) {
      std::printf("   |");
      for (int column = 0; column < 2; ++column) {
        std::printf(" %5.1f", double(dequantized(w[row][column], scales, row, column, axis)));
      }
      std::printf(" |");
    }
    std::printf("%s\n", axis == 0 ? "" : "   the default");
  }
  // A sum of two products of uint8 and int8 in 16 bits, as vpmaddubsw has it.
  const int sum = 255 * 127 + 255 * 127, held = sum > 32767 ? 32767 : sum;
  std::printf("\n255 * 127 + 255 * 127 = %d, in 16 bits %d\n", sum, held);
  return 0;
}
