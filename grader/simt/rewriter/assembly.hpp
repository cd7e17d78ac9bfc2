// A line of the assembly that g++ or clang++ write for x86-64, in AT&T's way:
// `movss 4(%rax,%rcx,4), %xmm0`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace nibble::simt {

/// The general registers by their whole: %eax, %ax and %al are parts of rax.
enum class Register : std::int8_t {
  kNone = -1,
  kRax,
  kRbx,
  kRcx,
  kRdx,
  kRsi,
  kRdi,
  kRbp,
  kRsp,
  kR8,  // and on to r15
  kR15 = kR8 + 7,
  kRip,
  kOther,
};
inline constexpr int kGeneralRegisters = 16;

struct Operand {
  enum class Kind : std::uint8_t { kImmediate, kRegister, kMemory, kLabel };
  Kind kind = Kind::kLabel;
  std::string_view text;

  Register name = Register::kNone;  ///< of a register
  unsigned bytes = 0;               ///< of a register: how wide it is

  // displacement + symbol + base + index * scale; an immediate: displacement + symbol
  std::int64_t displacement = 0;
  std::string_view symbol;
  Register base = Register::kNone, index = Register::kNone;
  unsigned scale = 1;
  bool has_segment = false;  ///< %fs:40
  bool is_plain = true;      ///< nothing stands in it that this reader does not know

  bool is_memory() const { return kind == Kind::kMemory; }
};

struct AsmInstruction {
  std::string_view name;  ///< without prefixes
  bool repeats = false;
  std::vector<Operand> operands;
};

struct Line {
  enum class Kind : std::uint8_t { kOther, kLabel, kDirective, kInstruction };
  Kind kind = Kind::kOther;
  std::string_view text;  ///< whole; of a label and a directive: its name
  std::string_view rest;  ///< what follows it
};

inline bool is_any(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// What a line is. Comments are of no account.
Line line_of(std::string_view text);

AsmInstruction instruction_of(std::string_view text);

/// The bytes that the instruction moves to or from memory at its operand `at`; 0: not known.
unsigned bytes_in_memory(const AsmInstruction& instruction, std::size_t at);

/// movs, stos and the like: rsi and rdi are where they read and write, rcx how often.
bool is_string(const AsmInstruction& instruction);

/// Stores into its last operand, be it a register or memory.
bool stores(const AsmInstruction& instruction);
/// Reads what it stores into, too: `addl $1, (%rax)`.
bool changes(const AsmInstruction& instruction);

}  // namespace nibble::simt
