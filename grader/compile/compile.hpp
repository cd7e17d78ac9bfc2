// From one source file to a child executable: compile against the grader's own contract, link with
// the lab's runner. Nothing else of the submitter is read: no build file, header, script or flag.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "compile/budget.hpp"
#include "lab/kit.hpp"
#include "sandbox/box.hpp"

namespace nibble::compile {

/// Why nothing came of a file.
enum class BuildFailure {
  kNone,
  kRule,       ///< the kit refuses what it holds; nobody else was asked
  kDiagnosed,  ///< the compiler tells of an error in it, at a line
  kNamed,      ///< an assembler names a line of it, a linker a name that is missing or there twice
  kLimit,      ///< too much time or memory
  kOther       ///< anything else: a tool that died, is not there, or fails in words of its own
};

struct Built {
  bool ok = false;
  bool cancelled = false;
  BuildFailure failure = BuildFailure::kNone;
  bool builds_differ = false;        ///< not ok, and one of its executables would have been
  std::filesystem::path executable;  ///< when ok
  std::string diagnostics;           ///< errors, or warnings when ok; control characters removed
  std::string foreign_file;  ///< not empty: it includes this file, which is no part of the lab
  std::vector<std::string> odd_imports;  ///< names it calls that no lab needs (rule V12)
  std::vector<std::string> prints;       ///< names through which it prints
  double compile_seconds = 0.0, link_seconds = 0.0;
  bool reused = false;  ///< it was compiled before (compile/cache.hpp)
};

struct Job {
  lab::Lab lab;
  std::string source;  ///< the text of name.cpp
  protocol::Leg leg = protocol::Leg::kPlain;
  std::filesystem::path work{};           ///< a folder of this job's own; made, and left when ok
  std::vector<std::string> more_flags{};  ///< beyond those of the kind and the leg
  std::function<bool()> cancelled{};      ///< asked while the compiler runs
  std::chrono::seconds cpu_limit{30};     ///< of a compilation; sanitizers: three times
  sandbox::Boxes boxes{};                 ///< what compiles it, and what it will run in
  Budget* budget = nullptr;               ///< of a submission; nullptr: it is the kit's own
  bool is_kept =
      false;  ///< a grade follows: what nobody explains is compiled again before it is believed
  std::string ready{};  ///< ours: compiled as it stands, in place of what `source` becomes
};

/// What does not compile is the file's own doing: what is known to be right compiles in its place.
/// Throws ToolchainBroke when it does not.
Built compile_child(const lab::Kit& kit, const Job& job);

/// One attempt, whoever is at fault. Diagnostics name the file as the learner knows it:
/// labs/03_symmetric/symmetric.cpp:27. Kernels are compiled three times, with host code twice; the
/// other executables are the companions of the first.
Built compile_once(const lab::Kit& kit, const Job& job);

/// One leg up to the link: the object that its executable is made of, in place of that.
Built compile_object(const lab::Kit& kit, const Job& job);

/// Links `object`, of compile_object, to the job's `name`. `words`: for the linker alone.
Built link_object(const lab::Kit& kit, const Job& job, Built object, const std::string& name,
                  const std::vector<std::string>& words = {});

/// Of an executable with kernels: the one that checks every access, the one that counts them.
std::array<std::filesystem::path, 2> companions(const std::filesystem::path& executable);

/// The published kernels of a lab, to be counted; compiled when they have changed. An empty path:
/// not in this copy. Throws std::runtime_error when they do not compile.
std::filesystem::path counted_solution(const lab::Kit& kit, const lab::Lab& lab,
                                       sandbox::Level level = sandbox::Level::kLimits);

/// The solution that a submission's speed is compared with, or an empty path: not in this copy.
std::filesystem::path published_solution(const lab::Kit& kit, const lab::Lab& lab);

/// What a learner's object is linked with.
std::vector<std::filesystem::path> runner_objects(const lab::Kit& kit, const lab::Lab& lab);

}  // namespace nibble::compile
