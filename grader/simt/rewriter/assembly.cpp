// Takes a line of assembly apart: the name and its suffix, registers by their numbers, addresses as
// base, index and displacement.
#include "simt/rewriter/assembly.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>

namespace nibble::simt {
namespace {

constexpr auto npos = std::string_view::npos;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// A comment begins at a #, but for one in a string.
std::string_view without_comment(std::string_view text) {
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (c == '\\' && in_string) ++i;
    if (c == '#' && !in_string) return text.substr(0, i);
  }
  return text;
}

struct RegisterName {
  std::string_view text;
  Register name;
  unsigned bytes;
};
using enum Register;
constexpr auto kNames = std::to_array<RegisterName>({
    {"rax", kRax, 8}, {"eax", kRax, 4}, {"ax", kRax, 2},  {"al", kRax, 1},  {"ah", kRax, 1},
    {"rbx", kRbx, 8}, {"ebx", kRbx, 4}, {"bx", kRbx, 2},  {"bl", kRbx, 1},  {"bh", kRbx, 1},
    {"rcx", kRcx, 8}, {"ecx", kRcx, 4}, {"cx", kRcx, 2},  {"cl", kRcx, 1},  {"ch", kRcx, 1},
    {"rdx", kRdx, 8}, {"edx", kRdx, 4}, {"dx", kRdx, 2},  {"dl", kRdx, 1},  {"dh", kRdx, 1},
    {"rsi", kRsi, 8}, {"esi", kRsi, 4}, {"si", kRsi, 2},  {"sil", kRsi, 1}, {"rdi", kRdi, 8},
    {"edi", kRdi, 4}, {"di", kRdi, 2},  {"dil", kRdi, 1}, {"rbp", kRbp, 8}, {"ebp", kRbp, 4},
    {"bp", kRbp, 2},  {"bpl", kRbp, 1}, {"rsp", kRsp, 8}, {"esp", kRsp, 4}, {"sp", kRsp, 2},
    {"spl", kRsp, 1}, {"rip", kRip, 8},
});

/// r8, r8d, r8w, r8b to r15b.
RegisterName numbered_register(std::string_view text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 1, end, number);
  if (error != std::errc() || number < 8 || number > 15) return {text, kOther, 0};
  const std::string_view width(stop, static_cast<std::size_t>(end - stop));
  const unsigned bytes = width.empty() ? 8 : width == "d" ? 4 : width == "w" ? 2 : 1;
  return {text, static_cast<Register>(static_cast<int>(kR8) + number - 8), bytes};
}

/// `text` without its %.
RegisterName register_named(std::string_view text) {
  const auto found = std::ranges::find(kNames, text, &RegisterName::text);
  if (found != kNames.end()) return *found;
  if (text.starts_with("xmm")) return {text, kOther, 16};
  return text.starts_with('r') && text.size() > 1 ? numbered_register(text)
                                                  : RegisterName{text, kOther, 0};
}

bool read_number(std::string_view text, std::int64_t& number) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || std::from_chars(text.data(), end, value, base).ptr != end) return false;
  number = static_cast<std::int64_t>(is_negative ? 0 - value : value);
  return true;
}

/// "-8", ".LC0", "table+16", "16+table", "table@GOTPCREL".
void read_displacement(std::string_view text, Operand& operand) {
  if (text.empty() || read_number(text, operand.displacement)) return;
  const std::size_t sign = text.find_first_of("+-", 1);
  if (sign == npos) {
    operand.symbol = text;
  } else if (read_number(text.substr(sign), operand.displacement)) {
    operand.symbol = text.substr(0, sign);
  } else if (text[sign] == '+' && read_number(text.substr(0, sign), operand.displacement)) {
    operand.symbol = text.substr(sign + 1);
  } else {
    operand.is_plain = false;
  }
}

