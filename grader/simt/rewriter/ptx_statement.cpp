// Reads the parts of an asm statement between its colons.
#include "simt/rewriter/ptx_statement.hpp"

#include <algorithm>
#include <array>

namespace nibble::simt {
namespace {

constexpr auto kAsm = std::to_array<std::string_view>({"asm", "__asm__", "__asm"});
constexpr auto kVolatile =
    std::to_array<std::string_view>({"volatile", "__volatile__", "__volatile"});
constexpr std::string_view kKinds = "rhlfdn";
constexpr std::size_t kMostOperands = 64;

[[noreturn]] void refuse_shape() {
  throw PtxError{
      "this inline PTX cannot be read: write asm volatile(\"instructions\" : outputs : inputs : "
      "\"memory\");"};
}

bool is_plain_string(const Token& token) {
  return token.kind == TokenKind::kString && !token.is_unterminated && !token.is_spliced;
}

/// What stands between the quotes, with \n and \t as blanks.
std::string ptx_text_of(const Token& token) {
  std::string text;
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  for (std::size_t i = 0; i < inside.size(); i++) {
    if (inside[i] != '\\') {
      text += inside[i];
      continue;
    }
    const char escaped = ++i < inside.size() ? inside[i] : '\0';
    if (escaped != 'n' && escaped != 't') {
      throw PtxError{"of escapes, inline PTX may use \\n and \\t"};
    }
    text += ' ';
  }
  return text;
}

PtxOperand operand_of(std::string_view constraint, bool is_output, int open) {
  std::string_view kind = constraint.substr(1, constraint.size() - 2);
  const bool is_read = kind.starts_with('+'), is_written = is_read || kind.starts_with('=');
  if (is_written) kind.remove_prefix(kind.substr(1).starts_with('&') ? 2 : 1);
  if (kind.size() != 1 || kKinds.find(kind[0]) == std::string_view::npos) {
    throw PtxError{"of constraints, inline PTX has \"r\" (32 bits), \"l\" (64), \"h\" (16), " +
                   std::string("\"f\", \"d\" and \"n\" (a constant), not ") +
                   std::string(constraint)};
  }
  if (is_output && (!is_written || kind[0] == 'n')) {
    throw PtxError{"an output of inline PTX says \"=\" (written) or \"+\" (read and written)"};
  }
  if (!is_output && is_written) {
    throw PtxError{
        "an input of inline PTX has no \"=\" and no \"+\": outputs stand before the "
        "second colon"};
  }
  return {kind[0], is_output, !is_output || is_read, open};
}

class StatementReader {
 public:
  StatementReader(const Tokens& tokens, int word) : tokens_(tokens), at_(word + 1) {}

  PtxStatement run() {
    while (std::ranges::count(kVolatile, tokens_[at_].text) > 0) at_++;
    close_ = tokens_.partner(at_);
    if (!tokens_[at_].is("(") || close_ < 0) refuse_shape();
    at_++;
    if (!is_plain_string(tokens_[at_])) refuse_shape();
    for (; is_plain_string(tokens_[at_]); at_++) statement_.text += ptx_text_of(tokens_[at_]);
    read_sections();
    statement_.has_semicolon = tokens_[close_ + 1].is(";");
    statement_.last = statement_.has_semicolon ? close_ + 1 : close_;
    return std::move(statement_);
  }

 private:
  /// Outputs, inputs, clobbers: each behind a colon, two of which may be one token.
  void read_sections() {
    int section = 0;
    while (at_ != close_) {
      if (tokens_[at_].is(":")) {
        section += 1;
      } else if (tokens_[at_].is("::")) {
        section += 2;
      } else {
        refuse_shape();
      }
      at_++;
      if (section > 3) refuse_shape();
      while (is_plain_string(tokens_[at_])) {
        section == 3 ? read_clobber() : read_operand(section == 1);
        if (!tokens_[at_].is(",")) break;
        at_++;
        if (!is_plain_string(tokens_[at_])) refuse_shape();
      }
    }
  }

  void read_operand(bool is_output) {
    const int open = at_ + 1;
    if (!tokens_[open].is("(") || tokens_.partner(open) < 0) refuse_shape();
    if (statement_.operands.size() == kMostOperands) refuse_shape();
    statement_.operands.push_back(operand_of(tokens_[at_].text, is_output, open));
    at_ = tokens_.partner(open) + 1;
  }

  void read_clobber() {
    if (!tokens_[at_].is("\"memory\"")) {
      throw PtxError{"of clobbers, inline PTX has \"memory\" alone"};
    }
    at_++;
  }

  const Tokens& tokens_;
  int at_;
  int close_ = -1;
  PtxStatement statement_;
};

}  // namespace

bool is_asm(const Token& token) {
  return token.kind == TokenKind::kName && std::ranges::count(kAsm, token.text) > 0;
}

PtxStatement read_ptx_statement(const Tokens& tokens, int word) {
  return StatementReader(tokens, word).run();
}

}  // namespace nibble::simt
