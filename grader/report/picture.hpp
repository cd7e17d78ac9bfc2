// What the functions of a lab make of an example, as a screen and as a page show it.
#pragma once

#include <string>

#include "record/picture.hpp"

namespace nibble::report {

/// Empty where there is nothing to see.
std::string picture_text(const record::Picture& picture);

/// Figures with captions.
std::string picture_html(const record::Picture& picture);

}  // namespace nibble::report
