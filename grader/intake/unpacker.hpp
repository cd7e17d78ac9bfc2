// Starts the process that reads an archive (unpack.cpp), and believes none of its answer.
#pragma once

#include <filesystem>
#include <vector>

#include "intake/contents.hpp"
#include "lab/kit.hpp"

namespace nibble::intake {

/// Throws std::runtime_error when this copy of the kit was built without libarchive.
Contents read_archive_apart(const lab::Kit& kit, const std::filesystem::path& archive,
                            const std::vector<Wanted>& wanted);

/// The same for what a course system put together: its sources and archives, of no lab yet.
Contents read_download_apart(const lab::Kit& kit, const std::filesystem::path& archive);

}  // namespace nibble::intake
