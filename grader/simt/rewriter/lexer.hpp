// Cuts C++ into tokens exactly where a compiler does, so that nothing can hide from the rules: not
// behind comments, strings, raw strings or lines joined by a backslash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "simt/rewriter/complaint.hpp"

namespace nibble::simt {

enum class TokenKind : std::uint8_t {
  kName,
  kNumber,
  kString,
  kRawString,
  kCharacter,
  kHeaderName,  ///< what an #include names, with its quotes or angles
  kPunctuation,
  kHash,          ///< the # that begins a directive
  kDirectiveEnd,  ///< empty, at the end of a directive's last line
};

struct Token {
  TokenKind kind;
  bool in_directive;      ///< kHash, kDirectiveEnd and all between
  bool is_spliced;        ///< broken over lines by a backslash
  bool is_unterminated;   ///< a literal without its closing quote
  std::string_view text;  ///< without splices
  std::size_t begin, end;

  bool is(std::string_view spelling) const { return text == spelling; }
};

/// Tokens of one file. Comments and blanks are the gaps between them.
class Tokens {
 public:
  /// `source` must outlive the object.
  explicit Tokens(std::string_view source);
  Tokens(const Tokens&) = delete;
  Tokens& operator=(const Tokens&) = delete;

  int size() const { return static_cast<int>(tokens_.size()); }
  /// Outside the file: an empty piece of punctuation, which is nothing that anyone asks for.
  const Token& operator[](int index) const;
  /// The next token outside directives.
  int after(int index) const;
  /// The bracket that belongs to this one, or -1. Conditional branches do not disturb each other.
  /// Of a kHash its kDirectiveEnd, and the other way round.
  int partner(int index) const {
    return 0 <= index && index < size() ? partners_[static_cast<std::size_t>(index)] : -1;
  }

  Complaint complain(std::size_t offset, std::string message) const;
  Complaint complain(const Token& token, std::string message) const {
    return complain(token.begin, std::move(message));
  }
  /// What is wrong with the bytes themselves.
  const std::vector<Complaint>& complaints() const { return complaints_; }

  std::string_view source() const { return source_; }
  /// Tokens first to last as one line, a blank where there was a gap.
  std::string spelling(int first, int last) const;
  int newlines(std::size_t begin, std::size_t end) const;

 private:
  friend class Lexer;
  void find_partners();

  std::string_view source_;
  std::vector<std::size_t> line_starts_;
  std::vector<Token> tokens_;
  std::vector<int> partners_;
  std::deque<std::string> unspliced_;
  std::vector<Complaint> complaints_;
};

}  // namespace nibble::simt
