// A page of HTML, in another language.
#pragma once

#include <string_view>

#include "language/catalog.hpp"

namespace nibble::language {

/// The text between two tags is a sentence, and so is what a screen reader says of an element.
/// Code, and what is set as code, stays as it is. `lang` becomes the catalogue's.
Translation page_text(const Catalog& catalog, std::string_view html);

}  // namespace nibble::language
