// Sheets of images: Braille for a terminal, a Windows bitmap for everything else.
#include "report/image_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace nibble::report {
namespace {

constexpr int kInk = 96;  // a pixel of this gray or darker is a dot

/// Where a pixel stands in rows of `columns`.
std::size_t pixel_at(int row, int column, int columns) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
         static_cast<std::size_t>(column);
}

bool is_ink(const Images& images, std::size_t which, int row, int column) {
  if (row >= images.rows || column >= images.columns) return false;
  return images.image(which)[pixel_at(row, column, images.columns)] >= kInk;
}

/// The sign of Braille whose dots are the ink of 4 rows and 2 columns, in UTF-8.
std::string braille(const Images& images, std::size_t which, int row, int column) {
  constexpr std::array<std::array<int, 2>, 4> bits{{{0, 3}, {1, 4}, {2, 5}, {6, 7}}};
  int dots = 0;
  for (int down = 0; down < 4; ++down) {
    for (int right = 0; right < 2; ++right) {
      if (!is_ink(images, which, row + down, column + right)) continue;
      dots |= 1 << bits[static_cast<std::size_t>(down)][static_cast<std::size_t>(right)];
    }
  }
  const int code = 0x2800 + dots;
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

void append_little_endian(std::string& bytes, std::uint32_t number, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i));
}

/// The headers of a bitmap with a byte a pixel, 0 black to 255 white.
std::string bitmap_header(std::uint32_t width, std::uint32_t height) {
  constexpr std::uint32_t kHeaders = 14 + 40, kPalette = 256 * 4;
  std::string bytes = "BM";
  append_little_endian(bytes, kHeaders + kPalette + width * height, 4);
  append_little_endian(bytes, 0, 4);
  append_little_endian(bytes, kHeaders + kPalette, 4);  // where the pixels begin
  append_little_endian(bytes, 40, 4);
  append_little_endian(bytes, width, 4);
  append_little_endian(bytes, height, 4);
  append_little_endian(bytes, 1, 2);  // plane
  append_little_endian(bytes, 8, 2);  // bits a pixel
  for (int unused = 0; unused < 6; ++unused) append_little_endian(bytes, 0, 4);
  for (std::uint32_t gray = 0; gray < 256; ++gray) append_little_endian(bytes, gray * 0x010101, 4);
  return bytes;
}

}  // namespace

std::string dotted_sheet(const Images& images) {
  std::string sheet;
  for (std::size_t first = 0; first < images.size(); first += kImagesInARow) {
    const std::size_t last = std::min(images.size(), first + kImagesInARow);
    for (std::size_t i = first; i < last; ++i) {
      sheet += fmt::format(" {:<{}}", images.labels[i], (images.columns + 1) / 2);
    }
    sheet += '\n';
    for (int row = 0; row < images.rows; row += 4) {
      for (std::size_t i = first; i < last; ++i) {
        sheet += ' ';
        for (int column = 0; column < images.columns; column += 2) {
          sheet += braille(images, i, row, column);
        }
      }
      sheet += '\n';
    }
  }
  return sheet;
}

std::string bitmap_sheet(const Images& images) {
  constexpr int kAcross = 10, kZoom = 3, kGap = 2;
  const int across = std::min<int>(kAcross, static_cast<int>(images.size()));
  const int down = across == 0 ? 0 : (static_cast<int>(images.size()) + across - 1) / across;
  const int cell_wide = images.columns * kZoom + kGap, cell_high = images.rows * kZoom + kGap;
  const int width = (across * cell_wide + 3) / 4 * 4;  // rows of a bitmap are whole words
  const int height = down * cell_high;
  std::string pixels(static_cast<std::size_t>(width * height), static_cast<char>(255));
  for (std::size_t i = 0; i < images.size(); ++i) {
    const int left = static_cast<int>(i) % across * cell_wide;
    const int top = static_cast<int>(i) / across * cell_high;
    for (int y = 0; y < images.rows * kZoom; ++y) {
      for (int x = 0; x < images.columns * kZoom; ++x) {
        const int ink = images.image(i)[pixel_at(y / kZoom, x / kZoom, images.columns)];
        const int from_below = height - 1 - (top + y);  // a bitmap stands on its last row
        pixels[pixel_at(from_below, left + x, width)] = static_cast<char>(255 - ink);
      }
    }
  }
  return bitmap_header(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)) +
         pixels;
}

}  // namespace nibble::report
