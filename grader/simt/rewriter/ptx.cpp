// Builds the calls that stand for a statement: registers become variables, each instruction a call.
#include "simt/rewriter/ptx.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "simt/rewriter/names.hpp"
#include "simt/rewriter/ptx_instructions.hpp"
#include "simt/rewriter/ptx_statement.hpp"
#include "simt/rewriter/ptx_text.hpp"

namespace nibble::simt {
namespace {

using Kind = PtxArgument::Kind;

#define PTX "::nibble::simt::ptx::"

struct PtxRegister {
  std::string name;
  char kind;  ///< as in constraints, and p: a predicate
  bool can_be_written, has_value;
};

std::string_view ptx_type_of(char kind) {
  switch (kind) {
    case 'h':
      return "unsigned short";
    case 'l':
      return "unsigned long long";
    case 'f':
      return "float";
    case 'd':
      return "double";
    case 'p':
      return "bool";
    default:
      return "unsigned";
  }
}

/// Whether a register of that kind can stand where the slot is. PTX lets bits be of any type; a
/// float's register is not one of an integer.
bool fits_slot(char slot, char kind) {
  switch (slot) {
    case 'b':
    case 'f':
      return kind == 'r' || kind == 'f';
    case 's':
      return kind == 'h' || kind == 'r';
    case 'a':
      return kind == 'r' || kind == 'l';
    case 'g':
      return kind == 'l';
    default:
      return kind == slot;
  }
}

std::string_view wanted_at(char slot) {
  switch (slot) {
    case 'r':
      return "an integer of 32 bits, \"r\"";
    case 'b':
      return "32 bits, \"r\" or \"f\"";
    case 'f':
      return "a float, \"f\"";
    case 'h':
      return "16 bits, \"h\"";
    case 's':
      return "16 or 32 bits, \"h\" or \"r\"";
    case 'l':
      return "64 bits, \"l\"";
    case 'd':
      return "a double, \"d\"";
    case 'a':
      return "an address of shared memory in brackets, [%0] of \"r\"";
    case 'g':
      return "an address of global memory in brackets, [%0] of \"l\"";
    case 'n':
      return "a constant, written out or \"n\"";
    default:
      return "a predicate";
  }
}

/// A value of a register of kind `from` as the type of kind `to`.
std::string converted(std::string_view value, char from, char to) {
  const std::string_view type = ptx_type_of(to);
  if (type == ptx_type_of(from)) return std::string(value);
  std::string text = from == 'f' ? PTX "bits(" : to == 'f' ? PTX "number(" : "static_cast<";
  if (text.starts_with("static_cast")) text.append(type).append(">(");
  return text.append(value).append(")");
}

class PtxTranslation {
 public:
  explicit PtxTranslation(const PtxStatement& statement) {
    int number = 0;
    for (const PtxOperand& operand : statement.operands) {
      operands_.push_back({"nibble_simt_" + std::to_string(number++), operand.kind,
                           operand.is_output, operand.is_input});
    }
  }

  std::string run(const std::string& text) {
    for (const PtxInstruction& instruction : read_ptx_text(text)) add(instruction);
    if (!scopes_.empty()) throw PtxError{"a { of this inline PTX is not closed"};
    return std::move(body_);
  }

 private:
  void add(const PtxInstruction& instruction) {
    if (instruction.opcode == "{") {
      constexpr std::size_t kDeepest = 8;
      if (scopes_.size() == kDeepest)
        throw PtxError{"scopes of inline PTX are nested 8 deep at most"};
      scopes_.push_back(locals_);
      body_ += "{ ";
    } else if (instruction.opcode == "}") {
      if (scopes_.empty()) throw PtxError{"a } of this inline PTX closes nothing"};
      locals_ = std::move(scopes_.back());
      scopes_.pop_back();
      body_ += "} ";
    } else if (instruction.opcode == ".reg") {
      declare(instruction);
    } else {
      call(instruction);
    }
  }

