// Names of instructions by their beginnings and registers, for x86-64 and for arm64.
#include "report/instruction_kind.hpp"

#include <algorithm>
#include <array>

namespace nibble::report {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& starts) {
  return std::ranges::any_of(starts, [&](auto start) { return text.starts_with(start); });
}

// --- x86 -----------------------------------------------------------------------------------------

/// vpaddd and paddd are one operation: the v is the newer encoding.
std::string_view without_v(std::string_view mnemonic) {
  return mnemonic.starts_with("v") ? mnemonic.substr(1) : mnemonic;
}

/// addss, vfmadd231sd, cvtsi2ss, vmovd: in a vector register, and on one number.
bool is_scalar_x86(std::string_view mnemonic) {
  const std::string_view name = without_v(mnemonic);
  if (mnemonic.starts_with("tdp")) return false;
  if (name == "movd" || name == "movq" || name == "movss" || name == "movsd") return true;
  if (has(name, "ss2") || has(name, "sd2") || has(name, "si2")) return true;
  return !name.starts_with("p") && (name.ends_with("ss") || name.ends_with("sd")) &&
         !name.starts_with("broadcast");
}

std::string registers_x86(std::string_view operands) {
  for (const char* const kind : {"tmm", "zmm", "ymm", "xmm"}) {
    if (has(operands, kind)) return kind;
  }
  return "";
}

int bytes_of(std::string_view registers) {
  return registers == "zmm" ? 64 : registers == "ymm" ? 32 : 16;
}

bool is_fma(std::string_view mnemonic) {
  return mnemonic.starts_with("vfm") || mnemonic.starts_with("vfnm");
}

/// How many bytes of a register one of its multiplications takes; 0: it does not multiply.
int bytes_per_product(std::string_view mnemonic) {
  struct Entry {
    std::string_view start;
    int bytes;
  };
  constexpr std::array<Entry, 17> kEntries = {{{"pdpb", 1},
                                               {"pdpw", 2},
                                               {"pmaddubsw", 1},
                                               {"pmaddwd", 2},
                                               {"pmullw", 2},
                                               {"pmulhw", 2},
                                               {"pmulhuw", 2},
                                               {"pmulhrsw", 2},
                                               {"pmulld", 4},
                                               {"pmullq", 8},
                                               {"pmuludq", 8},
                                               {"pmuldq", 8},
                                               {"mulph", 2},
                                               {"mulps", 4},
                                               {"mulpd", 8},
                                               {"dpbf16ps", 2},
                                               {"dpphps", 2}}};
  const std::string_view name = without_v(mnemonic);
  for (const Entry& entry : kEntries) {
    if (name.starts_with(entry.start)) return entry.bytes;
  }
  if (!is_fma(mnemonic)) return 0;
  return mnemonic.ends_with("pd") ? 8 : mnemonic.ends_with("ph") ? 2 : 4;
}

void add_product_x86(InstructionKind& kind, std::string_view mnemonic) {
  if (mnemonic.starts_with("tdp")) {
    kind.multiplies = true;
    kind.multiplications = kMostOfATile;
  } else if (kind.vector) {
    const int bytes = bytes_per_product(mnemonic);
    kind.multiplies = bytes > 0;
    if (bytes > 0) kind.multiplications = bytes_of(kind.registers) / bytes;
  } else {
    const std::string_view name = without_v(mnemonic);
    kind.multiplies = mnemonic == "imul" || mnemonic.starts_with("mul") || name == "mulss" ||
                      name == "mulsd" || is_fma(mnemonic);
    kind.multiplications = kind.multiplies ? 1 : 0;
  }
}

/// In Intel's order the target comes first: memory there is written.
void add_memory_x86(InstructionKind& kind, std::string_view mnemonic, std::string_view operands,
                    bool frame_pointer) {
  constexpr std::array<std::string_view, 3> kNoAccess = {"lea", "nop", "prefetch"};
  constexpr std::array<std::string_view, 4> kOnlyRead = {"cmp", "test", "jmp", "call"};
  const std::size_t open = operands.find('[');
  if (open == std::string_view::npos || starts_with_any(mnemonic, kNoAccess)) return;
  const bool first = open < operands.find(',');
  kind.stores = first && !starts_with_any(mnemonic, kOnlyRead) && mnemonic != "ldtilecfg";
  kind.loads = !kind.stores;
  const std::string_view inside = operands.substr(open + 1);
  kind.on_stack = inside.starts_with("rsp") || (frame_pointer && inside.starts_with("rbp"));
}

std::string mark_x86(const InstructionKind& kind, std::string_view mnemonic) {
  if (kind.calls) return "call";
  if (mnemonic.starts_with("tdp") || has(mnemonic, "tile")) return "amx";
  if (mnemonic.starts_with("vpdp")) return "vnni";
  if (!kind.vector) return "";
  if (is_fma(mnemonic)) return "fma";
  return kind.multiplies ? "mul" : "vec";
}

