// What a lab's checks are linked with where they are one ordinary GoogleTest executable.
#pragma once

#include <string>
#include <vector>

#include "lab/kit.hpp"

namespace nibble::bench {

/// A linker's words, in its order.
inline std::vector<std::string> ordinary_parts(const lab::Kit& kit) {
  std::vector<std::string> parts;
  for (const char* const name :
       {"judge_nets", "judge", "nibble_onnx", "nibble_record", "nibble_process", "nibble_files",
        "nibble_sandbox", "nibble_text"}) {
    parts.push_back((kit.build / "grader" / ("lib" + std::string(name) + ".a")).string());
  }
  for (const char* const name : {"gtest", "gtest_main", "fmt", "crypto", "pthread"}) {
    parts.push_back("-l" + std::string(name));
  }
  return parts;
}

}  // namespace nibble::bench
