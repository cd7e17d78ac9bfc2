// Compiles a learner's file, unless the same text was compiled with the same kit just before.
#pragma once

#include "build/compile.hpp"
#include "build/kit.hpp"

namespace nibble::cli {

struct Child {
  build::Built built;
  bool reused = false;  ///< nothing had changed, and the child was still there
};

/// As build::compile_child, in `job.work`.
Child compile_or_reuse(const build::Kit& kit, const build::Job& job);

}  // namespace nibble::cli
