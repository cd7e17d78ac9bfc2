// The same child under NVIDIA's compute-sanitizer, where that is installed: it sees what fences
// cannot, a read beyond a buffer, and names the line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

/// One complaint of the tool.
struct Complaint {
  std::string what;    ///< "Invalid __global__ write of size 4 bytes"
  std::string kernel;  ///< may be empty
  std::string file;    ///< may be empty; as the learner's file was called when it was compiled
  int line = 0;
  std::string thread;  ///< "thread (32,0,0) in block (0,0,0)", or empty
  int times = 1;       ///< the same complaint at the same line
};

/// What stands in its output, which the child's own output is mixed with. Only for display.
std::vector<Complaint> complaints_of(const std::string& output);

}  // namespace nibble::gpu