/// "%rax,%rcx,4"
void read_address(std::string_view text, Operand& operand) {
  const std::size_t first = text.find(','), second = text.find(',', first + (first != npos));
  const auto name = [](std::string_view part) {
    part = trimmed(part);
    return part.starts_with('%') ? register_named(part.substr(1)).name : kNone;
  };
  operand.base = name(text.substr(0, first));
  if (first == npos) return;
  operand.index = name(text.substr(first + 1, second == npos ? npos : second - first - 1));
  if (second == npos) return;
  std::int64_t scale = 0;
  operand.is_plain &= read_number(trimmed(text.substr(second + 1)), scale);
  operand.scale = static_cast<unsigned>(scale);
}

Operand operand_of(std::string_view text) {
  Operand operand;
  operand.text = text;
  if (text.starts_with('*')) text.remove_prefix(1);  // an indirect jump or call
  const std::size_t open = text.find('(');
  if (text.starts_with('$')) {
    operand.kind = Operand::Kind::kImmediate;
    read_displacement(text.substr(1), operand);
  } else if (text.starts_with('%') && text.find(':') == npos) {
    const RegisterName named = register_named(text.substr(1));
    operand.kind = Operand::Kind::kRegister;
    operand.name = named.name;
    operand.bytes = named.bytes;
  } else if (text.find(':') != npos || open != npos) {
    operand.kind = Operand::Kind::kMemory;
    operand.has_segment = text.find(':') != npos;
    if (operand.has_segment) text.remove_prefix(text.find(':') + 1);
    read_displacement(text.substr(0, text.find('(')), operand);
    if (open != npos) {
      const std::size_t begin = text.find('(') + 1;
      read_address(text.substr(begin, text.find(')') - begin), operand);
    }
  } else {
    operand.symbol = text;
  }
  return operand;
}

std::vector<Operand> operands_of(std::string_view text) {
  std::vector<Operand> operands;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    const std::string_view operand = trimmed(text.substr(begin, i - begin));
    if (!operand.empty()) operands.push_back(operand_of(operand));
    begin = i + 1;
  }
  return operands;
}

/// A suffix that says how much of memory is meant, where no general register does:
/// "movzbl", "cvtsi2sdq".
unsigned bytes_of_name(std::string_view name) {
  if (name.starts_with("movzb") || name.starts_with("movsb") || name.starts_with("set")) return 1;
  if (name.starts_with("movzw") || name.starts_with("movsw")) return 2;
  if (name == "movslq" || name == "movd") return 4;
  if (is_any(name,
             {"movq", "movlps", "movhps", "movlpd", "movhpd", "movsd", "cvtps2pd", "cvtpi2ps"}))
    return 8;
  if (is_any(name, {"fildll", "fistpll", "fisttpll", "fildq", "fistpq", "fisttpq", "fldl", "fstl",
                    "fstpl"}))
    return 8;
  if (is_any(name, {"filds", "fistps", "fists", "fnstcw", "fldcw", "fisttps", "fnstsw"})) return 2;
  if (is_any(name, {"fldt", "fstpt"})) return 16;  // 10, and what pads them
  if (name.starts_with("fild") || name.starts_with("fist")) return 4;
  if (name.starts_with("cvtss2") || name.starts_with("cvttss2")) return 4;
  if (name.starts_with("cvtsd2") || name.starts_with("cvttsd2")) return 8;
  if (name.starts_with("f")) return name.ends_with("s") ? 4 : name.ends_with("l") ? 8 : 0;
  return 0;
}

unsigned bytes_of_suffix(std::string_view name) {
  switch (name.empty() ? ' ' : name.back()) {
    case 'b':
      return 1;
    case 'w':
      return 2;
    case 'l':
      return 4;
    case 'q':
      return 8;
    default:
      return 0;
  }
}

bool is_branch(std::string_view name) {
  return name.starts_with('j') || name.starts_with("call") || name.starts_with("loop");
}

}  // namespace

