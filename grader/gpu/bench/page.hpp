// A file of JSON lines as a page to be read: one table a section,
// and what was refused or not measured.
#pragma once

#include <string>

namespace nibble::gpu {

/// Markdown. `file` is what the page says that it was made of. Throws std::runtime_error with
/// the line that is no row.
std::string page_of(const std::string& json_lines, const std::string& file);

/// The rows of a section as a table; "" when it has none.
std::string table_of(const std::string& json_lines, const std::string& section);

}  // namespace nibble::gpu
