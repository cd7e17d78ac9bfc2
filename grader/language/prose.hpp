// Whether a text is something that people read, and a reader of another language asks about.
#pragma once

#include <string_view>

namespace nibble::language {

/// Two words or more beside each other, of letters alone. Names, formulas and numbers are none.
bool is_prose(std::string_view text);

}  // namespace nibble::language
