// Follows each instruction: what it leaves in a register or in the
// frame is a known sum, or something new.
#include "simt/rewriter/known_values.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace nibble::simt {
namespace {

bool is_general(Register name) {
  return name != Register::kNone && static_cast<int>(name) < kGeneralRegisters;
}

bool is_plain_slot(const Operand& operand) {
  return operand.is_memory() && operand.is_plain && operand.base == Register::kRbp &&
         operand.index == Register::kNone && operand.symbol.empty() && !operand.has_segment;
}

/// Instructions that change their last operand and nothing else.
bool changes_its_last_alone(std::string_view name) {
  for (const char* const known :
       {"mov",    "lea",   "add", "sub", "and",   "or",   "xor",  "sal", "shl",
        "sar",    "shr",   "neg", "not", "set",   "cmp",  "test", "cvt", "p",
        "ucomis", "comis", "adc", "sbb", "inc",   "dec",  "mul",  "div", "sqrt",
        "min",    "max",   "rol", "ror", "unpck", "shuf", "nop",  "bt",  "cmov"}) {
    if (name.starts_with(known)) return true;
  }
  return false;
}

/// As a name.
std::string shown(const LinearForm& value) {
  std::string text = std::to_string(value.constant);
  for (const auto& [thing, times] : value.terms) {
    text.append("+").append(std::to_string(times)).append("*").append(std::to_string(thing));
  }
  return text;
}

}  // namespace

void KnownValues::forget() {
  registers_ = {};
  slots_.clear();
  things_.clear();
  wholes_.clear();
  has_frame_ = had_frame_;  // what comes after a return is reached from elsewhere
}

void KnownValues::enter_function() {
  had_frame_ = false;
  frame_bytes_ = 0;
  forget();
}

LinearForm KnownValues::of(Register name) {
  if (name == Register::kNone) return {};
  if (name == Register::kRbp && has_frame_) return LinearForm::of(kFrame);
  if (!is_general(name)) return LinearForm::of(next_++);
  std::optional<LinearForm>& value = registers_[static_cast<std::size_t>(name)];
  if (!value) value = LinearForm::of(next_++);
  return *value;
}

int KnownValues::symbol(std::string_view name) {
  name = name.substr(0, name.find('@'));
  const auto found = symbols_.find(name);
  if (found != symbols_.end()) return found->second;
  return symbols_.emplace(name, next_++).first->second;
}

LinearForm KnownValues::address(const Operand& operand) {
  if (!operand.is_plain || operand.has_segment) return LinearForm::of(next_++);
  LinearForm at{{}, operand.displacement};
  if (!operand.symbol.empty()) at = at + LinearForm::of(symbol(operand.symbol));
  if (operand.base != Register::kRip) at = at + of(operand.base);
  return at + of(operand.index) * static_cast<std::int64_t>(operand.scale);
}

void KnownValues::set(Register name, LinearForm value) {
  if (is_general(name)) registers_[static_cast<std::size_t>(name)] = std::move(value);
}

void KnownValues::clobber(Register name) {
  if (is_general(name)) registers_[static_cast<std::size_t>(name)].reset();
}

void KnownValues::forget_slots(std::int64_t begin, std::int64_t bytes) {
  constexpr std::int64_t kWidest = 16;
  const auto end = slots_.lower_bound({begin + bytes, 0});
  for (auto slot = slots_.lower_bound({begin - kWidest, 0}); slot != end;) {
    const bool overlaps = slot->first.first + slot->first.second > begin;
    slot = overlaps ? slots_.erase(slot) : std::next(slot);
  }
}

void KnownValues::follow_call() {
  using enum Register;
  for (const Register name : {kRax, kRcx, kRdx, kRsi, kRdi}) clobber(name);
  for (int i = 0; i < 4; ++i) clobber(static_cast<Register>(static_cast<int>(kR8) + i));
}

/// The frame: `pushq %rbp; movq %rsp, %rbp; subq $136, %rsp`. Whatever else is done to rbp, nothing
/// is known of it then.
void KnownValues::follow_frame(const AsmInstruction& instruction) {
  const auto& operands = instruction.operands;
  const std::string_view name = instruction.name;
  const bool pushes = name.starts_with("push");
  if (pushes || name.starts_with("pop") || name == "leave") clobber(Register::kRsp);
  if (pushes && has_frame_) frame_bytes_ += 8;
  if (name == "leave") has_frame_ = false;
  if (operands.empty() || operands.back().kind != Operand::Kind::kRegister) return;
  if (pushes || !stores(instruction)) return;
  if (operands.back().name == Register::kRbp) return set_frame(instruction);
  if (operands.back().name != Register::kRsp || !has_frame_) return;
  const Operand& by = operands.front();
  if (by.kind != Operand::Kind::kImmediate) return;
  if (name.starts_with("sub")) frame_bytes_ += by.displacement;
  if (name.starts_with("add")) frame_bytes_ -= by.displacement;
}

