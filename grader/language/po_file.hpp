// A catalogue as gettext and its editors write it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::language {

struct PoEntry {
  std::string english, translation;
  int line = 0;  ///< of its msgid
};

/// The entries of a file, but for its header. A text may go on over several lines, each in quotes
/// of its own. Throws text::FormatError for what is none, and for contexts and plurals, which the
/// kit does not have.
std::vector<PoEntry> read_po(std::string_view text);

}  // namespace nibble::language
