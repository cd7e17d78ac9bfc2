// What one judge says of one child.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "record/check.hpp"

namespace nibble::record {

/// How it ended, the best first.
enum class End { kPass, kFail, kStopped, kNoCompile, kKitError };

inline constexpr std::array kEndNames = {"pass", "fail", "stopped", "no_compile", "kit_error"};

constexpr const char* name_of(End end) { return kEndNames.at(static_cast<std::size_t>(end)); }

/// What a program ends with that has nothing else to say. 2 is a mistake in its use, 5 something
/// that is missing here.
constexpr int exit_of(End end) {
  constexpr std::array kExits = {0, 1, 4, 3, 6};
  return kExits.at(static_cast<std::size_t>(end));
}

struct Verdict {
  std::string lab;
  End end = End::kPass;
  int points = 0, max_points = 0;
  int not_counted = 0;  ///< of the points: of what cannot run here
  struct Hidden {
    bool run = false;
    int max_points = 0;  ///< that hidden checks are worth
  } hidden;
  std::string seed;  ///< 0x…
  std::vector<Check> checks;

  bool passes() const { return end == End::kPass; }
};

}  // namespace nibble::record
