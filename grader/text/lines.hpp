// Looking at text by lines and words: what the readers of the kit's hand-written files share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::text {

/// Without the line ends; a last line counts with and without one.
std::vector<std::string> lines_of(std::string_view text);

/// Each line followed by a line end.
std::string text_of(const std::vector<std::string>& lines);

/// Without the blanks at both ends.
std::string trim(std::string_view text);

/// Trimmed, and every run of blanks is one blank.
std::string squeeze(std::string_view text);

/// `by` wherever `part` stands, which is not empty.
std::string replaced(std::string text, std::string_view part, std::string_view by);

/// How often `part` stands in `text`; overlapping places count too. An empty part stands nowhere.
int count_of(std::string_view part, std::string_view text);

}  // namespace nibble::text
