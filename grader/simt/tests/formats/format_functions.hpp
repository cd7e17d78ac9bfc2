// Functions of CUDA's format headers that a host may call, as tables: compiled once with the
// toolkit's headers and once with ours, and compared.
#pragma once

#include <cstdint>
#include <span>

namespace nibble::simt {

/// Takes codes, words or the bits of a float; gives bits.
struct FormatFunction {
  const char* name;
  std::uint64_t (*call)(std::uint32_t a, std::uint32_t b);
};

struct FormatFunctions {
  std::span<const FormatFunction> of_code;   // one 16-bit code
  std::span<const FormatFunction> of_codes;  // two of them
  std::span<const FormatFunction> of_float;  // the bits of a float
  std::span<const FormatFunction> of_byte;   // an fp8 code
};

FormatFunctions toolkit_functions();
FormatFunctions nibble_functions();

}  // namespace nibble::simt
