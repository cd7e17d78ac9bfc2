// What a file loses on its way into a handout.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::handout {

/// Without what stands between NIBBLE-BEGIN-HIDDEN or NIBBLE-BEGIN-INSTRUCTOR, alone in a comment
/// on its line, and NIBBLE-END. Throws FormatError for a part that does not end.
std::string without_hidden_parts(std::string_view text);

/// Without the lines that are about one lab, and not about one of these: "nibble_lab(…)" and rows
/// of tables that begin with a link to it.
std::string without_other_labs(std::string_view text, const std::vector<std::string>& labs);

/// A page whose links to what is not there are words. `exists` is asked for paths from the top.
std::string without_dead_links(std::string_view page, const std::filesystem::path& file,
                               const std::function<bool(const std::filesystem::path&)>& exists);

}  // namespace nibble::handout