  void declare(const PtxInstruction& instruction) {
    static const std::map<std::string_view, char> kKinds{
        {".b32", 'r'}, {".u32", 'r'}, {".s32", 'r'}, {".f32", 'f'}, {".b16", 'h'}, {".u16", 'h'},
        {".s16", 'h'}, {".b64", 'l'}, {".u64", 'l'}, {".s64", 'l'}, {".pred", 'p'}};
    const auto kind = kKinds.find(instruction.type);
    if (kind == kKinds.end()) {
      throw PtxError{"a register of inline PTX is .pred, .b16, .b32, .b64 or .f32 here, not " +
                     instruction.type};
    }
    for (const PtxArgument& argument : instruction.arguments) {
      if (argument.kind != Kind::kName && argument.kind != Kind::kSpecial) {
        throw PtxError{"behind .reg stand names of registers"};
      }
      const std::string name = "nibble_simt_local_" + std::to_string(declared_++);
      body_.append(ptx_type_of(kind->second)).append(" ").append(name).append("{}; ");
      locals_[argument.name] = static_cast<int>(registers_.size());
      registers_.push_back({name, kind->second, true, false});
    }
  }

  PtxRegister& register_of(const PtxArgument& argument) {
    if (argument.kind == Kind::kOperand) {
      if (argument.number < operands_.size()) return operands_[argument.number];
      throw PtxError{"%" + std::to_string(argument.number) +
                     " is no operand of this inline PTX: it has " +
                     std::to_string(operands_.size())};
    }
    const auto found = locals_.find(argument.name);
    if (found != locals_.end()) return registers_[static_cast<std::size_t>(found->second)];
    if (argument.kind == Kind::kSpecial) {
      throw PtxError{
          "`%" + argument.name + "` of inline PTX does not run here: %laneid, " +
          "%lanemask_lt and its kin, %warpid, %tid.x, %ntid.x, %ctaid.x and %nctaid.x do"};
    }
    throw PtxError{"`" + argument.name + "` is no register of this inline PTX"};
  }

  // --- Which form it is --------------------------------------------------------------------------

  static bool has_shape(const PtxArgument& argument, const PtxSlot& slot) {
    const bool is_address = slot.kind == 'a' || slot.kind == 'g';
    if (is_address != (argument.kind == Kind::kAddress)) return false;
    if (argument.kind != Kind::kVector) return slot.parts <= 1;
    return static_cast<int>(argument.parts.size()) == slot.parts;
  }

  static std::vector<PtxSlot> all_slots(const PtxForm& form) {
    std::vector<PtxSlot> slots = form.results;
    slots.insert(slots.end(), form.sources.begin(), form.sources.end());
    return slots;
  }

  static bool has_shape(const PtxInstruction& instruction, const PtxForm& form) {
    const std::vector<PtxSlot> slots = all_slots(form);
    return std::ranges::equal(instruction.arguments, slots,
                              [](const auto& a, const auto& s) { return has_shape(a, s); });
  }

  /// The first of the forms with that many arguments whose shapes fit, or the sentence for it.
  static const PtxForm& form_of(const PtxInstruction& instruction,
                                const std::vector<PtxForm>& forms) {
    if (forms.empty()) throw PtxError{why_no_ptx(instruction.opcode)};
    for (const PtxForm& form : forms) {
      if (has_shape(instruction, form)) return form;
    }
    const std::vector<PtxSlot> slots = all_slots(forms.front());
    for (std::size_t i = 0; i < slots.size() && i < instruction.arguments.size(); i++) {
      if (!has_shape(instruction.arguments[i], slots[i])) refuse_argument(instruction, i, slots[i]);
    }
    throw PtxError{"`" + instruction.opcode + "` of inline PTX does not have " +
                   std::to_string(instruction.arguments.size()) + " arguments here"};
  }

