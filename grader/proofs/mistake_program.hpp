// Many mistakes of one lab compiled as one file, since most of a compilation is the headers, which
// are the same for all. Each still gets an executable of its own, linked with the runner as ever.
//
//     #include "nibble/lab.hpp"                    what contract and solution include, once
//     namespace nibble_kit = ::nibble;
//
//     …                                            the right solution as the first copy, n00000
//     #define nibble n00001                        a copy: what it defines lies in a namespace of its own,
//     namespace nibble {                           with all of the kit's names in reach
//     using namespace ::nibble_kit;
//     }
//     #line 1 "contracts/03_symmetric/symmetric.hpp"
//     …                                            the contract, without what is included above
//     extern … f [[gnu::externally_visible]];      the exercise that is mistaken, declared once more
//     #line 1 "labs/03_symmetric/symmetric.cpp"
//     …                                            the mistaken solution likewise
//     #undef nibble
//
//     #define nibble n00002                        the next one
//
// A kernel is a C function, which no namespace keeps apart: each copy's has a name of its own. The
// linker is told which copy's functions the runner calls. Of a lab without kernels, g++ compiles
// nothing of a copy but the mistaken exercise and what that one uses; what the runner calls
// besides is the right solution's. An exercise that the contract drives is no function of the
// learner's: such a copy shows all that the runner calls.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/kit.hpp"
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

  /// Compiles copies in `folder`. Executables at their places, with companions where kernels have
  /// them; empty paths for those that have to be compiled alone.
  std::vector<std::filesystem::path> build(const std::vector<std::string>& copies,
                                           const std::filesystem::path& folder) const;

 private:
  struct Text;
  /// For the linker: which symbol of one copy the runner is to find under a name.
  using Words = std::vector<std::string>;

  std::optional<Text> part_of(std::string_view text) const;
  std::string with_own_kernels(std::string text) const;
  std::optional<std::string> copy_of(const std::string& source,
                                     const std::vector<std::string>& shown) const;
  std::string file_of(const std::vector<std::string>& copies) const;
  std::optional<std::vector<Words>> words_of(std::size_t copies,
                                             const std::filesystem::path& object) const;
  bool build_leg(const std::vector<std::string>& copies, protocol::Leg leg,
                 const std::filesystem::path& folder,
                 std::vector<std::filesystem::path>& executables) const;
  bool build_all(const std::vector<std::string>& copies, const std::filesystem::path& folder,
                 std::vector<std::filesystem::path>& executables) const;

  const lab::Kit& kit_;
  lab::Lab lab_;
  std::string contract_, contract_includes_, own_includes_, own_macros_;
  bool leaves_out_;    ///< of a copy what its exercise does not use
  std::string right_;  ///< the copy of the solution; empty where nothing is left out
  std::map<std::string, std::string> wanted_;  ///< by the runner: symbols by their names
  std::vector<std::string> called_;            ///< by the runner: functions of the learner's
  std::vector<std::string> kernels_;
};

}  // namespace nibble::proofs
