// Where an attack is played: the lab that it is handed in for, and what its file holds besides.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "lab/kit.hpp"

namespace nibble::attacks {

struct Stage {
  const char* leg;
  const char* lab;
  const char* exercise;  ///< the one that is judged
  const char* folder;    ///< of grader/attacks: its attacks, head.txt and tail.txt
  protocol::Leg built;
  bool timed;
  std::chrono::milliseconds cpu_limit, wall_limit;  ///< of one call; 0: the judge's own
};

/// Throws std::runtime_error when there is none: `leg` is what follows "// leg:", or "plain".
const Stage& stage_of(const std::string& leg);

/// head.txt, the attack, tail.txt: one source file. Where the attack says @HEAD@, there stands
/// the head; @SECRETS@ is the folder it may not read or change, @SOLUTION@ the file it may not
/// include, @SOLUTION_TEXT@ what that file holds.
std::string source_of(const lab::Kit& kit, const Stage& stage, const std::string& attack,
                      const std::filesystem::path& secrets);

}  // namespace nibble::attacks