  [[noreturn]] static void refuse_argument(const PtxInstruction& instruction, std::size_t index,
                                           const PtxSlot& slot) {
    std::string what(wanted_at(slot.kind));
    if (slot.parts > 1) what = "{" + std::to_string(slot.parts) + " registers}, each " + what;
    throw PtxError{"argument " + std::to_string(index + 1) + " of `" + instruction.opcode +
                   "` in inline PTX has to be " + what};
  }

  // --- The call ----------------------------------------------------------------------------------

  void call(const PtxInstruction& instruction) {
    PtxInstruction read = instruction;
    PtxForm form;
    if (const std::string special = special_source(instruction); !special.empty()) {
      form = {special, {{'r', 0}}, {}};
      read.arguments.pop_back();
    } else {
      form = form_of(instruction, forms_of_ptx(instruction.opcode));
    }
    const Sources sources = sources_of(read, form);  // before the results have a value
    const std::vector<PtxRegister*> results = results_of(read, form);
    guarded(instruction, [&] { write_call(form, results, sources); });
  }

  struct Sources {
    std::vector<std::string> values, constants;
  };
  Sources sources_of(const PtxInstruction& instruction, const PtxForm& form) {
    Sources sources;
    const std::size_t first = form.results.size();
    for (std::size_t i = first; i < instruction.arguments.size(); i++) {
      const PtxSlot& slot = form.sources[i - first];
      for (const PtxArgument& part : parts_of(instruction.arguments[i])) {
        std::optional<std::string> value = source(part, slot.kind);
        if (!value) refuse_argument(instruction, i, slot);
        (slot.kind == 'n' ? sources.constants : sources.values).push_back(*std::move(value));
      }
    }
    return sources;
  }

  std::vector<PtxRegister*> results_of(const PtxInstruction& instruction, const PtxForm& form) {
    std::vector<PtxRegister*> results;
    for (std::size_t i = 0; i < form.results.size(); i++) {
      for (const PtxArgument& part : parts_of(instruction.arguments[i])) {
        PtxRegister& result = written_register(instruction, part);
        if (!fits_slot(form.results[i].kind, result.kind)) {
          refuse_argument(instruction, i, form.results[i]);
        }
        results.push_back(&result);
      }
    }
    return results;
  }

  /// The function behind `mov.u32 %0, %%laneid`; empty: it is another instruction.
  std::string special_source(const PtxInstruction& instruction) const {
    const bool is_move = instruction.opcode == "mov.u32" || instruction.opcode == "mov.s32" ||
                         instruction.opcode == "mov.b32";
    if (!is_move || instruction.arguments.size() != 2) return "";
    const PtxArgument& from = instruction.arguments[1];
    if (from.kind != Kind::kSpecial || locals_.contains(from.name)) return "";
    return special_register_of_ptx(from.name).value_or("");
  }

  static std::vector<PtxArgument> parts_of(const PtxArgument& argument) {
    return argument.kind == Kind::kVector ? argument.parts : std::vector{argument};
  }

  /// The expression for an argument; nothing where another one has to stand.
  std::optional<std::string> source(const PtxArgument& argument, char slot) {
    if (argument.kind == Kind::kAddress) return address(argument, slot);
    if (argument.kind == Kind::kNumber) return literal(argument.number, slot);
    if (argument.kind == Kind::kFloat) {
      if (slot != 'f' && slot != 'b') return std::nullopt;
      const std::string bits = std::to_string(argument.number & 0xffffffff) + "u";
      return slot == 'f' ? PTX "number(" + bits + ")" : bits;
    }
    const PtxRegister& read = read_register(argument);
    if (read.kind == 'n') return constant(read, slot);
    if (!fits_slot(slot, read.kind)) return std::nullopt;
    return converted(read.name, read.kind, slot);
  }

  static std::optional<std::string> literal(std::uint64_t number, char slot) {
    switch (slot) {
      case 'r':
      case 'b':
      case 's':
        return std::to_string(number & 0xffffffff) + "u";
      case 'h':
        return "static_cast<unsigned short>(" + std::to_string(number & 0xffff) + "u)";
      case 'l':
      case 'n':
        return std::to_string(number) + "ull";
      default:
        return std::nullopt;
    }
  }

