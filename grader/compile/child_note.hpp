// What is kept beside a compiled child, so that the same text need not be compiled again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "compile/compile.hpp"

namespace nibble::compile {

/// Writes the note of `built`, which is ok. The child's own hash is part of it: one that was
/// exchanged is compiled again. `key` stands for all that decided what the child is.
void write_child_note(const std::filesystem::path& file, const std::string& key,
                      const Built& built);

/// What `child` is by the note in `file`. Nothing where the note is not there, is of another key or
/// another child, or is no note: somebody may have been at it.
std::optional<Built> read_child_note(const std::filesystem::path& file, const std::string& key,
                                     const std::filesystem::path& child);

}  // namespace nibble::compile
