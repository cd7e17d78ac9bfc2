// __shared__ T a[N]; and extern __shared__ T s[]; which may stand outside functions, too: then each
// function that names it gets it for its own.
#pragma once

#include <vector>

#include "simt/rewriter/declarations.hpp"
#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// Returns the tokens that name the variables, in the order of the text.
std::vector<int> rewrite_shared(const Tokens& tokens, const std::vector<Declaration>& declarations,
                                Edits& edits, std::vector<Complaint>& complaints);

}  // namespace nibble::simt
