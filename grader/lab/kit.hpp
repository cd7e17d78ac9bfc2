// Where the kit is, and which compiler it was built for.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/lab.hpp"
#include "protocol/leg.hpp"

namespace nibble::lab {

/// How labs are compiled: those of a kind alike, and those of CUDA all.
struct Recipe {
  std::vector<std::string> prelude;  ///< what is compiled ahead, to come before all else
  std::vector<std::string> plain_flags, sanitizer_flags, counter_flags;
};

/// Which handout this is; the whole kit has no such file.
inline constexpr const char* kHandoutId = "grader/handout_id";

struct Kit {
  std::filesystem::path root;       ///< labs/ to be edited and .nibble/; NIBBLE_ROOT, or the source
  std::filesystem::path own_notes;  ///< not empty: what stands in for root's .nibble/
  std::filesystem::path source;     ///< solutions, checks, pages: the grader's own copy
  std::filesystem::path headers;  ///< labs/ and common/ as they were handed out; nobody edits there
  std::filesystem::path build;    ///< judges, runners, precompiled headers
  std::string version;            ///< of the kit
  std::string cxx;                ///< the compiler
  std::string cxx_name;           ///< "g++ 12.2.0"
  std::vector<std::filesystem::path> compiler_parts;    ///< the programs that it consists of
  std::vector<std::filesystem::path> compiler_folders;  ///< of what lies outside of /usr
  std::vector<std::string> common_flags;
  std::vector<std::string> analyzer_flags;  ///< that look for what nobody sets; empty: it cannot
  std::vector<std::vector<std::string>> linkers;  ///< what chooses each that works, fastest first
  std::vector<std::string> link_flags;            ///< of the first: without a box
  Recipe ordinary, kernels, cuda;
  std::vector<Lab> labs;                ///< sorted by name; each is built when it is asked for
  std::filesystem::path eigen_include;  ///< for other right solutions, never a learner's; or empty
  std::filesystem::path nvcc;           ///< the CUDA compiler, or empty
  std::vector<std::filesystem::path> nvcc_includes;  ///< where the host compiler it takes looks
  std::chrono::seconds budget{300};  ///< that a submission has, where nobody says otherwise
  bool links_statically = false;     ///< the compiler can: what level LS needs
  std::vector<std::filesystem::path> system_includes;  ///< where the compiler looks by itself

  std::filesystem::path notes() const;  ///< where the kit keeps what it makes for itself
  std::filesystem::path judge(const std::string& lab) const;   ///< its executable
  std::filesystem::path scheme(const std::string& lab) const;  ///< its mark scheme, JSON
  std::filesystem::path count_book(
      const std::string& lab) const;  ///< of the published kernels, in a handout
  std::filesystem::path speed_book(
      const std::string& lab) const;  ///< of the published solution, in a handout
  std::filesystem::path contract(const std::string& lab) const;  ///< a folder with name.hpp alone
  std::filesystem::path pages(const std::string& lab) const;     ///< of its README and hints
  std::filesystem::path catalogs() const;                        ///< of other languages
  const Recipe& recipe(LabKind kind) const;
  std::vector<std::string> flags(LabKind kind, protocol::Leg leg) const;  ///< to compile its file
  std::vector<std::filesystem::path> folders(const Lab& lab) const;       ///< of its headers
  /// The same where CUDA's own headers are: nvcc's.
  std::vector<std::filesystem::path> folders_for_nvcc(const Lab& lab) const;
  std::filesystem::path compiled_ahead(LabKind kind, protocol::Leg leg) const;  ///< a folder

  std::string handout() const;  ///< by what it is known; empty: this is the whole kit

  /// The lab that a word means; nullptr: none.
  const Lab* find(std::string_view word) const;
  /// The same; throws std::invalid_argument for a word that means none.
  const Lab& lab(std::string_view word) const;
  /// Those that a person means, sorted; all when nothing is wanted. Throws likewise.
  std::vector<Lab> choose(const std::vector<std::string>& wanted) const;
};

/// Reads <build>/kit.json, which CMake wrote. `build` is the folder that holds bin/, or one with a
/// description that names it: the same kit with another compiler.
/// Throws std::runtime_error with the remedy when the kit is not built.
Kit open_kit(const std::filesystem::path& build);

/// The kit that the running executable belongs to.
Kit this_kit();

/// "mold" for what chooses it; "the compiler's own" for nothing.
std::string linker_name(const std::vector<std::string>& flags);

}  // namespace nibble::lab
