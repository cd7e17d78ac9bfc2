// What stands on a terminal or in a plain file, in another language.
#pragma once

#include <string_view>

#include "language/catalog.hpp"

namespace nibble::language {

/// One line or several. A line is one sentence, or cells with two blanks or more between them;
/// indentation, colours and columns stay where they are, as far as the words let them.
Translation screen_text(const Catalog& catalog, std::string_view text);

}  // namespace nibble::language
