// What a learner's file may not hold, each with the reason and the way out.
//
// In a file of kernels the engine's word is worth points, so nothing may stand there that takes its
// hooks out of the compiled code or speaks in its name: no attribute, no pragma, no assembler, no
// name of the engine or the compiler, and nothing that builds such a name where it cannot be read.
// What cannot be seen in a text is left to the look at the object file (object_check.hpp).
#pragma once

#include <vector>

#include "simt/rewriter/declarations.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// In a whole CUDA program: calls of the runtime that the engine does not have, and what to write
/// instead.
void refuse_host_calls(const Tokens& tokens, std::vector<Complaint>& complaints);

/// In a file of kernels: names, signs and literals. The words `asm` that are `understood`, by index
/// and in order, are none any more.
void refuse_tokens(const Tokens& tokens, const std::vector<int>& understood,
                   std::vector<Complaint>& complaints);

/// In a file of kernels: #include, #define, #pragma and the rest.
void refuse_directives(const Tokens& tokens, std::vector<Complaint>& complaints);

/// In a file of kernels: functions and variables of the host.
void refuse_host_code(const Tokens& tokens, const std::vector<Declaration>& declarations,
                      std::vector<Complaint>& complaints);

}  // namespace nibble::simt
