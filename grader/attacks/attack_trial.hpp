// One attack, tried: compiled, run and judged in its boxes, and what it did besides.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "attacks/attack.hpp"
#include "compile/compile.hpp"
#include "lab/kit.hpp"
#include "sandbox/box.hpp"

namespace nibble::attacks {

/// What was compiled already, for another level: most of the time of the suite would go there.
class CompiledAttacks {
 public:
  /// `anew`: once for each level, for those that attack the compiler.
  compile::Built get(const lab::Kit& kit, compile::Job job, bool anew);

 private:
  std::map<std::string, compile::Built> kept_;  ///< by compile/key.hpp
  std::optional<sandbox::Boxes> first_;
};

/// Compiles, runs and judges one attack in `work`, a folder of its own, and in those boxes.
AttackResult attempt(const lab::Kit& kit, const Attack& attack, const sandbox::Boxes& boxes,
                     const std::filesystem::path& work, CompiledAttacks& compiled);

}  // namespace nibble::attacks
