// The text of inline PTX cut into instructions and their arguments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simt/rewriter/ptx_statement.hpp"

namespace nibble::simt {

struct PtxArgument {
  enum class Kind : std::uint8_t {
    kOperand,  ///< %2
    kName,     ///< a register that .reg has declared
    kSpecial,  ///< %%laneid
    kNumber,   ///< 16, 0xff, -1
    kFloat,    ///< 0f3F800000
    kVector,   ///< {%0, %1}
    kAddress,  ///< [%2 + 16]
  };
  Kind kind = Kind::kNumber;
  std::string name;
  std::uint64_t number = 0;        ///< of an operand, a number, the bits of a float, an offset
  std::vector<PtxArgument> parts;  ///< of a vector; of an address its register
};

struct PtxInstruction {
  std::string opcode;  ///< `ld.global.u32`, or `{`, `}`, `.reg`
  std::string guard;   ///< the p of `@p` or `@!p`; empty: none
  bool is_guard_negated = false;
  std::vector<PtxArgument> arguments;
  std::string type;  ///< of `.reg .b32 a, b;`
};

/// Throws PtxError.
std::vector<PtxInstruction> read_ptx_text(std::string_view text);

}  // namespace nibble::simt
