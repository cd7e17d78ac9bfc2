// A convolution of signs: one product of bits for each place of the filter. There is no 0 to put
// around an image.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>

constexpr int kSize = 4, kChannels = 5;  // the signs of a pixel: 5 bits of a word
constexpr std::uint32_t kMask = (1u << kChannels) - 1;

using Image = std::array<std::array<std::uint32_t, kSize>, kSize>;
using Filter = std::array<std::array<std::uint32_t, 3>, 3>;

int dot(std::uint32_t a, std::uint32_t b) { return kChannels - 2 * std::popcount((a ^ b) & kMask); }

// [convolution]
/// The sum around pixel (y, x). Outside the image a tap is left out, or meets the bits `border`.
int around(const Image& image, const Filter& filter, int y, int x, const std::uint32_t* border) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int row = y + dy, column = x + dx;
      const bool inside = row >= 0 && row < kSize && column >= 0 && column < kSize;
      if (!inside && border == nullptr) continue;
      sum += dot(inside ? image[row][column] : *border, filter[dy + 1][dx + 1]);
    }
  }
  return sum;
}
// [/convolution]

int main() {
  Image image{};
  Filter filter{};
  std::uint32_t bits = 13;
  const auto draw = [&] { return (bits = bits * 1664525u + 1013904223u) >> 20; };
  for (auto& row : image) {
    for (auto& pixel : row) pixel = draw();
  }
  for (auto& row : filter) {
    for (auto& tap : row) tap = draw();
  }
  const std::uint32_t plus = 0, minus = kMask;
  std::puts("left out            padded with +1      padded with -1");
  for (int y = 0; y < kSize; ++y) {
    for (const std::uint32_t* border :
         {static_cast<const std::uint32_t*>(nullptr), &plus, &minus}) {
      if (border != nullptr) std::printf("    ");
      for (int x = 0; x < kSize; ++x) std::printf("%4d", around(image, filter, y, x, border));
    }
    std::puts("");
  }
}
