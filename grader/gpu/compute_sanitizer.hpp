// The same child under NVIDIA's compute-sanitizer, where that is installed: it sees what fences
// cannot, a read beyond a buffer, and names the line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "record/result.hpp"

namespace nibble::gpu {

/// Where compute-sanitizer is, or an empty path. Looked for in PATH and beside nvcc.
std::filesystem::path find_compute_sanitizer(const std::filesystem::path& nvcc);

enum class Tool { kMemcheck, kRacecheck, kInitcheck, kSynccheck };

/// "memcheck", as the tool itself calls it.
const char* name_of(Tool tool);

/// Writes a program that runs `child` under a tool, and can stand where the child stood: it
/// inherits the three descriptors. Its buffers have no fences,
/// so that their ends are what the tool knows.
void write_wrapper(const std::filesystem::path& wrapper, const std::filesystem::path& sanitizer,
                   const std::filesystem::path& child, Tool tool);

/// What stands in its output, which the child's own output is mixed with. Only for display:
/// nobody has made it harmless yet, and whose check it was is not said there.
std::vector<record::GpuComplaint> complaints_of(const std::string& output);

}  // namespace nibble::gpu
