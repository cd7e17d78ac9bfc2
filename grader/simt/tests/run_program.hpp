// Runs a program of kernels (program.cpp and a .cu file) and reads what it prints, with code
// offsets turned into lines of the .cu file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nibble/simt/report.hpp"

namespace nibble::simt {

struct Found {
  Kind kind;
  int line, other_line;  ///< in the .cu file; 0: not known
  std::string kernel, subject, detail;
  std::string who;  ///< "thread/block"
};

/// One row of traffic: "global load 4: 128 requests, 4096 lanes, 512 sectors, 16384 bytes", or
/// "... 32 wavefronts, ideally 1".
struct Counted {
  int line;
  std::string text;
  bool operator==(const Counted&) const = default;
};

struct Outcome {
  int exit_code;
  bool values_right;
  std::vector<Found> found;
  std::vector<Counted> counted;
  std::string totals, steps;
  std::string all;  ///< what it printed
};

Outcome run_program(const std::string& program, const std::string& arguments);

/// The lines of a .cu file that say [name] or [name: ...].
std::vector<int> lines_that_say(const std::string& file, const std::string& name);

}  // namespace nibble::simt