void KnownValues::set_frame(const AsmInstruction& instruction) {
  const auto& operands = instruction.operands;
  has_frame_ = instruction.name.starts_with("mov") && operands.size() == 2 &&
               operands[0].name == Register::kRsp && operands[0].bytes == 8;
  if (has_frame_ && !had_frame_) frame_bytes_ = 0;
  had_frame_ |= has_frame_;
  slots_.clear();
}

int KnownValues::thing(const std::string& name) {
  const auto [found, is_new] = things_.try_emplace(name, next_);
  next_ += is_new ? 1 : 0;
  return found->second;
}

LinearForm KnownValues::without_upper_half(const LinearForm& value) const {
  if (value.terms.size() != 1 || !value.is_offset_of(value.terms[0].thing)) return value;
  const auto whole = wholes_.find(value.terms[0].thing);
  return whole == wholes_.end() || value.constant != 0 ? value : whole->second;
}

/// What a register holds after its lower 32 bits were written: the upper ones are 0.
LinearForm KnownValues::low_half(const LinearForm& value) {
  const LinearForm whole = without_upper_half(value);
  if (whole.is_constant() && whole.constant >= 0 && whole.constant <= INT32_MAX) return whole;
  const int low = thing("low half of " + shown(whole));
  wholes_.insert_or_assign(low, whole);
  return LinearForm::of(low);
}

/// What an operand holds, as far as it is one that is followed.
std::optional<LinearForm> KnownValues::read(const Operand& from, unsigned bytes) {
  if (from.kind == Operand::Kind::kRegister) {
    if (is_general(from.name)) return of(from.name);
    return std::nullopt;
  }
  if (!from.is_plain) return std::nullopt;
  if (from.kind == Operand::Kind::kImmediate) {
    LinearForm value{{}, from.displacement};
    if (!from.symbol.empty()) value = value + LinearForm::of(symbol(from.symbol));
    return value;
  }
  if (from.symbol.find("@GOTPCREL") != std::string_view::npos) {
    return LinearForm::of(symbol(from.symbol));
  }
  if (!is_plain_slot(from) || bytes == 0) return std::nullopt;
  const auto [slot, is_new] = slots_.try_emplace({from.displacement, bytes});
  if (is_new) slot->second = LinearForm::of(next_++);
  return slot->second;
}

std::optional<LinearForm> KnownValues::result_of_move(const AsmInstruction& instruction) {
  const Operand &from = instruction.operands.front(), &to = instruction.operands.back();
  const std::optional<LinearForm> value = read(from, to.bytes);
  if (!value || (from.kind == Operand::Kind::kRegister && from.bytes != to.bytes)) {
    return std::nullopt;
  }
  return to.bytes == 4 ? low_half(*value) : *value;
}

/// addq, subq, shlq and imulq by a constant: a sum again.
/// Of four bytes it is the lower half of one.
std::optional<LinearForm> KnownValues::result_of_sum(const AsmInstruction& instruction) {
  const Operand &from = instruction.operands.front(), &to = instruction.operands.back();
  const std::string_view name = instruction.name;
  const std::optional<LinearForm> value = read(from, to.bytes);
  if (!value) return std::nullopt;
  const bool is_small = to.bytes == 4;
  const LinearForm a = is_small ? without_upper_half(*value) : *value;
  const LinearForm b = is_small ? without_upper_half(of(to.name)) : of(to.name);
  std::optional<LinearForm> sum;
  if (name.starts_with("add")) sum = b + a;
  if (name.starts_with("sub")) sum = b + a * -1;
  if (name.starts_with("imul") && a.is_constant()) sum = b * a.constant;
  const bool shifts = name.starts_with("sal") || name.starts_with("shl");
  if (shifts && a.is_constant() && a.constant >= 0 && a.constant < 8 * to.bytes - 1) {
    sum = b * (std::int64_t{1} << a.constant);
  }
  if (!sum) return std::nullopt;
  return is_small ? low_half(*sum) : *sum;
}

