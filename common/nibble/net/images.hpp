// Gray images and what they show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nibble {

/// `labels.size()` images of rows x columns bytes: 0 is paper, 255 is ink.
struct Images {
  int rows = 0;
  int columns = 0;
  std::vector<std::uint8_t> pixels;  ///< image after image, row after row
  std::vector<std::uint8_t> labels;  ///< 0 .. 9

  std::size_t size() const { return labels.size(); }
  std::size_t pixels_each() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
  std::span<const std::uint8_t> image(std::size_t i) const {
    return std::span(pixels).subspan(i * pixels_each(), pixels_each());
  }
};

/// The images [first, first + count) as floats: ink is 1, paper 0. Shape [count, rows * columns].
inline std::vector<float> as_floats(const Images& images, std::size_t first, std::size_t count) {
  std::vector<float> x;
  x.reserve(count * images.pixels_each());
  for (const std::uint8_t pixel :
       std::span(images.pixels)
           .subspan(first * images.pixels_each(), count * images.pixels_each())) {
    x.push_back(static_cast<float>(pixel) / 255.0f);
  }
  return x;
}

}  // namespace nibble
