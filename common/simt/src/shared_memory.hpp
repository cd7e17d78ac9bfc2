// __shared__ variables of the running block.
#pragma once

#include <cstddef>
#include <vector>

#include "nibble/simt/launch.hpp"

namespace nibble::simt {

/// Launch: no variable yet. Block: the variables of the launch, unwritten again.
void begin_launch_memory();
void begin_block_memory();

/// A variable of the running launch, or its dynamic memory.
struct Placed {
  std::size_t offset, size;
  const SharedDecl* declaration;
};
/// The one that `offset` is in, or nearest to; null: there is none.
const Placed* shared_near(std::size_t offset);

}  // namespace nibble::simt
