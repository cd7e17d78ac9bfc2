// What one instruction does, as far as a learner of kernels asks: multiply, and how much at once;
// touch memory, and whose.
#pragma once

#include <string>

#include "report/disassembly.hpp"

namespace nibble::report {

struct InstructionKind {
  bool vector = false;  ///< works on a vector register, and not on its lowest element alone
  bool multiplies = false;
  int multiplications = 0;  ///< of one vector or tile multiplication; a scalar one has 1
  std::string registers;    ///< "zmm", "ymm", "xmm", "tmm"; on ARM "v"; empty: no vector
  bool loads = false, stores = false;
  bool on_stack = false;  ///< the memory it touches is the function's own
  bool calls = false, jumps = false;
  std::string mark;  ///< "vnni", "amx", "fma", "dot", "mul", "neon", "vec", "call", or nothing

  bool vector_multiplication() const { return multiplies && vector; }
};

/// `frame_pointer`: the function keeps its frame in rbp, so that what rbp points to is stack.
InstructionKind kind_of(const Instruction& instruction, Processor processor, bool frame_pointer);

/// A tile multiplication does as many as its configuration says; this is the most, 16 x 16 x 64.
inline constexpr int kMostOfATile = 16 * 16 * 64;

}  // namespace nibble::report
