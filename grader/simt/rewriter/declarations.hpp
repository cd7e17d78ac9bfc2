// Finds what a file declares outside its functions: enough to know variables from functions, and
// which words stand before them. Not a parser of C++: where it is lost, it skips to the next `;`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

enum class Declares : std::uint8_t { kVariables, kFunction, kDefinedFunction, kSomethingElse };

/// Token indices. Words are those before the (first) name: `static __device__ float`.
struct Declaration {
  struct Name {
    int first, last;  ///< more than one token where it is qualified: S::x
  };

  Declares what = Declares::kSomethingElse;
  bool is_member = false;  ///< inside a class
  bool is_template = false;
  int first = 0;      ///< where the words begin
  int words_end = 0;  ///< one past them
  int body = -1;      ///< the { of a kDefinedFunction
  int last = 0;       ///< its ; or }
  std::vector<Name> names;

  bool has_word(const Tokens& tokens, std::string_view word) const;
};

std::vector<Declaration> find_declarations(const Tokens& tokens);

}  // namespace nibble::simt
