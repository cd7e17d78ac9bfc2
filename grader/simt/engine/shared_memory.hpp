// __shared__ variables of the running block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nibble/simt/launch.hpp"

namespace nibble::simt {

/// Launch: no variable yet. Block: the variables of the launch, unwritten again.
void begin_launch_memory();
void begin_block_memory();

/// The variables of a block that others run before it goes on.
struct KeptShared {
  struct Variable {
    std::size_t offset;
    SharedDecl* declaration;
    std::vector<std::byte> bytes;
    std::vector<std::uint8_t> states;
  };
  std::vector<Variable> variables;
};
KeptShared keep_shared();
void bring_back(const KeptShared& kept);

/// A variable of the running launch, or its dynamic memory.
struct Placed {
  std::size_t offset, size;
  SharedDecl* declaration;
};
/// The one that `offset` is in, or nearest to; null: there is none.
const Placed* shared_near(std::size_t offset);

}  // namespace nibble::simt
