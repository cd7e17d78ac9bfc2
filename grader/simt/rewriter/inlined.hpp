// Functions that take or return a struct by value, made part of their caller.
//
// At -O0 no compiler puts a hook before the load in `f(memory)` nor before the store in `memory
// = f()` of a struct. What is inlined has no such calls: the struct is copied, and copies have
// hooks. CUDA's own word does that for __device__ functions (types.hpp);
// lambdas and constexpr functions have none.
#pragma once

#include <vector>

#include "simt/rewriter/declarations.hpp"
#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

void inline_lambdas(const Tokens& tokens, Edits& edits);
/// Who calls itself cannot be part of its caller.
void keep_recursion(const Tokens& tokens, const std::vector<Declaration>& declarations,
                    Edits& edits);
void inline_constexpr_functions(const Tokens& tokens, const std::vector<Declaration>& declarations,
                                Edits& edits);

}  // namespace nibble::simt
