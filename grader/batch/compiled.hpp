// Children that are compiled already: the same text, lab, flags and kit give the same child,
// whoever handed it in. A child is hashed when it is put away and again when it is taken out: one
// that was changed meanwhile is compiled anew.
#pragma once

#include <filesystem>

#include "compile/compile.hpp"

namespace nibble::batch {

class Compiled {
 public:
  /// `folder`: only the grader may write there.
  explicit Compiled(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// As compile::compile_child; `key` stands for all that decides what comes of `job`. What does
  /// not compile is not kept. May be called from several threads and machines at once.
  compile::Built get(const lab::Kit& kit, const compile::Job& job, const std::string& key) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace nibble::batch
