// Where the kit is, and which compiler it was built for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nibble::build {

/// What the learner's file is compiled for. The kernels of a CUDA lab have the engine's checks where
/// others have the sanitizers, and are counted by a third build.
enum class Leg { kPlain, kSanitizers, kCounters };

constexpr const char* name_of(Leg leg) {
  constexpr const char* names[] = {"plain", "sanitizers", "counters"};
  return names[static_cast<std::size_t>(leg)];
}

/// How the labs of one kind are compiled.
struct Kind {
  std::vector<std::string> prelude;  ///< what is compiled ahead, to come before all else
  std::vector<std::string> plain_flags, sanitizer_flags, counter_flags;
};

struct Kit {
  std::filesystem::path root;    ///< labs/ to be edited and .nibble/; NIBBLE_ROOT, or the source
  std::filesystem::path source;  ///< contracts, solutions, checks: the grader's own copy
  std::filesystem::path build;   ///< judges, runners, precompiled headers
  std::string version;           ///< of the kit
  std::string cxx;               ///< the compiler
  std::string cxx_name;          ///< "g++ 12.2.0"
  std::vector<std::string> common_flags, link_flags;
  Kind ordinary, kernels, cuda;
  std::vector<std::string> kernel_labs;  ///< compiled to be fast, and timed
  std::filesystem::path eigen_include;   ///< for other right solutions, never a learner's; or empty
  std::filesystem::path nvcc;            ///< the CUDA compiler, or empty
  bool links_statically = false;         ///< the compiler can: what level LS needs
  std::vector<std::filesystem::path> system_includes;  ///< where the compiler looks by itself

  std::filesystem::path judge(const std::string& lab) const;   ///< its executable
  std::filesystem::path scheme(const std::string& lab) const;  ///< its mark scheme, JSON
  std::filesystem::path count_book(
      const std::string& lab) const;  ///< of the published kernels, in a handout
  std::filesystem::path contract(const std::string& lab) const;  ///< the folder of name.hpp
  bool is_kernel_lab(const std::string& lab) const;
  const Kind& kind(const std::string& lab) const;
  std::vector<std::string> flags(const std::string& lab, Leg leg) const;  ///< to compile its file
  std::vector<std::filesystem::path> folders(const std::string& lab) const;     ///< of its headers
  std::filesystem::path compiled_ahead(const std::string& lab, Leg leg) const;  ///< a folder
};

/// Reads <build>/kit.json, which CMake wrote. `build` is the folder that holds bin/, or one with a
/// description that names it: the same kit with another compiler.
/// Throws std::runtime_error with the remedy when the kit is not built.
Kit open_kit(const std::filesystem::path& build);

/// The kit that the running executable belongs to.
Kit this_kit();

/// The labs that are built, sorted: "01_grid", …
std::vector<std::string> all_labs(const Kit& kit);

/// "05_per_channel" -> "per_channel".
std::string base_name(const std::string& lab);

/// A lab whose name says so, as 19_cuda_quantize: its exercises are kernels, its file ends in .cu.
bool is_cuda_lab(const std::string& lab);

}  // namespace nibble::build
