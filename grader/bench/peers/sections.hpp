// What is measured, one part after the other.
#pragma once

#include <vector>

#include "rounds.hpp"

namespace nibble::peers {

struct Contest {
  std::vector<MatmulShape> shapes{};
  std::vector<int> threads = {1, 2};
  Pace pace{};
  bool has_conversions = true, has_gemv = true;
};

/// Squares, one row and a few rows times a large layer, and a layer of a transformer.
std::vector<MatmulShape> every_shape();

void measure_products(std::vector<Seat>& seats, const Contest& contest, InheritedArena& arena,
                      Results& results);

/// Against a copy that moves as many bytes: in the second level, in the third, in memory.
void measure_conversions(std::vector<Seat>& seats, const Contest& contest, InheritedArena& arena,
                         Results& results);

/// One row times 4096 x 4096 weights that are not in a cache, against a loop that only reads them.
void measure_gemv(std::vector<Seat>& seats, const Contest& contest, InheritedArena& arena,
                  Results& results);

}  // namespace nibble::peers
