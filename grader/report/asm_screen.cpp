// Lines of a loop with their marks, what the marks mean, and two loops side by side.
#include "report/asm_screen.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <set>
#include <string_view>

namespace nibble::report {
namespace {

/// Other loops that multiply vectors, beside the hottest: as many as one can look at.
constexpr std::size_t kMostOthers = 5;

bool is_key_instruction(const std::string& mark) {
  return mark == "vnni" || mark == "amx" || mark == "fma" || mark == "dot" || mark == "mul";
}

/// "vnni spill": what matters about an instruction, as wide as any.
std::string margin(const InstructionKind& kind, const Paint& paint) {
  const std::string mark = kind.mark, spill = kind.on_stack ? "spill" : "";
  const std::size_t used = mark.size() + (mark.empty() || spill.empty() ? 0 : 1) + spill.size();
  std::string text = is_key_instruction(mark) ? paint.good(mark)
                     : mark == "call"         ? paint.bad(mark)
                                              : mark;
  if (!spill.empty()) text += (mark.empty() ? "" : " ") + paint.bad(spill);
  return text + std::string(used < 10 ? 10 - used : 0, ' ');
}

/// "jne 500", "call dot": places by address at home, by name elsewhere.
std::string operands_text(const Function& function, const Instruction& instruction) {
  if (!instruction.refers) return instruction.operands;
  const std::string place = function.contains(instruction.place)
                                ? fmt::format("{:x}", instruction.place)
                                : short_name(instruction.place_name);
  return instruction.operands + (instruction.operands.empty() ? "" : "   ") + place;
}

std::string instruction_line(const Disassembly& listing, const Loop& loop, std::size_t i,
                             bool frame_pointer, bool whole, const Paint& paint) {
  const Instruction& instruction = loop.function->code[i];
  const InstructionKind kind = kind_of(instruction, listing.processor, frame_pointer);
  const bool inside = loop.first <= i && i <= loop.last;
  return fmt::format("  {} {}{:6x}  {:<12} {}\n", margin(kind, paint),
                     whole ? (inside ? "| " : "  ") : "", instruction.address, instruction.mnemonic,
                     operands_text(*loop.function, instruction));
}

std::string instructions_text(const Disassembly& listing, const Loop& loop, bool whole,
                              const Paint& paint) {
  const bool frame_pointer = has_frame_pointer(*loop.function);
  const std::size_t first = whole ? 0 : loop.first;
  const std::size_t last = whole ? loop.function->code.size() - 1 : loop.last;
  std::string text;
  for (std::size_t i = first; i <= last; ++i) {
    text += instruction_line(listing, loop, i, frame_pointer, whole, paint);
  }
  return text;
}

/// What the words in the margin say; only those that stand there.
std::string marks_text(const Disassembly& listing, const Loop& loop, const Paint& paint) {
  struct Word {
    std::string_view mark, meaning;
  };
  constexpr std::array<Word, 9> kWords = {{{"vnni", "multiplies and adds bytes by fours"},
                                           {"amx", "tiles"},
                                           {"fma", "multiplies and adds floats"},
                                           {"dot", "multiplies and adds bytes by fours"},
                                           {"mul", "multiplies vectors"},
                                           {"vec", "vector registers"},
                                           {"neon", "vector registers"},
                                           {"spill", "the stack"},
                                           {"call", "leaves the loop"}}};
  std::set<std::string, std::less<>> seen;
  const bool frame_pointer = has_frame_pointer(*loop.function);
  for (std::size_t i = loop.first; i <= loop.last; ++i) {
    const InstructionKind kind = kind_of(loop.function->code[i], listing.processor, frame_pointer);
    seen.insert(kind.mark);
    if (kind.on_stack) seen.insert("spill");
  }
  std::string text;
  for (const Word& word : kWords) {
    if (!seen.contains(word.mark)) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : " · ", word.mark, word.meaning);
  }
  return text.empty() ? "" : paint.quiet("marks   " + text) + "\n";
}

std::string others_text(const HotLoop& hot) {
  std::string text;
  for (std::size_t i = 1; i < hot.loops.size() && i <= kMostOthers; ++i) {
    const Loop& loop = hot.loops[i];
    if (loop.counts.vector_multiplications == 0) break;
    text += fmt::format("also    {} at {:x}: {}\n", short_name(loop.function->name),
                        loop.function->code[loop.first].address, counts_text(loop.counts));
  }
  return text;
}

/// Where there is no loop, the function itself is what there is to see.
Loop whole_function(const HotLoop& hot) {
  return {hot.functions.front(), 1, 0, {}};  // no instruction is inside
}

std::string comparison_row(const std::string& exercise, const char* side,
                           const LoopCounts& counts) {
  return fmt::format("{:<24} {:<10} {:>8} {:>8} {:>9} {:>6} {:>7} {:>6}\n", exercise, side,
                     counts.instructions, counts.vector_multiplications,
                     counts.products + counts.scalar_multiplications, counts.loads, counts.stores,
                     counts.stack);
}

}  // namespace

std::string hot_loop_summary(const HotLoop& hot) {
  if (hot.not_written) return "not written yet";
  if (!hot.loops.empty()) return counts_text(hot.loops.front().counts);
  return hot.through_pointer ? "no loop found: it calls through a pointer, and where to is not in"
                               " the code; name the function with --fn"
                             : "no loop: nothing jumps back";
}

std::string hot_loop_text(const Disassembly& listing, const HotLoop& hot,
                          const std::string& subject, bool whole, const Paint& paint) {
  std::string text = paint.loud(subject);
  if (hot.not_written || (hot.loops.empty() && !whole)) {
    return text + "   " + hot_loop_summary(hot) + "\n";
  }
  const Loop loop = hot.loops.empty() ? whole_function(hot) : hot.loops.front();
  const std::size_t size = loop.function->code.size();
  if (hot.loops.empty()) {
    text += fmt::format("   {} instructions, no loop\n", size);
  } else {
    text += fmt::format("   the loop at {:x} in {}, {} of its {} instructions\n",
                        loop.function->code[loop.first].address, short_name(loop.function->name),
                        loop.counts.instructions, size);
  }
  text += instructions_text(listing, loop, whole, paint);
  if (hot.loops.empty()) return text;
  text += marks_text(listing, loop, paint) + "sum     " + counts_text(loop.counts) + "\n";
  if (const std::string hint = remark(loop.counts); !hint.empty()) text += "note    " + hint + "\n";
  return text + others_text(hot);
}

std::string comparison_text(const std::vector<ComparedLoops>& rows) {
  std::string text =
      fmt::format("{:<24} {:<10} {:>8} {:>8} {:>9} {:>6} {:>7} {:>6}\n", "the hot loop, a round",
                  "", "instruc-", "vector", "multipli-", "", "", "stack");
  text += fmt::format("{:<24} {:<10} {:>8} {:>8} {:>9} {:>6} {:>7} {:>6}\n", "", "", "tions",
                      "mult.", "cations", "loads", "stores", "access");
  for (const ComparedLoops& row : rows) {
    text += comparison_row(row.exercise, "yours", row.yours);
    text += comparison_row("", "published", row.published);
  }
  return text;
}

}  // namespace nibble::report
