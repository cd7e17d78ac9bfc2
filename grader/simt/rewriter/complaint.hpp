// What is wrong with a learner's file, and where.
#pragma once

#include <string>

namespace nibble::simt {

struct Complaint {
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1, in bytes
  std::string message;
};

/// How nibble-simt-rewrite ends when it refuses a file: as no box, shell or loader does that fails.
inline constexpr int kRefusedExit = 3;

}  // namespace nibble::simt
