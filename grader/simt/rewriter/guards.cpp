// Goes through a function line by line, knows which bytes a hook has just been called for, and puts
// a guard before every other access.
#include "simt/rewriter/guards.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "simt/rewriter/assembly.hpp"
#include "simt/rewriter/known_values.hpp"

namespace nibble::simt {
namespace {

/// Bytes that a hook was called for.
struct Told {
  LinearForm begin;
  std::int64_t bytes;
  bool is_write;
};

/// A call that tells of an access, and stores nothing: not __tsan_memcpy.
bool is_hook(std::string_view symbol) {
  constexpr std::string_view kHook = "__tsan_";
  if (!symbol.starts_with(kHook)) return false;
  symbol.remove_prefix(kHook.size());
  for (const char* const adjective : {"unaligned_", "volatile_"}) {
    if (symbol.starts_with(adjective)) symbol.remove_prefix(std::string_view(adjective).size());
  }
  return symbol.starts_with("read") || symbol.starts_with("write") || symbol.starts_with("vptr_");
}

bool never_goes_on(const AsmInstruction& instruction) {
  return instruction.name == "jmp" || instruction.name.starts_with("ret");
}

/// Calls that change nothing a learner's code can see.
bool is_quiet(std::string_view symbol) { return symbol.starts_with("__ubsan_handle_"); }

std::string_view callee(const AsmInstruction& call) {
  if (call.operands.empty()) return {};
  const std::string_view symbol = call.operands.front().symbol;
  return symbol.substr(0, symbol.find('@'));
}

/// Labels that are jumped to, or whose address is taken: all that instructions and tables name.
/// What is told to a debugger names many more.
std::set<std::string_view> jump_targets(std::string_view assembly) {
  std::set<std::string_view> targets;
  bool in_debug = false;
  const auto note = [&](std::string_view text) {
    for (std::size_t at = 0; (at = text.find(".L", at)) != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(" \t,-+()@*$", at + 2), text.size());
      targets.insert(text.substr(at, end - at));
      at = end;
    }
  };
  while (!assembly.empty()) {
    const std::size_t end = assembly.find('\n');
    const Line line = line_of(assembly.substr(0, end));
    assembly.remove_prefix(end == std::string_view::npos ? assembly.size() : end + 1);
    if (line.kind == Line::Kind::kInstruction) note(line.text);
    if (line.kind != Line::Kind::kDirective) continue;
    if (line.text == ".section") in_debug = line.rest.starts_with(".debug_");
    if (line.text == ".text" || line.text == ".data") in_debug = false;
    const bool is_value = line.text == ".long" || line.text == ".quad";
    if (is_value && !in_debug) note(line.rest);
  }
  return targets;
}

class Guards {
 public:
  explicit Guards(std::string_view assembly) : targets_(jump_targets(assembly)), rest_(assembly) {}

  Guarded run() {
    result_.text.reserve(rest_.size() + rest_.size() / 16);
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      const std::string_view text = rest_.substr(0, end);
      look_at(line_of(text));
      result_.text.append(text).push_back('\n');
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    }
    return std::move(result_);
  }

 private:
  void look_at(const Line& line) {
    if (line.kind == Line::Kind::kDirective) return place(line);
    if (line.kind == Line::Kind::kLabel) return reach(line.text);
    if (line.kind == Line::Kind::kInstruction) look_at(instruction_of(line.text), line.text);
  }

  /// `.file 7 "common/simt/include/nibble/simt/launch.hpp"`, which is exempt,
  /// and `.loc 7 31 5` for each line of it.
  void place(const Line& line) {
    int number = 0;
    std::from_chars(line.rest.data(), line.rest.data() + line.rest.size(), number);
    if (line.text == ".loc") return go_to(engine_files_.contains(number));
    if (line.text != ".file") return;
    std::string name(line.rest);
    std::erase(name, '"');
    std::ranges::replace(name, ' ', '/');  // a folder and a name
    if (name.ends_with("/nibble/simt/launch.hpp")) engine_files_.insert(number);
  }

  /// The first line of a function says whose it is. The engine's other headers are looked at as all
  /// code: a learner's type can lead them anywhere, and what they tell themselves is counted once.
  void go_to(bool is_engines_line) {
    if (!has_line_) is_engines_function_ = is_engines_line;
    has_line_ = true;
    in_engine_ = is_engines_function_ && is_engines_line;
  }

  void reach(std::string_view label) {
    const bool begins_function = !label.starts_with(".L");
    if (begins_function) {
      values_.enter_function();
      has_line_ = in_engine_ = false;
    }
    if (begins_function || targets_.contains(label)) forget();
  }

  void forget() {
    values_.forget();
    told_.clear();
  }

