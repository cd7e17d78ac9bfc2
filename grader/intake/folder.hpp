// Finds the files that are asked for in a folder that somebody else filled.
#pragma once

#include <filesystem>
#include <vector>

#include "intake/contents.hpp"
#include "intake/open_beneath.hpp"
#include "intake/places.hpp"

namespace nibble::intake {

/// Opens the places where they may stand and nothing else; the names beside them are only read.
Contents read_folder(const std::filesystem::path& folder, const std::vector<Wanted>& wanted,
                     Way way);

}  // namespace nibble::intake
