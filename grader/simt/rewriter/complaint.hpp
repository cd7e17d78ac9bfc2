// What is wrong with a learner's file, and where.
#pragma once

#include <string>

namespace nibble::simt {

struct Complaint {
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1, in bytes
  std::string message;
};

}  // namespace nibble::simt
