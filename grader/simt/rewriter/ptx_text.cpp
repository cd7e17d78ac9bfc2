// Reads the text of a statement letter by letter; what is no PTX that we know stops it.
#include "simt/rewriter/ptx_text.hpp"

namespace nibble::simt {
namespace {

using Kind = PtxArgument::Kind;

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  std::vector<PtxInstruction> run() {
    std::vector<PtxInstruction> instructions;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (!takes(';')) instructions.push_back(instruction());
    }
    return instructions;
  }

 private:
  static bool is_digit(char c) { return '0' <= c && c <= '9'; }
  static bool is_word(char c) {
    return is_digit(c) || ('a' <= (c | 32) && (c | 32) <= 'z') || c == '_' || c == '.' || c == ':';
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  static int digit_of(char c) {
    if (is_digit(c)) return c - '0';
    return 'a' <= (c | 32) && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 99;
  }

  [[noreturn]] void refuse() const {
    const std::string rest(text_.substr(at_, 24));
    throw PtxError{"this inline PTX cannot be read at `" + rest + "`"};
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (is_blank(peek())) at_++;
  }
  bool takes(char c) {
    skip_blanks();
    if (peek() != c) return false;
    at_++;
    return true;
  }
  void expect(char c) {
    if (!takes(c)) refuse();
  }

  std::string word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (is_word(peek())) at_++;
    if (begin == at_) refuse();
    return std::string(text_.substr(begin, at_ - begin));
  }

  PtxInstruction instruction() {
    PtxInstruction read;
    if (takes('{')) return read.opcode = "{", read;
    if (takes('}')) return read.opcode = "}", read;
    if (takes('@')) {
      read.is_guard_negated = takes('!');
      read.guard = word();
    }
    read.opcode = word();
    if (read.opcode == ".reg") read.type = word();
    skip_blanks();
    if (peek() != ';') {
      do {
        read.arguments.push_back(argument());
      } while (takes(','));
    }
    skip_blanks();
    if (at_ == text_.size()) throw PtxError{"an instruction of inline PTX ends in `;`"};
    expect(';');
    return read;
  }

  PtxArgument argument() {
    PtxArgument read;
    if (takes('{')) {
      read.kind = Kind::kVector;
      do {
        read.parts.push_back(simple());
      } while (takes(','));
      expect('}');
      return read;
    }
    if (!takes('[')) return simple();
    read.kind = Kind::kAddress;
    read.parts.push_back(simple());
    if (takes('+')) read.number = number();
    expect(']');
    return read;
  }

  PtxArgument simple() {
    skip_blanks();
    if (peek() == '%') return register_of_the_statement();
    PtxArgument read;
    if (peek() == '-' || is_digit(peek())) {
      if (text_.substr(at_).starts_with("0f") || text_.substr(at_).starts_with("0F")) {
        at_ += 2;
        read.kind = Kind::kFloat;
        read.number = digits(16);
      } else {
        read.number = number();
      }
      return read;
    }
    read.kind = Kind::kName;
    read.name = word();
    return read;
  }

  PtxArgument register_of_the_statement() {
    at_++;
    PtxArgument read;
    if (is_digit(peek())) {
      read.kind = Kind::kOperand;
      read.number = digits(10);
      return read;
    }
    if (peek() != '%') {
      throw PtxError{"in inline PTX a single % names an operand, like %0: registers of the GPU " +
                     std::string("have two, like %%laneid")};
    }
    at_++;
    read.kind = Kind::kSpecial;
    read.name = word();
    return read;
  }

  std::uint64_t number() {
    const bool is_negative = takes('-');
    skip_blanks();
    const bool is_hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    if (is_hex) at_ += 2;
    // A zero in front means base 8 to PTX, as to C.
    const std::uint64_t value = digits(is_hex ? 16 : peek() == '0' ? 8 : 10);
    if (peek() == 'U') at_++;
    return is_negative ? 0 - value : value;
  }

  std::uint64_t digits(int base) {
    const std::size_t begin = at_;
    std::uint64_t value = 0;
    for (; digit_of(peek()) < base; at_++) {
      if (value >> 60 != 0) refuse();
      value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit_of(peek()));
    }
    if (begin == at_ || is_digit(peek())) refuse();
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<PtxInstruction> read_ptx_text(std::string_view text) { return TextReader(text).run(); }

}  // namespace nibble::simt
