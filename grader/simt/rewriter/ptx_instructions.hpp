// The instructions of PTX that run here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::simt {

/// What an argument has to be:
///
///     r  32 bits that are an integer      h  16 bits       l  64 bits       p  a predicate
///     b  32 bits of any type              s  8 or 16 bits, in 16 or 32      n  a constant
///     f  32 bits that are a float         a  [address] of shared memory     g  of global memory
struct PtxSlot {
  char kind;
  int parts;  ///< of a vector; 0: no vector
};

struct PtxForm {
  std::string function;  ///< of nibble::simt::ptx
  std::vector<PtxSlot> results, sources;
};

/// The ways in which an instruction can be written; none: it does not run here.
std::vector<PtxForm> forms_of_ptx(std::string_view opcode);

/// The function that gives a special register like `laneid`.
std::optional<std::string> special_register_of_ptx(std::string_view name);

/// Why an instruction that has no form does not run, and what to write instead.
std::string why_no_ptx(std::string_view opcode);

}  // namespace nibble::simt
