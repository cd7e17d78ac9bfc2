// The C++ side of an inline assembly statement: where it begins and ends, its text, its operands.
//
//     asm volatile("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b) : "memory");
//                   text                            outputs     inputs           clobbers
#pragma once

#include <string>
#include <vector>

#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// What is wrong with a statement, as a sentence.
struct PtxError {
  std::string sentence;
};

struct PtxOperand {
  char kind;  ///< r, h, l, f, d: a register of 32, 16, 64 bits, a float, a double; n: a constant
  bool is_output;  ///< "=r" or "+r"
  bool is_input;   ///< "r", "n" or "+r"
  int open;        ///< the ( before its expression; its partner is behind it
};

struct PtxStatement {
  int last = 0;  ///< its `;`, or its `)` where none follows
  bool has_semicolon = false;
  std::string text;  ///< of all instructions
  std::vector<PtxOperand> operands;
};

bool is_asm(const Token& token);

/// The statement that begins at the word `asm`. Throws PtxError.
PtxStatement read_ptx_statement(const Tokens& tokens, int word);

}  // namespace nibble::simt
