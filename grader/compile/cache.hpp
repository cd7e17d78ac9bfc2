// Children that are compiled already: the same text, lab, flags, compiler and kit give the same
// child, whoever handed it in. A child is hashed when it is put away and again when it is taken
// out: one that was changed meanwhile is compiled anew.
//
//     FOLDER/1f0c…/            named after the key, compile/key.hpp
//         ├── child            with its companions, where kernels have them
//         └── note.json        what the compiler said of it, and the hash of it all
//
// An entry appears in one step, whole: of two who compile the same at once, the second takes what
// the first has put there.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compile.hpp"

namespace nibble::compile {

class Cache {
 public:
  /// `folder`: only who compiles may write there. `most` entries are kept, those that were taken
  /// out last; 0: all.
  explicit Cache(std::filesystem::path folder, std::size_t most = 0);

  /// As compile_child(); `reused` when nothing had to be compiled. What does not compile is not
  /// kept. May be called from several threads and machines at once.
  Built get(const lab::Kit& kit, const Job& job) const;

  /// What was kept under that key.
  std::optional<Built> find(const std::string& key) const;

  /// Moves a child that was compiled from where it is; its place from now on.
  Built put(const std::string& key, const Built& built) const;

  /// Removes what nobody took out for so long.
  void sweep(std::chrono::hours unused) const;

 private:
  void fill(const std::string& key, const Built& built) const;
  void drop_oldest() const;

  std::filesystem::path folder_;
  std::size_t most_;
};

}  // namespace nibble::compile
