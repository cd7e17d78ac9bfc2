// Finds loops by their backward jumps, keeps the innermost, and compares how hot they are.
#include "report/hot_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace nibble::report {
namespace {

bool is_of_the_library(const Function& function) {
  const std::string_view name = function.name;
  return name.find("std::") < name.find('(') || name.find("__gnu_cxx::") < name.find('(') ||
         name.ends_with("@plt") || name.ends_with("$plt") || name.starts_with("operator ");
}

bool is_cold(const Function& function) {
  return function.name.find("[clone .cold]") != std::string::npos;
}

std::size_t index_of(const Function& function, std::uint64_t address) {
  const auto at = std::ranges::lower_bound(function.code, address, {}, &Instruction::address);
  return static_cast<std::size_t>(at - function.code.begin());
}

/// In bits; a tile is wider than any vector.
int width_of(std::string_view registers) {
  if (registers == "tmm") return 8192;
  if (registers == "zmm") return 512;
  return registers == "ymm" ? 256 : registers.empty() ? 0 : 128;
}

LoopCounts count(const Loop& loop, Processor processor) {
  const bool frame_pointer = has_frame_pointer(*loop.function);
  LoopCounts counts;
  for (std::size_t i = loop.first; i <= loop.last; ++i) {
    const Instruction& instruction = loop.function->code[i];
    const InstructionKind kind = kind_of(instruction, processor, frame_pointer);
    ++counts.instructions;
    counts.vectors += kind.vector ? 1 : 0;
    counts.calls += kind.calls ? 1 : 0;
    if (kind.on_stack) {
      ++counts.stack;
    } else {
      counts.loads += kind.loads ? 1 : 0;
      counts.stores += kind.stores ? 1 : 0;
    }
    if (kind.vector_multiplication()) {
      ++counts.vector_multiplications;
      counts.products += kind.multiplications;
      if (width_of(kind.registers) > width_of(counts.widest)) counts.widest = kind.registers;
      ++counts.multipliers[instruction.mnemonic + (kind.registers == "v" || kind.registers == "tmm"
                                                       ? ""
                                                       : " (" + kind.registers + ")")];
    } else {
      counts.scalar_multiplications += kind.multiplies ? 1 : 0;
    }
  }
  return counts;
}

/// A call that does not come back.
bool is_last_word(const Instruction& instruction) {
  constexpr std::array<std::string_view, 8> kNames = {
      "_Unwind_Resume", "__cxa_throw", "__cxa_rethrow", "terminate",
      "__throw_",       "assert_fail", "stack_chk",     "abort"};
  return std::ranges::any_of(kNames, [&](std::string_view name) {
    return instruction.place_name.find(name) != std::string::npos;
  });
}

bool goes_on_below(const Instruction& instruction, const InstructionKind& kind) {
  constexpr std::array<std::string_view, 5> kNever = {"jmp", "b", "br", "ret", "ud2"};
  if (kind.calls) return !is_last_word(instruction);
  return std::ranges::count(kNever, std::string_view(instruction.mnemonic)) == 0;
}

/// True when the beginning of `loop` leads to its end: what cleans up after an exception is
/// jumped to backwards, and goes around nowhere.
bool comes_around(const Loop& loop, Processor processor) {
  const Function& function = *loop.function;
  std::vector<bool> seen(loop.last + 1, false);
  std::vector<std::size_t> open{loop.first};
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    if (i < loop.first || i > loop.last || seen[i]) continue;
    seen[i] = true;
    const Instruction& instruction = function.code[i];
    const InstructionKind kind = kind_of(instruction, processor, false);
    if (goes_on_below(instruction, kind)) open.push_back(i + 1);
    if (kind.jumps && instruction.refers && function.contains(instruction.place)) {
      open.push_back(index_of(function, instruction.place));
    }
  }
  return seen[loop.last];
}

/// All loops of one function: jumps back that share their target are one.
std::vector<Loop> loops_of(const Function& function, Processor processor) {
  std::map<std::size_t, std::size_t> ends;  // by where they begin
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    const Instruction& instruction = function.code[i];
    if (!instruction.refers || instruction.place > instruction.address) continue;
    if (!function.contains(instruction.place)) continue;
    if (!kind_of(instruction, processor, false).jumps) continue;
    std::size_t& end = ends[index_of(function, instruction.place)];
    end = std::max(end, i);
  }
  std::vector<Loop> loops;
  for (const auto& [first, last] : ends) {
    const Loop loop{&function, first, last};
    if (comes_around(loop, processor)) loops.push_back(loop);
  }
  return loops;
}

/// The loops of a function that hold no other.
std::vector<Loop> innermost_of(const Function& function, Processor processor) {
  const std::vector<Loop> loops = loops_of(function, processor);
  std::vector<Loop> innermost;
  for (const Loop& loop : loops) {
    const bool holds_another = std::ranges::any_of(loops, [&](const Loop& other) {
      return &other != &loop && loop.first <= other.first && other.last <= loop.last;
    });
    if (holds_another) continue;
    innermost.push_back(loop);
    innermost.back().counts = count(loop, processor);
  }
  return innermost;
}

