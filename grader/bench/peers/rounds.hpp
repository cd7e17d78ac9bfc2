// Contenders take turns: what disturbs the machine for a second disturbs all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "results.hpp"
#include "worker.hpp"

namespace nibble::peers {

struct Pace {
  int rounds = 15;
  double seconds = 8;  ///< for one problem; whoever has used his share of it stands aside
};

/// A contender, and the process it lives in.
struct Seat {
  Contender contender;
  std::unique_ptr<Worker> worker;
};

/// Gives every contender the problem, checks what it computes, then times all of them in turn.
void compete(std::vector<Seat>& seats, const Posed& posed, const std::vector<Operation>& works,
             const Pace& pace, const std::string& title, Results& results);

}  // namespace nibble::peers
