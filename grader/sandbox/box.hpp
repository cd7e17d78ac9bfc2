// The words of a command line that put a program into a box.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sandbox/level.hpp"

namespace nibble::sandbox {

/// Where the runner of a submission finds its descriptors: 0 to 5 are the judge's (child.cpp).
inline constexpr int kOpeningFd = 6, kProgramFd = 7, kLauncherFd = 8, kProgramCopyFd = 9;

/// A program's descriptor for the opening when it has no others than stdin, stdout and stderr.
inline constexpr int kToolOpeningFd = 3;

/// The launcher and the places that tell which levels there may be.
struct Tools {
  std::filesystem::path launcher;    ///< box-init; empty: built without libseccomp
  std::filesystem::path bubblewrap;  ///< empty: not here
  bool disables_namespaces = false;  ///< that one can: 0.8 or later
};

/// The launcher in `folder`, and bubblewrap wherever PATH has it.
Tools find_tools(const std::filesystem::path& folder);

/// The same beside the running program.
Tools tools_beside_this_program();

/// The boxes of one submission: what runs it, and what compiles it.
struct Boxes {
  Level run = Level::kLimits;
  Level compile = Level::kLimits;  ///< kNamespaces, kLandlock or kLimits
  Tools tools{};
  std::vector<std::string> link_flags{};  ///< choose a linker that works in `compile`
  std::filesystem::path
      groups{};  ///< where a control group for each run can be made; empty: nowhere
  std::string refused_linkers{};  ///< faster ones that do not work in `compile`, and why
};

/// A box for compilers and their like: processes, and files in `writable`.
struct ToolBox {
  Level level = Level::kLimits;  ///< kNamespaces or kLandlock; kLimits: no box
  Tools tools{};
  std::vector<std::filesystem::path> readable{};  ///< beside the system's own programs and headers
  std::vector<std::filesystem::path> writable{};  ///< folders; temporary files may go there too
  bool untrusted_program = false;  ///< what is run is no compiler: the filter of a runner
  std::filesystem::path groups{};  ///< as in Boxes
  bool gpu = false;                ///< an untrusted program with a GPU
};

/// More processes and threads than any compiler or linker starts, and far fewer than hurt.
inline constexpr int kToolProcesses = 256;

/// What stands before the words of the program, which is looked up in PATH.
std::vector<std::string> words_for_tool(const ToolBox& box);

/// Processes in the control group of a runner: itself, and bubblewrap around it.
inline constexpr int kRunnerProcesses = 4;

/// Threads of a GPU's driver, and what it holds of the host's memory.
inline constexpr int kGpuThreads = 64;
inline constexpr std::size_t kGpuHostBytes = std::size_t{8} << 30;
inline constexpr std::size_t kGpuFileBytes = std::size_t{64} << 20;  ///< files without a name

/// A box for the runner of a submission: no process, no file, no path but the system's libraries.
struct RunBox {
  Level level = Level::kLimits;
  Tools tools{};
  std::size_t address_space = 0;  ///< 0: no limit
  bool sanitized = false;         ///< it reads itself, to tell lines
  bool gpu = false;               ///< with what a driver needs, which makes it a weaker box
};

/// All the words: the program is kProgramFd and kProgramCopyFd, the launcher kLauncherFd.
std::vector<std::string> words_for_runner(const RunBox& box);

}  // namespace nibble::sandbox
