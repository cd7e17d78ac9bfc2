// docs/design/map.md: its table of rooms is drawn from layers.txt, and what it names is there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

/// What stands between the page's marks: the rooms floor by floor, each with its sentence and with
/// what it stands on. A room is a folder with a row; the comment above the row is its sentence.
/// Throws FormatError for a room without one.
std::string draw_rooms(std::string_view layers);

/// The page with that drawn anew. Throws FormatError when its marks are not there.
std::string with_rooms(std::string_view page, std::string_view layers);

/// `a/path` that does not exist, and `function()` that its file, the path before it, does not hold:
/// "line 7: no run() in grader/judge/run.cpp".
std::vector<std::string> what_is_not_there(std::string_view page, const std::filesystem::path& top);

/// nibble teach map: writes the page anew, and docs/course.svg.
int draw_maps(const std::filesystem::path& top);

}  // namespace nibble::proofs
