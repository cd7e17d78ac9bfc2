// Compiles a learner's file, unless the same text was compiled with the same kit just before.
#pragma once

#include "compile/compile.hpp"
#include "lab/kit.hpp"

namespace nibble::cli {

struct Child {
  compile::Built built;
  bool reused = false;  ///< nothing had changed, and the child was still there
};

/// As compile::compile_child, in `job.work`.
Child compile_or_reuse(const lab::Kit& kit, const compile::Job& job);

}  // namespace nibble::cli