/// What an instruction makes of its operands and of nothing else: the same of the same.
std::optional<LinearForm> KnownValues::result_of_others(const AsmInstruction& instruction) {
  const auto& operands = instruction.operands;
  const Operand& to = operands.back();
  const std::string_view name = instruction.name;
  const bool converts = name.starts_with("movs") || name.starts_with("movz");
  const bool computes = is_any(
      name, {"andl", "andq", "orl",  "orq",  "xorl", "xorq", "imull", "imulq", "sall", "salq",
             "shll", "shlq", "sarl", "sarq", "shrl", "shrq", "negl",  "negq",  "notl", "notq"});
  if (!converts && !computes) return std::nullopt;
  std::string made(name);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (converts && i + 1 == operands.size()) break;
    const unsigned bytes =
        operands[i].is_memory() ? bytes_in_memory(instruction, i) : operands[i].bytes;
    const std::optional<LinearForm> value = read(operands[i], bytes);
    if (!value) return std::nullopt;
    const bool is_low = operands[i].kind != Operand::Kind::kImmediate && bytes <= 4;
    // Of %al and %ah the name says which.
    made.append(" ").append(operands[i].bytes < 4 ? operands[i].text : std::string_view());
    made.append(" ").append(shown(is_low ? without_upper_half(*value) : *value));
  }
  const LinearForm whole = LinearForm::of(thing(made));
  return to.bytes == 4 ? low_half(whole) : whole;
}

/// What comes to be in the last operand, a whole register; nothing: something new.
std::optional<LinearForm> KnownValues::result(const AsmInstruction& instruction) {
  const auto& operands = instruction.operands;
  const std::string_view name = instruction.name;
  const Operand& to = operands.back();
  if (to.bytes < 4 || !is_general(to.name)) return std::nullopt;
  if (operands.size() == 2) {
    if (is_any(name, {"mov", "movl", "movq", "movabsq"})) return result_of_move(instruction);
    if (is_any(name, {"lea", "leaq", "leal"})) {
      const LinearForm at = address(operands.front());
      return to.bytes == 4 ? low_half(at) : at;
    }
    const bool is_sum = is_any(name, {"add", "addl", "addq", "sub", "subl", "subq", "imull",
                                      "imulq", "shll", "shlq", "sall", "salq"});
    if (is_sum) {
      if (std::optional<LinearForm> sum = result_of_sum(instruction)) return sum;
    }
  }
  return result_of_others(instruction);
}

/// A store through a pointer may lead into the frame.
void KnownValues::note_store(const AsmInstruction& instruction, const Operand& to) {
  if (!is_plain_slot(to)) return slots_.clear();
  const unsigned bytes = bytes_in_memory(instruction, instruction.operands.size() - 1);
  if (bytes == 0) return slots_.clear();
  const bool is_copy =
      is_any(instruction.name, {"mov", "movq", "movl"}) && (bytes == 8 || bytes == 4);
  std::optional<LinearForm> value;
  if (is_copy) value = read(instruction.operands.front(), bytes);
  forget_slots(to.displacement, bytes);
  if (value) slots_[{to.displacement, bytes}] = bytes == 4 ? low_half(*value) : *value;
}

void KnownValues::follow(const AsmInstruction& instruction) {
  using enum Register;
  const auto& operands = instruction.operands;
  const std::string_view name = instruction.name;
  follow_frame(instruction);
  if (is_string(instruction) || name.starts_with("cmpxchg") || name.starts_with("fnst")) {
    registers_ = {};
    return slots_.clear();
  }
  if (name == "cltq") {  // movslq %eax, %rax
    return set(kRax, LinearForm::of(thing("movslq  " + shown(without_upper_half(of(kRax))))));
  }
  if (is_any(name, {"cqto", "cltd", "cwtl", "cwtd", "cdq", "cdqe", "cqo"})) {
    clobber(kRax);
    return clobber(kRdx);
  }
  if (operands.size() == 1 && (name.starts_with("mul") || name.starts_with("imul") ||
                               name.starts_with("div") || name.starts_with("idiv"))) {
    clobber(kRax);
    return clobber(kRdx);
  }
  if (name.starts_with("push") || name.starts_with('j')) return;
  const bool is_known =
      changes_its_last_alone(name) || name.starts_with("imul") || name.starts_with("pop");
  if (!is_known || operands.empty()) {
    if (!name.starts_with("f")) registers_ = {};
    return slots_.clear();
  }
  const Operand& to = operands.back();
  if (!stores(instruction)) return;
  if (to.is_memory()) return note_store(instruction, to);
  if (to.kind != Operand::Kind::kRegister) return;
  std::optional<LinearForm> value = result(instruction);
  constexpr std::size_t kMostTerms = 8;  // of an address; a sum of thousands is nobody's
  if (value && value->terms.size() > kMostTerms) value.reset();
  value ? set(to.name, *std::move(value)) : clobber(to.name);
}

}  // namespace nibble::simt