Line line_of(std::string_view text) {
  const std::string_view whole = trimmed(without_comment(text));
  Line line{Line::Kind::kOther, whole, {}};
  if (whole.empty()) return line;
  const std::size_t end = whole.find_first_of(" \t");
  const std::string_view first = whole.substr(0, end);
  if (end != npos) line.rest = trimmed(whole.substr(end));
  if (first.ends_with(':')) {
    line.kind = Line::Kind::kLabel;
    line.text = first.substr(0, first.size() - 1);
  } else if (first.starts_with('.')) {
    line.kind = Line::Kind::kDirective;
    line.text = first;
  } else {
    line.kind = Line::Kind::kInstruction;
  }
  return line;
}

AsmInstruction instruction_of(std::string_view text) {
  AsmInstruction instruction;
  for (;;) {
    const std::size_t end = text.find_first_of(" \t;");  // clang++ writes "rep;movsq"
    instruction.name = text.substr(0, end);
    text = end == npos ? std::string_view() : trimmed(text.substr(end + 1));
    const bool repeats = instruction.name.starts_with("rep");
    instruction.repeats |= repeats;
    if (text.empty()) break;
    if (!repeats && !is_any(instruction.name, {"lock", "notrack", "bnd", "data16", "addr32"}))
      break;
  }
  instruction.operands = operands_of(text);
  if (!is_branch(instruction.name)) {  // what would be a label is memory at a fixed address
    for (Operand& operand : instruction.operands) {
      if (operand.kind == Operand::Kind::kLabel) operand.kind = Operand::Kind::kMemory;
    }
  }
  return instruction;
}

unsigned bytes_in_memory(const AsmInstruction& instruction, std::size_t at) {
  const std::string_view name = instruction.name;
  if (const unsigned bytes = bytes_of_name(name)) return bytes;
  const bool converts = name.starts_with("cvtsi2s");
  for (std::size_t i = 0; i < instruction.operands.size() && !converts; ++i) {
    const Operand& other = instruction.operands[i];
    if (i == at || other.kind != Operand::Kind::kRegister) continue;
    const bool is_count = instruction.operands.size() > 1 && other.bytes == 1 && i == 0 &&
                          (name.starts_with("s") || name.starts_with("ro"));
    if (is_count) continue;  // shll %cl, (%rax)
    if (other.name != Register::kOther) return other.bytes;
    if (other.bytes != 16) return 0;
    return name.ends_with("ss") ? 4 : name.ends_with("sd") ? 8 : 16;
  }
  return is_any(name, {"call", "jmp", "push", "pop"}) ? 8 : bytes_of_suffix(name);
}

bool is_string(const AsmInstruction& instruction) {
  const std::string_view name = instruction.name;
  const bool has_such_a_name = name.size() == 5 && bytes_of_suffix(name) != 0 &&
                               is_any(name.substr(0, 4), {"movs", "stos", "lods", "scas", "cmps"});
  const auto in_segment = [](const Operand& operand) { return operand.has_segment; };
  return has_such_a_name &&
         (instruction.operands.empty() || std::ranges::any_of(instruction.operands, in_segment));
}

bool stores(const AsmInstruction& instruction) {
  const std::string_view name = instruction.name;
  if (instruction.operands.size() == 1) {
    for (const char* const reads : {"push", "call", "jmp", "fld", "fild", "mul", "imul", "div",
                                    "idiv", "fadd", "fsub", "fmul", "fdiv", "fcom", "ldmxcsr"}) {
      if (name.starts_with(reads)) return false;
    }
  }
  for (const char* const compares : {"cmp", "test", "ucomis", "comis"}) {
    if (name.starts_with(compares) && !name.starts_with("cmpxchg")) return false;
  }
  return !is_any(name, {"bt", "btl", "btq", "btw"});
}

bool changes(const AsmInstruction& instruction) {
  const std::string_view name = instruction.name;
  return !name.starts_with("mov") && !name.starts_with("set") && !name.starts_with("f") &&
         !name.starts_with("pop") && !name.starts_with("stmxcsr");
}

}  // namespace nibble::simt
