// What a compiler calls by its own name and CUDA by another, which the engine counts.
#pragma once

#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// `__builtin_popcount` becomes `__popc`.
void use_names_of_cuda(const Tokens& tokens, Edits& edits);

}  // namespace nibble::simt
