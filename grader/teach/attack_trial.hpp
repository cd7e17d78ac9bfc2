// One attack, tried: compiled, run and judged in its boxes, and what it did besides.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "build/compile.hpp"
#include "build/kit.hpp"
#include "sandbox/box.hpp"
#include "teach/attack.hpp"

namespace nibble::teach {

/// What was compiled for another level already: most of the time of the suite would go there.
class CompiledAttacks {
 public:
  /// `anew`: once for each level, for those that attack the compiler.
  build::Built get(const build::Kit& kit, build::Job job, bool anew);

 private:
  std::map<std::string, build::Built> kept_;  ///< by folder
};

/// Compiles, runs and judges one attack in `work`, a folder of its own, and in those boxes.
Attempt attempt(const build::Kit& kit, const Attack& attack, const sandbox::Boxes& boxes,
                const std::filesystem::path& work, CompiledAttacks& compiled);

}  // namespace nibble::teach
