// Puts a run into the page about it.
#pragma once

#include <filesystem>
#include <string>

#include "results.hpp"

namespace nibble::peers {

/// Writes DATE-cpu-kernels.json, -bars.svg and -roofline.svg into `folder`, and what lies between
/// the two marks of its cpu-kernels.md: date, machine, drawings and tables.
void write_page(const Results& results, const std::string& command,
                const std::filesystem::path& folder);

}  // namespace nibble::peers