/// What makes one loop hotter than another, the weightiest first.
auto heat(const Loop& loop, bool zmm_runs) {
  const LoopCounts& counts = loop.counts;
  const bool runs = zmm_runs || counts.widest != "zmm";
  return std::tuple(runs ? width_of(counts.widest) : 0, counts.products,
                    !is_of_the_library(*loop.function), counts.scalar_multiplications > 0,
                    counts.vectors, counts.instructions);
}

bool throws_the_stub(const Function& function) {
  return std::ranges::any_of(function.code, [](const Instruction& instruction) {
    return instruction.place_name.find("nibble::NotImplemented") != std::string::npos;
  });
}

/// What a refusal says is put together in loops, too.
bool writes_messages(const Function& function) {
  constexpr std::array<std::string_view, 4> kWords = {"basic_string", "to_string", "to_chars",
                                                      "std::__throw"};
  return is_of_the_library(function) && std::ranges::any_of(kWords, [&](std::string_view word) {
           return function.name.find(word) != std::string::npos;
         });
}

/// The functions that an instruction leads to: called, jumped to, or named by a table.
std::vector<const Function*> reached_by(const Instruction& instruction,
                                        const Disassembly& listing) {
  if (!instruction.refers) return {};
  const Function* const other = listing.at(instruction.place);
  if (other == nullptr) return listing.pointed_to_from(instruction.place);
  if (other->begin() == instruction.place || is_cold(*other)) return {other};
  return {};
}

std::string name_without_arguments(std::string_view name) {
  std::string text = short_name(name);
  return text.substr(0, text.find('<'));
}

std::string plural(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

bool has_frame_pointer(const Function& function) {
  return std::ranges::any_of(function.code, [](const Instruction& instruction) {
    return instruction.mnemonic == "mov" &&
           (instruction.operands == "rbp,rsp" || instruction.operands == "rbp, rsp");
  });
}

std::vector<const Function*> functions_called(const Disassembly& listing, std::string_view name) {
  std::vector<const Function*> found;
  for (const Function& function : listing.functions) {
    if (is_cold(function) || is_of_the_library(function)) continue;
    if (short_name(function.name) == name || name_without_arguments(function.name) == name) {
      found.push_back(&function);
    }
  }
  return found;
}

HotLoop find_hot_loop(const Disassembly& listing, const std::vector<const Function*>& roots,
                      bool zmm_runs) {
  HotLoop hot;
  hot.functions = roots;
  for (std::size_t i = 0; i < hot.functions.size(); ++i) {  // grows on the way
    const Function& function = *hot.functions[i];
    hot.not_written = hot.not_written || throws_the_stub(function);
    for (const Instruction& instruction : function.code) {
      const InstructionKind kind = kind_of(instruction, listing.processor, false);
      if (kind.calls && !instruction.refers) hot.through_pointer = true;
      for (const Function* const other : reached_by(instruction, listing)) {
        if (std::ranges::count(hot.functions, other) == 0) hot.functions.push_back(other);
      }
    }
    if (is_cold(function) || writes_messages(function)) continue;
    const std::vector<Loop> loops = innermost_of(function, listing.processor);
    hot.loops.insert(hot.loops.end(), loops.begin(), loops.end());
  }
  std::ranges::stable_sort(hot.loops, std::greater{},
                           [&](const Loop& loop) { return heat(loop, zmm_runs); });
  const bool has_own_loop = std::ranges::any_of(
      hot.loops, [](const Loop& loop) { return !is_of_the_library(*loop.function); });
  hot.not_written = hot.not_written && !has_own_loop;
  return hot;
}

std::string counts_text(const LoopCounts& counts) {
  std::string text;
  for (const auto& [name, number] : counts.multipliers) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, name);
  }
  if (text.empty() && counts.scalar_multiplications > 0) {
    text = plural(counts.scalar_multiplications, "multiplication, scalar",
                  "multiplications, all scalar");
  }
  if (text.empty()) text = "no multiplication";
  text += fmt::format(", {}, {}, {}", plural(counts.loads, "load", "loads"),
                      plural(counts.stores, "store", "stores"),
                      plural(counts.stack, "stack access", "stack accesses"));
  if (counts.calls > 0) text += ", " + plural(counts.calls, "call", "calls");
  const int products = counts.products + counts.scalar_multiplications;
  text += fmt::format("; {} a round", plural(counts.instructions, "instruction", "instructions"));
  if (products > 0 && counts.products > 0) {
    text += fmt::format(" for {}{} multiplications: {:.1f} an instruction",
                        counts.widest == "tmm" ? "up to " : "", products,
                        static_cast<double>(products) / counts.instructions);
  }
  return text;
}

std::string remark(const LoopCounts& counts) {
  if (counts.calls > 0) return "a call in the loop: nothing of it can stay in vector registers";
  if (counts.vector_multiplications > 0) {
    return counts.stack == 0 ? ""
                             : "the stack in the loop: more values are alive than there are "
                               "registers, or an array"
                               " is indexed by what only the running program knows";
  }
  if (counts.scalar_multiplications > 0) {
    return "no vector multiplication: the compiler left this loop scalar";
  }
  return "";
}

}  // namespace nibble::report