  void look_at(const AsmInstruction& instruction, std::string_view text) {
    if (in_engine_) {
      // The arguments of a launch lie in the host's memory.
    } else if (is_string(instruction)) {
      guard_string(instruction);
    } else if (!instruction.name.starts_with("lea") && !instruction.name.starts_with("nop")) {
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        if (instruction.operands[i].is_memory()) guard_operand(instruction, i, text);
      }
    }
    if (instruction.name.starts_with("call")) return call(callee(instruction));
    values_.follow(instruction);
    if (never_goes_on(instruction)) forget();
  }

  void call(std::string_view symbol) {
    if (is_hook(symbol)) {
      note_hook(symbol);
    } else if (!is_quiet(symbol)) {
      told_.clear();
    }
    values_.follow_call();
    if (!is_hook(symbol) && !is_quiet(symbol)) values_.forget_frame();
  }

  /// __tsan_read4, __tsan_unaligned_write8, __tsan_read_range, …
  void note_hook(std::string_view symbol) {
    const std::size_t digits = symbol.find_last_not_of("0123456789") + 1;
    std::int64_t bytes = 0;
    std::from_chars(symbol.data() + digits, symbol.data() + symbol.size(), bytes);
    if (symbol.ends_with("_range")) {
      const LinearForm size = values_.of(Register::kRsi);
      bytes = size.is_constant() ? size.constant : 0;
    }
    constexpr std::size_t kRemembered = 16;  // hooks stand close to what they speak for
    if (told_.size() == kRemembered) told_.erase(told_.begin());
    told_.push_back(
        {values_.of(Register::kRdi), bytes, symbol.find("write") != std::string_view::npos});
  }

  bool is_told(const LinearForm& begin, std::int64_t bytes, bool is_write) const {
    return std::ranges::any_of(told_, [&](const Told& told) {
      const std::int64_t from = begin.constant - told.begin.constant;
      // Of a bit-field that is written, the bytes around it are read.
      return told.begin.terms == begin.terms && from >= 0 && bytes <= told.bytes - from &&
             (told.is_write || !is_write);
    });
  }

  /// The function's frame at a fixed place.
  bool is_own(const LinearForm& begin, std::int64_t bytes) const {
    return begin.is_offset_of(KnownValues::kFrame) && begin.constant >= -values_.frame_bytes() &&
           begin.constant <= -bytes;
  }

  /// A number that the compiler keeps in memory, and where the linker notes an address.
  static bool is_literal(const Operand& operand, unsigned bytes) {
    if (operand.base != Register::kRip || operand.index != Register::kNone) return false;
    const std::int64_t from = operand.displacement;
    if (operand.symbol.find("@GOT") != std::string_view::npos) return from == 0;
    return operand.symbol.starts_with(".L") && from >= 0 && from + bytes <= 16;
  }

  /// threadIdx.x and its like: where each thread finds its own.
  bool is_index(const LinearForm& begin, std::int64_t bytes) {
    const auto is_in = [&](const char* name) {
      return begin.is_offset_of(values_.symbol(name)) && begin.constant >= 0 &&
             begin.constant + bytes <= 12;
    };
    return is_in("threadIdx") || is_in("blockIdx") || is_in("blockDim") || is_in("gridDim");
  }

  void guard_operand(const AsmInstruction& instruction, std::size_t at, std::string_view text) {
    const Operand& operand = instruction.operands[at];
    const unsigned bytes = bytes_in_memory(instruction, at);
    const bool writes = at + 1 == instruction.operands.size() && stores(instruction);
    const bool reads = !writes || changes(instruction);
    if (bytes == 0 || !operand.is_plain || operand.has_segment) {
      result_.unknown.emplace_back(text);
      return;
    }
    const LinearForm begin = values_.address(operand);
    if (is_own(begin, bytes)) return;
    if (!writes && (is_literal(operand, bytes) || is_index(begin, bytes))) return;
    for (const bool is_write : {false, true}) {
      if (!(is_write ? writes : reads) || is_told(begin, bytes, is_write)) continue;
      put("\tpushq\t%rax\n\tleaq\t", shown_after_push(operand),
          ", %rax\n\tcall\tnibble_simt_guard_", is_write ? "write" : "read", std::to_string(bytes),
          "\n\tpopq\t%rax\n");
      ++result_.guards;
    }
  }

  /// As the operand must be written where rsp is 8 less.
  static std::string shown_after_push(const Operand& operand) {
    std::string_view text = operand.text;
    if (text.starts_with('*')) text.remove_prefix(1);
    if (operand.base != Register::kRsp) return std::string(text);
    const std::size_t open = text.find('(');
    return "8+" + (open == 0 ? "0" : std::string(text.substr(0, open))) +
           std::string(text.substr(open));
  }

  void guard_string(const AsmInstruction& instruction) {
    const std::int64_t width = width_of_string(instruction.name);
    const LinearForm count = instruction.repeats ? values_.of(Register::kRcx) : LinearForm{{}, 1};
    const bool reads =
        !instruction.name.starts_with("stos") && !instruction.name.starts_with("scas");
    const bool writes =
        instruction.name.starts_with("movs") || instruction.name.starts_with("stos");
    const auto is_known = [&](Register at, bool is_write) {
      if (!count.is_constant() || count.constant < 0 || count.constant > (1 << 20)) return false;
      const LinearForm begin = values_.of(at);
      const std::int64_t bytes = width * count.constant;
      return is_own(begin, bytes) || is_told(begin, bytes, is_write);
    };
    if (!reads && !writes) return;
    if (reads && !is_known(Register::kRsi, false)) guard_string(instruction, "%rsi", "read", width);
    if (writes && !is_known(Register::kRdi, true))
      guard_string(instruction, "%rdi", "write", width);
  }

  void guard_string(const AsmInstruction& instruction, const char* at, const char* act,
                    std::int64_t width) {
    put("\tpushq\t%rax\n\tmovq\t", at, ", %rax\n\tcall\tnibble_simt_guard_",
        instruction.repeats ? "repeated_" : "", act, std::to_string(width), "\n\tpopq\t%rax\n");
    ++result_.guards;
  }

  static std::int64_t width_of_string(std::string_view name) {
    return name.back() == 'q' ? 8 : name.back() == 'l' ? 4 : name.back() == 'w' ? 2 : 1;
  }

  template <typename... Parts>
  void put(const Parts&... parts) {
    (result_.text.append(parts), ...);
  }

  std::set<std::string_view> targets_;
  std::string_view rest_;
  KnownValues values_;
  std::vector<Told> told_;
  std::set<int> engine_files_;
  bool has_line_ = false, is_engines_function_ = false, in_engine_ = false;
  Guarded result_;
};

}  // namespace

Guarded with_guards(std::string_view assembly) { return Guards(assembly).run(); }

}  // namespace nibble::simt
