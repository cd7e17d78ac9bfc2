// Finds the processes that work for one results folder, and no others.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace nibble::bench {

/// "batch", "chunk", "judge", "runner" or "compiler": those that are alive now.
std::vector<pid_t> victims(const std::string& kind, const std::filesystem::path& grades);

}  // namespace nibble::bench
