// From a learner's .cu file to a cubin: kernels only. What the file holds for the host (a static
// constructor, a function of CUDA's own name) is compiled away and never runs.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sandbox/box.hpp"

namespace nibble::gpu {

struct CubinJob {
  std::filesystem::path nvcc;
  std::string source;                            ///< the text of name.cu
  std::filesystem::path name;                    ///< as the learner knows it: labs/…/name.cu
  std::string architecture = "sm_80";            ///< or of the GPU found; sm_90a for wgmma
  std::vector<std::filesystem::path> folders{};  ///< of the contract, and common/
  std::vector<std::filesystem::path> system_folders{};  ///< where the host compiler looks by itself
  std::filesystem::path work;                           ///< a folder of this job's own
  std::chrono::seconds cpu_limit{30};                   ///< of each process of the compiler
  std::function<bool()> cancelled{};
  sandbox::Boxes boxes{};  ///< what it is compiled in
};

/// The compiler's box: its own folders, the contract, `more` to be read.
sandbox::ToolBox box_of(const CubinJob& job, const std::vector<std::filesystem::path>& more = {});

/// What the assembler says of one kernel.
struct Usage {
  std::string kernel;
  int registers = 0;    ///< of a thread
  int spill_bytes = 0;  ///< stores and loads of registers that found no room
};

struct BuiltCubin {
  bool ok = false;
  bool timed_out = false;
  bool cancelled = false;
  std::filesystem::path cubin;  ///< when ok
  std::string diagnostics;      ///< as a learner can read them; control characters removed
  std::string foreign_file;     ///< not empty: it includes this file, which is no part of the lab
  std::vector<Usage> usage;
  double seconds = 0.0;
};

BuiltCubin compile_cubin(const CubinJob& job);

/// "sm_90" for 90; "sm_90a" for a lab that needs what only that one chip has.
std::string architecture_of(int sm, bool needs_its_own = false);

/// nvcc's words, without what a learner cannot mend and with CUDA's spelling of CUDA's words.
std::string readable_diagnostics(const std::string& said);

/// The report that `ptxas -v` makes, kernel by kernel.
std::vector<Usage> usage_of(const std::string& said);

}  // namespace nibble::gpu
