// Changes to a text, collected in any order and made at once. Lines that an edit takes out are
// given back, so that all others keep their numbers.
#pragma once

#include <string>
#include <vector>

#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

class Edits {
 public:
  explicit Edits(const Tokens& tokens) : tokens_(tokens) {}

  void insert(std::size_t at, std::string text) { edits_.push_back({at, at, std::move(text)}); }

  /// Replaces tokens first to last and what lies between them.
  void replace(int first, int last, std::string text);

  void erase_bytes(std::size_t begin, std::size_t end) { edits_.push_back({begin, end, ""}); }

  std::string apply() const;

 private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  const Tokens& tokens_;
  std::vector<Edit> edits_;
};

}  // namespace nibble::simt