InstructionKind kind_x86(const Instruction& instruction, bool frame_pointer) {
  const std::string_view mnemonic = instruction.mnemonic, operands = instruction.operands;
  InstructionKind kind;
  kind.calls = mnemonic.starts_with("call");
  kind.jumps = mnemonic.starts_with("j") || mnemonic.starts_with("loop");
  kind.registers = registers_x86(operands);
  kind.vector = !kind.registers.empty() && !is_scalar_x86(mnemonic);
  if (!kind.vector) kind.registers.clear();
  add_product_x86(kind, mnemonic);
  add_memory_x86(kind, mnemonic, operands, frame_pointer);
  kind.mark = mark_x86(kind, mnemonic);
  return kind;
}

// --- ARM -----------------------------------------------------------------------------------------

/// "v0.4s, …" has 4 lanes of its first register; 0: it is no vector.
int lanes_of(std::string_view operands) {
  const std::size_t dot = operands.find('.');
  if (dot == std::string_view::npos || dot > operands.find(',')) return 0;
  const std::string_view shape = operands.substr(dot + 1);
  return shape.starts_with("16") ? 16 : shape[0] >= '1' && shape[0] <= '9' ? shape[0] - '0' : 0;
}

bool is_dot_arm(std::string_view mnemonic) {
  return mnemonic == "sdot" || mnemonic == "udot" || mnemonic == "usdot" || mnemonic == "sudot";
}

/// Products of a vector multiplication; 0: it is none.
int products_arm(std::string_view mnemonic, std::string_view operands) {
  constexpr std::array<std::string_view, 3> kMatrix = {"smmla", "ummla", "usmmla"};
  constexpr std::array<std::string_view, 14> kByLane = {"mul",   "mla",   "mls",   "smull", "umull",
                                                        "smlal", "umlal", "smlsl", "umlsl", "fmul",
                                                        "fmla",  "fmls",  "sqdml", "sqdmu"};
  const int lanes = lanes_of(operands);
  if (lanes == 0) return 0;
  if (is_dot_arm(mnemonic)) return 4 * lanes;
  if (starts_with_any(mnemonic, kMatrix)) return 8 * lanes;
  return starts_with_any(mnemonic, kByLane) ? lanes : 0;
}

bool is_scalar_product_arm(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 11> kNames = {"mul",    "madd",  "msub",   "smull",
                                                       "smaddl", "umull", "umaddl", "fmul",
                                                       "fmadd",  "fmsub", "mneg"};
  return std::ranges::count(kNames, mnemonic) > 0;
}

/// A register of 128 bits as a whole: q0, or v0 with lanes, or a register of SVE.
bool is_vector_arm(std::string_view operands) {
  if (lanes_of(operands) > 0 || operands.starts_with("{")) return true;
  return (operands.starts_with("q") || operands.starts_with("z") || operands.starts_with("v")) &&
         operands.size() > 1 && operands[1] >= '0' && operands[1] <= '9';
}

std::string mark_arm(const InstructionKind& kind, std::string_view mnemonic) {
  if (kind.calls) return "call";
  if (is_dot_arm(mnemonic)) return "dot";
  if (!kind.vector) return "";
  return kind.multiplies ? "mul" : "neon";
}

InstructionKind kind_arm(const Instruction& instruction) {
  const std::string_view mnemonic = instruction.mnemonic, operands = instruction.operands;
  constexpr std::array<std::string_view, 4> kTests = {"cbz", "cbnz", "tbz", "tbnz"};
  InstructionKind kind;
  kind.calls = mnemonic == "bl" || mnemonic == "blr";
  kind.jumps = mnemonic == "b" || mnemonic == "br" || mnemonic.starts_with("b.") ||
               std::ranges::count(kTests, mnemonic) > 0;
  kind.vector = is_vector_arm(operands);
  if (kind.vector) kind.registers = "v";
  const int products = products_arm(mnemonic, operands);
  kind.multiplies = products > 0 || is_scalar_product_arm(mnemonic);
  kind.multiplications = products > 0 ? products : kind.multiplies ? 1 : 0;
  const std::size_t open = operands.find('[');
  const bool memory = open != std::string_view::npos;
  // "v1.16b, v2.4b[0]" picks an element, and touches no memory.
  kind.loads = memory && mnemonic.starts_with("ld");
  kind.stores = memory && mnemonic.starts_with("st");
  kind.on_stack = (kind.loads || kind.stores) && (operands.substr(open + 1).starts_with("sp") ||
                                                  operands.substr(open + 1).starts_with("x29"));
  kind.mark = mark_arm(kind, mnemonic);
  return kind;
}

}  // namespace

InstructionKind kind_of(const Instruction& instruction, Processor processor, bool frame_pointer) {
  return processor == Processor::kArm ? kind_arm(instruction)
                                      : kind_x86(instruction, frame_pointer);
}

}  // namespace nibble::report
