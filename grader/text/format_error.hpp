// What a hand-written file of the kit has wrong, and on which line.
#pragma once

#include <stdexcept>
#include <string>

namespace nibble::text {

struct FormatError : std::runtime_error {
  FormatError(int line, const std::string& what)
      : std::runtime_error("line " + std::to_string(line) + ": " + what) {}
};

}  // namespace nibble::text
