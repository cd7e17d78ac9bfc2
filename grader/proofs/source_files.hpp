// The kit's own sources: C++ and build files, not what was generated or kept aside.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nibble::proofs {

/// Relative to `top`, sorted. With labs named, only the files of those.
std::vector<std::filesystem::path> source_files(const std::filesystem::path& top,
                                                const std::vector<std::string>& labs = {});

/// Pages of the book and the guides; with labs named, only their chapters.
std::vector<std::filesystem::path> pages_of(const std::filesystem::path& top,
                                            const std::vector<std::string>& labs = {});

/// True for a C++ file whose includes layers.txt rules.
bool is_layered(const std::filesystem::path& file);

}  // namespace nibble::proofs
