// Many mistakes of one lab compiled as one file, since most of a compilation is the headers, which
// are the same for all. Each still gets an executable of its own, linked with the runner as ever.
//
//     #include "nibble/lab.hpp"                    what contract and solution include, once
//     namespace nibble_kit = ::nibble;
//
//     namespace nibble { enum class … }            the types of contract and solution
//     #define nibble n00000                        the right solution's functions, and all
//     …                                            else that no argument leads to
//     #undef nibble
//
//     #define nibble n00001                        a copy: what it defines lies in a namespace of its own,
//     namespace nibble {                           with all of the above in reach
//     using namespace ::nibble_kit;
//     }
//     …                                            of the contract what the mistake concerns
//     extern … f [[gnu::externally_visible]];      the exercise that is mistaken, declared once more
//     …                                            of the mistaken solution what differs, and
//     #undef nibble                                what mentions it
//
//     #define nibble n00002                        the next one
//
// So of a mistake one definition or a few are compiled, and no types: those would be another type
// in every copy, and every vector of it another vector. What a function's argument leads to lies
// in `nibble` and functions do not, lest a copy's function and the right one answer one call.
//
// A kernel is a C function, which no namespace keeps apart: each copy's has a name of its own. The
// linker is told which copy's functions the runner calls; what a copy does not have is the right
// solution's. Of a lab without kernels, g++ compiles nothing of a copy but the mistaken exercise
// and what that one uses. An exercise that the contract drives is no function of the learner's:
// such a copy shows all that the runner calls.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/kit.hpp"
#include "proofs/definitions.hpp"
#include "proofs/proven_lab.hpp"

namespace nibble::proofs {

/// A solution with a mistake in one exercise. What it does in the others is not looked at.
struct Mistaken {
  std::string exercise, source;
};

class MistakeProgram {
 public:
  /// Throws std::exception when the lab's contract or runner cannot be read.
  MistakeProgram(const lab::Kit& kit, const ProvenLab& lab);

  const lab::Lab& lab() const { return lab_; }

  /// A mistake's text as it stands beside others. Nothing where it would not mean there what it
  /// means alone: it includes other files than the solution, or defines a macro of its own or a
  /// variable of the device.
  std::optional<std::string> copy_of(const Mistaken& mistaken) const;

  /// All that is compiled for these copies.
  std::string file_of(const std::vector<std::string>& copies) const;

  /// Compiles copies in `folder`. Executables at their places, with companions where kernels have
  /// them; empty paths for those that have to be compiled alone.
  std::vector<std::filesystem::path> build(const std::vector<std::string>& copies,
                                           const std::filesystem::path& folder) const;

 private:
  /// For the linker: which symbol of one copy the runner is to find under a name.
  using Words = std::vector<std::string>;

  std::optional<Definitions> cut(const std::string& source) const;
  std::string with_own_kernels(std::string text, const Names& of_copy) const;
  std::string shown_of(const std::vector<std::string>& functions, const Names& defined) const;
  std::string right_solution() const;
  std::optional<std::vector<Words>> words_of(std::size_t copies,
                                             const std::filesystem::path& object) const;
  bool build_leg(const std::vector<std::string>& copies, protocol::Leg leg,
                 const std::filesystem::path& folder,
                 std::vector<std::filesystem::path>& executables) const;
  bool build_all(const std::vector<std::string>& copies, const std::filesystem::path& folder,
                 std::vector<std::filesystem::path>& executables) const;

  const lab::Kit& kit_;
  lab::Lab lab_;
  std::optional<Definitions> contract_, solution_;  ///< without them there are no copies
  bool leaves_out_;                                 ///< of a copy what its exercise does not use
  std::string right_;                               ///< what stands before the copies
  std::map<std::string, std::string> wanted_;       ///< by the runner: symbols by their names
  std::vector<std::string> called_;                 ///< by the runner: functions of the learner's
  std::vector<std::string> kernels_;
};

}  // namespace nibble::proofs
