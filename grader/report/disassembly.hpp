// A disassembly, as objdump prints it: functions, and their instructions.
//
//     0000000000001130 <nibble::dot(signed char const*, …)>:
//         1130:	test   rdx,rdx
//         1133:	je     1168 <nibble::dot(signed char const*, …)+0x38>
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::report {

enum class Processor { kX86, kArm };

struct Instruction {
  std::uint64_t address = 0;
  std::string mnemonic;     ///< "vpaddd"; without prefixes such as rep and {vex}
  std::string operands;     ///< "ymm2,ymm2,ymm1": on x86 in Intel's order, the target first
  bool refers = false;      ///< to a place in the program: a jump, a call, an address
  std::uint64_t place = 0;  ///< that place
  std::string place_name;   ///< "nibble::dot(…)+0x38"
};

struct Function {
  std::string name;  ///< as a C++ programmer writes it, parameters included
  std::vector<Instruction> code;

  std::uint64_t begin() const { return code.front().address; }
  bool contains(std::uint64_t address) const {
    return begin() <= address && address <= code.back().address;
  }
};

struct Disassembly {
  Processor processor = Processor::kX86;
  std::vector<Function> functions;                  ///< none of them empty
  std::map<std::uint64_t, std::uint64_t> objects;   ///< of data: where they are, and their bytes
  std::map<std::uint64_t, std::uint64_t> pointers;  ///< in data: where they are, and what they hold

  /// The function that holds `address`; null when none does.
  const Function* at(std::uint64_t address) const;

  /// The functions that the object of data at `place` points to: a table of kernels.
  std::vector<const Function*> pointed_to_from(std::uint64_t place) const;
};

/// Reads `objdump --disassemble --demangle --no-show-raw-insn`, with `-M intel` on x86; before it,
/// if it shall know tables, `objdump --syms --dynamic-reloc --demangle`.
Disassembly read_disassembly(std::string_view text);

/// "void nibble::(anonymous namespace)::tile<short>(short const*, int) [clone .isra.0]" ->
/// "tile<short>".
std::string short_name(std::string_view name);

}  // namespace nibble::report
