// Markdown for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace nibble::text {

/// Without the marks of emphasis, code and links: "**Why.** *Axis* is [here](a.md)" becomes
/// "Why. Axis is here". What stands in code stays as it is, a * between blanks, too.
std::string plain_text(std::string_view markdown);

}  // namespace nibble::text