  static std::optional<std::string> constant(const PtxRegister& read, char slot) {
    if (slot == 'n') return read.name;
    if (slot != 'r' && slot != 'b' && slot != 's' && slot != 'h' && slot != 'l')
      return std::nullopt;
    return std::string("static_cast<").append(ptx_type_of(slot)).append(">(") + read.name + ")";
  }

  std::optional<std::string> address(const PtxArgument& argument, char slot) {
    const PtxArgument& base = argument.parts.front();
    if (base.kind == Kind::kNumber || base.kind == Kind::kFloat) return std::nullopt;
    const PtxRegister& read = read_register(base);
    if (!fits_slot(slot, read.kind)) return std::nullopt;
    const char type = slot == 'a' ? 'r' : 'l';
    std::string text = converted(read.name, read.kind, type);
    if (argument.number != 0) text += " + " + *literal(argument.number, type);
    return text;
  }

  const PtxRegister& read_register(const PtxArgument& argument) {
    const PtxRegister& read = register_of(argument);
    if (read.has_value) return read;
    if (argument.kind != Kind::kOperand) {
      throw PtxError{"`" + argument.name + "` of this inline PTX is read before it is written"};
    }
    throw PtxError{"%" + std::to_string(argument.number) +
                   " of this inline PTX is read before it is written: an operand that is both " +
                   "says \"+\""};
  }

  PtxRegister& written_register(const PtxInstruction& instruction, const PtxArgument& argument) {
    const bool is_register = argument.kind == Kind::kOperand || argument.kind == Kind::kName ||
                             argument.kind == Kind::kSpecial;
    if (!is_register) {
      throw PtxError{"`" + instruction.opcode +
                     "` of inline PTX writes to its first argument: name a register"};
    }
    PtxRegister& result = register_of(argument);
    if (!result.can_be_written) {
      throw PtxError{"`" + instruction.opcode + "` of inline PTX writes to %" +
                     std::to_string(argument.number) + ", which is an input: make it an output"};
    }
    result.has_value = true;
    return result;
  }

  template <class Write>
  void guarded(const PtxInstruction& instruction, const Write& write) {
    if (instruction.guard.empty()) return write();
    PtxArgument argument;
    argument.kind = Kind::kName;
    argument.name = instruction.guard;
    const PtxRegister& guard = read_register(argument);
    if (guard.kind != 'p') throw PtxError{"behind @ stands a predicate"};
    body_ += "if (" + std::string(instruction.is_guard_negated ? "!" : "") + guard.name + ") { ";
    write();
    body_ += "} ";
  }

