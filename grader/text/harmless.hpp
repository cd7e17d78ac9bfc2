// Text that came from a submission, made safe to show on a terminal or a page.
#pragma once

#include <string>
#include <string_view>

namespace nibble::text {

/// Keeps newline, tab and valid UTF-8; every other control character or stray byte becomes '?'.
/// An escape sequence would otherwise repaint what the grader printed.
std::string harmless(std::string_view text);

}  // namespace nibble::text
