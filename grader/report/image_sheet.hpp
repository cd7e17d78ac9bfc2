// Images side by side: in dots for a terminal, and as a picture for every viewer.
#pragma once

#include <string>

#include "nibble/net/images.hpp"

namespace nibble::report {

/// So many images stand in a row, for people to look at.
inline constexpr int kImagesInARow = 5;

/// All images with their labels, five in a row; a sign of Braille is 2 x 4 pixels, a dot is ink.
std::string dotted_sheet(const Images& images);

/// All images as a Windows bitmap: ten in a row, each pixel 3 x 3, a white line between them.
std::string bitmap_sheet(const Images& images);

}  // namespace nibble::report
