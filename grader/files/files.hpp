// Reading a file whole, and writing one so that nobody ever sees half of it.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace nibble::files {

/// Throws std::filesystem::filesystem_error, which names the file.
std::string read_file(const std::filesystem::path& file);

/// False when one of them is there and no plain file of one name: what a box has written is looked
/// at like a submission, and no link may lead out of the folder.
bool are_plain_files(const std::filesystem::path& folder, std::initializer_list<const char*> names);

/// Writes a temporary file beside `file`, syncs it, renames it. Makes missing folders.
/// Throws std::filesystem::filesystem_error; then `file` is as it was.
void write_atomically(const std::filesystem::path& file, std::string_view text);

}  // namespace nibble::files
