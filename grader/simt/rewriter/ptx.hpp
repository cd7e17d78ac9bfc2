// Inline PTX becomes calls of the engine: the operands' expressions stay where they are, and
// nothing of the text itself gets into the file.
//
//     asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
//
//     { auto& out_0 = (sum); unsigned r_0 = in<unsigned>(out_0);       each under a longer name
//       const auto r_1 = in<unsigned>((a)); const auto r_2 = in<unsigned>((b));
//       r_0 = dp4a_s32_s32(r_1, r_2, r_0);
//       out_0 = out<decltype(out_0)>(r_0); }
//
// So loads and stores of operands are the learner's as before, and those of instructions are told
// to the engine by the functions of nibble/simt/ptx.hpp.
#pragma once

#include <string_view>
#include <vector>

#include "simt/rewriter/complaint.hpp"
#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"
#include "simt/rewriter/rewrite.hpp"

namespace nibble::simt {

/// Translates what the engine understands, and says what is wrong with the rest. In a whole program
/// that is left to the compiler between #if and #endif, which finds out whether it is wanted. The
/// words `asm` that are gone.
std::vector<int> rewrite_ptx(const Tokens& tokens, Dialect dialect, Edits& edits,
                             std::vector<Complaint>& complaints);

/// A complaint for each `asm` that another edit has kept in the rewritten text: the compiler would
/// take it for the host's.
void refuse_what_is_left(std::string_view text, std::vector<Complaint>& complaints);

}  // namespace nibble::simt