  /// One result is what the function returns; those of a vector are given to it as references.
  void write_call(const PtxForm& form, const std::vector<PtxRegister*>& results,
                  const Sources& sources) {
    std::string function = PTX + form.function;
    if (!sources.constants.empty()) function += "<" + joined(sources.constants) + ">";
    if (results.empty()) {
      body_ += function + "(" + joined(sources.values) + "); ";
      return;
    }
    const char slot = form.results[0].kind, type = slot == 'b' || slot == 's' ? 'r' : slot;
    if (form.results[0].parts == 0) {
      const std::string call = function + "(" + joined(sources.values) + ")";
      body_ += results[0]->name + " = " + converted(call, type, results[0]->kind) + "; ";
      return;
    }
    std::string after;
    std::vector<std::string> arguments;
    body_ += "{ ";
    for (const PtxRegister* result : results) {
      const std::string to = "nibble_simt_to_" + std::to_string(arguments.size());
      body_.append(ptx_type_of(type)).append(" ").append(to).append("{}; ");
      after += result->name + " = " + converted(to, type, result->kind) + "; ";
      arguments.push_back(to);
    }
    std::ranges::copy(sources.values, std::back_inserter(arguments));
    body_ += function + "(" + joined(arguments) + "); " + after + "} ";
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  std::vector<PtxRegister> operands_, registers_;
  std::map<std::string, int> locals_;
  std::vector<std::map<std::string, int>> scopes_;
  int declared_ = 0;
  std::string body_;
};

// --- In the file ---------------------------------------------------------------------------------

/// What stands before the ( of an operand, and behind its ).
std::string before_operand(const PtxOperand& operand, const std::string& number) {
  if (operand.is_output) return "auto& nibble_simt_out_" + number + " = ";
  if (operand.kind == 'n') return "constexpr auto nibble_simt_" + number + " = " PTX "constant(";
  std::string text = "const auto nibble_simt_" + number + " = " PTX "in<";
  return text.append(ptx_type_of(operand.kind)).append(">(");
}

std::string behind_operand(const PtxOperand& operand, const std::string& number) {
  if (!operand.is_output) return "); ";
  std::string text = "; ";
  text.append(ptx_type_of(operand.kind)).append(" nibble_simt_" + number);
  if (!operand.is_input) return text + "{}; ";
  text.append(" = " PTX "in<").append(ptx_type_of(operand.kind));
  return text + ">(nibble_simt_out_" + number + "); ";
}

std::string stores(const PtxStatement& statement) {
  std::string text;
  for (std::size_t i = 0; i < statement.operands.size(); i++) {
    if (!statement.operands[i].is_output) continue;
    const std::string number = std::to_string(i), out = "nibble_simt_out_" + number;
    text += out + " = " PTX "out<decltype(" + out + ")>(nibble_simt_" + number + "); ";
  }
  return text;
}

void replace_statement(const Tokens& tokens, int word, const PtxStatement& statement,
                       const std::string& body, Edits& edits) {
  const bool is_whole = statement.has_semicolon;
  std::string text = is_whole ? "{ " : "do { ";
  int first = word;
  for (std::size_t i = 0; i < statement.operands.size(); i++) {
    const PtxOperand& operand = statement.operands[i];
    const std::string number = std::to_string(i);
    edits.replace(first, operand.open - 1, text + before_operand(operand, number));
    first = tokens.partner(operand.open) + 1;
    text = behind_operand(operand, number);
  }
  edits.replace(first, statement.last,
                text + body + stores(statement) + (is_whole ? "}" : "} while (false)"));
}

}  // namespace

std::vector<int> rewrite_ptx(const Tokens& tokens, Dialect dialect, Edits& edits,
                             std::vector<Complaint>& complaints) {
  std::vector<int> gone;
  int conditions = 0;
  for (int i = 0; i < tokens.size(); i++) {
    if (tokens[i].kind == TokenKind::kHash) {
      const std::string_view directive = tokens[i + 1].text;
      if (directive.starts_with("if")) conditions++;
      if (directive == "endif") conditions--;
    }
    if (!is_asm(tokens[i])) continue;
    try {
      if (tokens[i].is_spliced) {
        throw PtxError{"a backslash breaks this word in two: put it on one line"};
      }
      const PtxStatement statement = read_ptx_statement(tokens, i);
      replace_statement(tokens, i, statement, PtxTranslation(statement).run(statement.text), edits);
      gone.push_back(i);
    } catch (const PtxError& error) {
      if (dialect == Dialect::kHostAndKernels && conditions > 0) {
        edits.replace(i, i, "NIBBLE_SIMT_CANNOT_RUN_INLINE_PTX");
        gone.push_back(i);
      } else {
        complaints.push_back(tokens.complain(tokens[i], error.sentence));
      }
    }
  }
  return gone;
}

void refuse_what_is_left(std::string_view text, std::vector<Complaint>& complaints) {
  const Tokens tokens(text);
  for (int i = 0; i < tokens.size(); i++) {
    if (is_asm(tokens[i])) complaints.push_back(tokens.complain(tokens[i], kForOneGpu));
  }
}

#undef PTX

}  // namespace nibble::simt
