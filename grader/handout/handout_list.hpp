// The list of what a handout holds (handout.txt), applied to a copy of the kit.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::handout {

/// The files below `top` that the list names, relative and sorted. Links are never among them.
std::vector<std::filesystem::path> listed_files(const std::filesystem::path& top,
                                                std::string_view list,
                                                const std::vector<std::string>& labs);

/// True when `path` fits `pattern`: * within a name, ** over several.
bool fits(std::string_view path, std::string_view pattern);

}  // namespace nibble::handout
