// Reads objdump's lines one by one: headers, instructions,
// objects and pointers; and shortens long names.
#include "report/disassembly.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace nibble::report {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// The number that `digits` is as a whole.
std::optional<std::uint64_t> hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  return value;
}

/// "0000000000001130 <name>:"
std::optional<Function> read_header(std::string_view line) {
  const std::size_t open = line.find(" <");
  if (open == std::string_view::npos || !line.ends_with(">:")) return {};
  if (!hexadecimal(line.substr(0, open))) return {};
  return Function{std::string(line.substr(open + 2, line.size() - open - 4)), {}};
}

/// The first word of `text`, which loses it.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

bool is_prefix(std::string_view word) {
  constexpr std::array<std::string_view, 12> kPrefixes = {"rep", "repz",     "repnz",  "lock",
                                                          "bnd", "notrack",  "data16", "cs",
                                                          "ds",  "xacquire", "addr32", "rex.W"};
  return word.starts_with("{") || std::ranges::count(kPrefixes, word) > 0;
}

/// "jne 1138 <name+0x8>", "lea rax,[rip+0x2f]        # 2040 <name>": an address before a name.
void read_place(Instruction& instruction) {
  const std::string_view operands = instruction.operands;
  const std::size_t open = operands.find(" <");
  if (open == std::string_view::npos || !operands.ends_with(">")) return;
  const std::size_t begin = operands.find_last_of(" ,", open - 1) + 1;  // 0 when there is none
  const auto place = hexadecimal(operands.substr(begin, open - begin));
  const auto prefixed = operands.substr(begin).starts_with("0x")
                            ? hexadecimal(operands.substr(begin + 2, open - begin - 2))
                            : place;
  if (!prefixed) return;
  instruction.refers = true;
  instruction.place = *prefixed;
  instruction.place_name = operands.substr(open + 2, operands.size() - open - 3);
  // What is left are the operands as the instruction has them.
  const std::string_view own = trimmed(operands.substr(0, begin));
  instruction.operands = own.ends_with("#") ? trimmed(own.substr(0, own.size() - 1)) : own;
}

/// "    1133:	je     1168 <name+0x38>"
std::optional<Instruction> read_instruction(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  const auto address = hexadecimal(trimmed(line.substr(0, colon)));
  const std::size_t comment = line.find("// ");  // of ARM; a name may hold two slashes, no blank
  std::string_view rest = trimmed(line.substr(0, comment).substr(colon + 1));
  if (!address || rest.empty() || rest.starts_with("...")) return {};
  std::string_view word = take_word(rest);
  while (is_prefix(word) && !rest.empty()) word = take_word(rest);
  Instruction instruction{*address, std::string(word), std::string(rest), false, 0, ""};
  read_place(instruction);
  return instruction;
}

/// "000000000001cd50 l     O .data.rel.ro	0000000000000010              nibble::kTable"
bool read_object(std::string_view line, Disassembly& listing) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos || line.substr(0, tab).find(" O ") == std::string_view::npos) {
    return false;
  }
  std::string_view rest = line.substr(tab + 1);
  const auto place = hexadecimal(take_word(line)), size = hexadecimal(take_word(rest));
  if (!place || !size) return false;
  listing.objects[*place] = *size;
  return true;
}

/// "000000000001cd50 R_X86_64_RELATIVE  *ABS*+0x0000000000007240"
bool read_pointer(std::string_view line, Disassembly& listing) {
  constexpr std::string_view kValue = "*ABS*+0x";
  const std::size_t value = line.find(kValue);
  if (value == std::string_view::npos || line.find("_RELATIVE") > value) return false;
  const auto holds = hexadecimal(trimmed(line.substr(value + kValue.size())));
  const auto place = hexadecimal(take_word(line));
  if (!place || !holds) return false;
  listing.pointers[*place] = *holds;
  return true;
}

/// Replaces every `old` by nothing.
void erase_all(std::string& text, std::string_view old) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
    text.erase(at, old.size());
  }
}

/// Where the first character of `wanted` stands outside of <> and {}, from `begin` on.
std::size_t find_outside(std::string_view text, char wanted, std::size_t begin = 0) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && c == wanted) return i;
    if (c == '<' || c == '{') ++depth;
    if (c == '>' || c == '}') --depth;
  }
  return std::string_view::npos;
}

}  // namespace

const Function* Disassembly::at(std::uint64_t address) const {
  const auto found = std::ranges::find_if(
      functions, [&](const Function& function) { return function.contains(address); });
  return found == functions.end() ? nullptr : &*found;
}

std::vector<const Function*> Disassembly::pointed_to_from(std::uint64_t place) const {
  std::uint64_t begin = place, end = place + 1;
  if (auto object = objects.upper_bound(place); object != objects.begin()) {
    --object;
    if (place < object->first + object->second) {
      begin = object->first;
      end = begin + object->second;
    }
  }
  std::vector<const Function*> found;
  for (auto each = pointers.lower_bound(begin); each != pointers.end() && each->first < end;
       ++each) {
    const Function* const function = at(each->second);
    if (function != nullptr && function->begin() == each->second) found.push_back(function);
  }
  return found;
}

Disassembly read_disassembly(std::string_view text) {
  Disassembly listing;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find("file format elf64-littleaarch64") != std::string_view::npos) {
      listing.processor = Processor::kArm;
    } else if (read_object(line, listing) || read_pointer(line, listing)) {
      continue;
    } else if (auto function = read_header(line)) {
      listing.functions.push_back(std::move(*function));
    } else if (auto instruction = read_instruction(line);
               instruction && !listing.functions.empty()) {
      listing.functions.back().code.push_back(std::move(*instruction));
    }
  }
  std::erase_if(listing.functions, [](const Function& function) { return function.code.empty(); });
  return listing;
}

std::string short_name(std::string_view name) {
  constexpr std::string_view kCall = "operator()", kCallMark = "operator\x01";
  std::string text(name);
  erase_all(text, "(anonymous namespace)::");
  erase_all(text, "nibble::");
  for (std::size_t at = text.find(kCall); at != std::string::npos; at = text.find(kCall, at)) {
    text.replace(at, kCall.size(), kCallMark);
  }
  text.resize(std::min(text.size(), text.find(" [clone ")));
  // A template's name begins with the type of its result, a lambda's ends behind a second list.
  std::string whole;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(find_outside(text, '(', at), text.size());
    whole += text.substr(at, open - at);
    int depth = 0;
    for (at = open; at < text.size(); ++at) {
      depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    at = text.find("::", at);
    if (at == std::string::npos) break;
  }
  for (std::size_t space = find_outside(whole, ' ');
       space != std::string::npos && !whole.starts_with("operator");
       space = find_outside(whole, ' ')) {
    whole.erase(0, space + 1);
  }
  std::size_t mark = whole.find('\x01');
  while (mark != std::string::npos) {
    whole.replace(mark, 1, "()");
    mark = whole.find('\x01');
  }
  return whole;
}

}  // namespace nibble::report
